import {
  getOrderingRules,
  saveOrderingRules,
  type OrderingRules,
  cancelOrder,
  listOrders,
  setAbsence,
} from '#contracts/ordering'
import { classList, kitchenToday, setOrderStatus } from '#contracts/kitchen'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
  await rules({ cancelUntil: 'cutoff', absence: 'credit' })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const rules = async (changed: Partial<OrderingRules>) => {
  const { superadminClient: office } = canteen
  await office.call(saveOrderingRules, { body: { ...(await office.call(getOrderingRules)), ...changed } })
}

test('a family cancels until the cutoff of the day, and is told until when', async () => {
  const { parent, children } = await canteen.family('mutale', '3')
  const [tuesday, wednesday] = await place(parent, [
    canteen.porridgeFor(children[0]!, 2),
    canteen.porridgeFor(children[0]!, 3),
  ])
  expect(tuesday!.cancellableUntil).toBe('2026-09-15T06:00:00.000Z')
  canteen.setClock('2026-09-15T07:59:59.999+02:00')
  const params = { id: tuesday!.id }
  expect(await parent.call(listOrders)).toMatchObject([
    { id: tuesday!.id, allowed: { cancel: true, cancelForMs: 0 }, why: {} },
    { id: wednesday!.id, allowed: { cancel: true } },
  ])
  canteen.setClock('2026-09-15T08:00:00+02:00')
  const why = 'Meals of Tuesday could be cancelled until Tuesday 08:00'
  expect(await refused(parent.call(cancelOrder, { params }))).toMatchObject({
    status: 409,
    code: 'cancel_window_over',
    message: why,
  })
  expect(await parent.call(listOrders)).toMatchObject([
    { id: tuesday!.id, allowed: { cancel: false }, why: { cancel: why } },
    { id: wednesday!.id },
  ])
  const cancelled = await parent.call(cancelOrder, { params: { id: wednesday!.id } })
  expect(cancelled).toMatchObject({ status: 'cancelled', why: { cancel: 'This order is already cancelled' } })
})

test('"Ill today" is on the kitchen\'s and the class list\'s page until it is taken back', async () => {
  const { parent, children } = await canteen.family('thandi', '3')
  const cook = await canteen.administrator('absencecook', 'kitchen')
  const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 4)])
  const params = { id: order!.id }
  canteen.setClock('2026-09-17T08:30:00+02:00')
  expect(await parent.call(listOrders)).toMatchObject([{ absent: false, allowed: { absent: true } }])
  expect(await parent.call(setAbsence, { params })).toMatchObject({ id: order!.id, absent: true })
  const kitchen = await cook.call(kitchenToday)
  expect(kitchen.data).toMatchObject([{ id: order!.id, absent: true }])
  expect(kitchen.totals).toMatchObject([{ total: 1, absent: 1 }])
  const list = await cook.call(classList, { query: { date: '2026-09-17' } })
  expect(list.data).toMatchObject([{ id: order!.id, absent: true }])

  await cook.call(setOrderStatus, { body: { orderIds: [order!.id], status: 'completed' } })
  const taken = await parent.call(setAbsence, { params, body: { absent: false } })
  expect(taken).toMatchObject({ status: 'completed', absent: false })
  const again = await cook.call(kitchenToday)
  expect(again.data).toMatchObject([{ absent: false }])
  expect(again.totals[0]).not.toHaveProperty('absent')
  canteen.setClock('2026-09-17T12:00:00+02:00')
  expect(await refused(parent.call(setAbsence, { params }))).toMatchObject({
    status: 409,
    code: 'absence_over',
  })
})

test('"Ill today" is set and taken back 20 times at most', async () => {
  const { parent, children } = await canteen.family('often', '3')
  const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 4)])
  const params = { id: order!.id }
  canteen.setClock('2026-09-17T08:30:00+02:00')
  for (let turn = 0; turn < 20; turn += 1)
    await parent.call(setAbsence, { params, body: { absent: turn % 2 === 0 } })
  expect(await refused(parent.call(setAbsence, { params }))).toMatchObject({
    status: 409,
    code: 'too_many_changes',
    message: 'Ill was set and taken back 20 times. Ask the office.',
  })
  expect(await parent.call(listOrders)).toMatchObject([
    {
      id: order!.id,
      absent: false,
      allowed: { absent: false },
      why: { absent: 'Ill was set and taken back 20 times. Ask the office.' },
    },
  ])
})
