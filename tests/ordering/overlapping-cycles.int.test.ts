import { createCycle, deactivateCycle, listCycles, reactivateCycle } from '#contracts/cycles'
import { deleteDiscountCode } from '#contracts/order-reports'
import { kitchenWeek } from '#contracts/kitchen'
import { placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeEach(async () => {
  canteen = await openCanteen()
})
afterEach(() => canteen.close())

/** Ends the canteen's cycle and makes another over the same four weeks. */
const startOver = async () => {
  const office = canteen.superadminClient
  await office.call(deactivateCycle, { params: { id: canteen.cycle.id } })
  return office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] } })
}

test('a date that is ordered in one cycle is ordered in another over it too, and cooked once', async () => {
  const { parent, children } = await canteen.family('mwila', '3')
  const child = children[0]!
  await place(parent, [canteen.porridgeFor(child, 2)])
  const { overlap } = await startOver()
  expect(overlap).toEqual({ orders: 1, dates: ['2026-09-15'] })
  expect(await refused(parent.call(placeOrders, { body: [canteen.porridgeFor(child, 2)] }))).toMatchObject({
    status: 409,
    lines: [{ index: 0, code: 'already_ordered' }],
  })
  const { totals } = await canteen.superadminClient.call(kitchenWeek, { params: { week: 1 } })
  expect(totals.map(({ mealDate, total }) => [mealDate, total])).toEqual([['2026-09-15', 1]])
})

test('by card too, before a payment is started', async () => {
  const { parent, userId, children } = await canteen.payingFamily('natasha', '9')
  const child = children[0]!
  const discount = await canteen.discount(userId, 100)
  await place(parent, [canteen.stewFor(child, 2)])
  await canteen.superadminClient.call(deleteDiscountCode, { params: { id: discount.id } })
  await startOver()
  const cartItems = [canteen.stewFor(child, 3), canteen.stewFor(child, 2)]
  const answer = await refused(parent.call(createPayment, { body: { amount: 91, cartItems } }))
  expect(answer).toMatchObject({ status: 409, lines: [{ index: 1, code: 'already_ordered' }] })
})

test('a cycle made active again tells what was ordered for its dates meanwhile', async () => {
  const again = await startOver()
  const { parent, children } = await canteen.family('grace', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 4)])
  const office = canteen.superadminClient
  await office.call(deactivateCycle, { params: { id: again.id } })
  const { overlap } = await office.call(reactivateCycle, { params: { id: canteen.cycle.id } })
  expect(overlap).toEqual({ orders: 1, dates: ['2026-09-17'] })
  expect(await parent.call(listCycles)).toMatchObject([{ id: canteen.cycle.id, isActive: true }, {}])
})
