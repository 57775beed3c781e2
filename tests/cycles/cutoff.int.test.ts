import { closeDays } from '#contracts/closures'
import { saveCutoff } from '#contracts/cycles'
import { type CartLine, type Order, listOrders, placeOrders } from '#contracts/ordering'
import { openPayments } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({ ROLE: 'web' })
  await canteen.set({ enabled: false, beside: true, unpaidUntil: 'cutoff' })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const closingBefore = (daysBefore: number) =>
  canteen.superadminClient.call(saveCutoff, { body: { hour: 8, minute: 0, daysBefore } })
const payLater = (client: Client, cartItems: CartLine[]) =>
  client.call(placeOrders, { body: { cartItems, payBy: 'airtel' } })
const statusOf = async (client: Client, id: string) =>
  ((await client.call(listOrders)) as Order[]).find((order) => order.id === id)?.status
const sweep = () => canteen.sweepNamed('lapse-unpaid-meals')

test('on a day before the meal it refuses orders and names that day', async () => {
  await closingBefore(1)
  const { parent, children } = await canteen.payingFamily('mutale', '9')
  canteen.setClock('2026-09-14T08:00:00+02:00')
  const tuesday = canteen.stewFor(children[0]!, 2)
  expect(await refused(payLater(parent, [tuesday]))).toMatchObject({
    code: 'lines_refused',
    lines: [{ code: 'cutoff_passed', message: 'Orders for Tuesday closed on Monday 08:00' }],
  })
  const { orders } = await payLater(parent, [canteen.stewFor(children[0]!, 3)])
  expect(orders).toHaveLength(1)
})

test('an unpaid meal lapses on that day, and also later where nobody swept in time', async () => {
  await closingBefore(1)
  const { parent, children } = await canteen.payingFamily('mwila', '9')
  const { orders } = await payLater(
    parent,
    [3, 4].map((day) => canteen.stewFor(children[0]!, day)),
  )
  const [wednesday, thursday] = orders.map(({ id }) => id)
  expect((await parent.call(openPayments)).data).toMatchObject([{ lapsesAt: '2026-09-15T06:15:00.000Z' }])
  canteen.setClock('2026-09-15T08:14:59+02:00')
  await sweep()
  expect(await statusOf(parent, wednesday!)).toBe('pending')
  canteen.setClock('2026-09-16T07:00:00+02:00')
  await sweep()
  await eventually(async () => (await statusOf(parent, wednesday!)) === 'cancelled')
  expect(await statusOf(parent, thursday!)).toBe('pending')
})

test('a closed day moves the cutoff after it earlier; what was ordered stays as the family was told', async () => {
  await closingBefore(1)
  canteen.setClock('2026-09-28T07:00:00+02:00')
  const { parent, children } = await canteen.payingFamily('kunda', '9', '10')
  const { orders } = await payLater(parent, [canteen.stewFor(children[0]!, 3, { weekNumber: 3 })])
  canteen.setClock('2026-09-28T09:00:00+02:00')
  await canteen.superadminClient.call(closeDays, {
    params: { id: canteen.cycle.id },
    body: { dates: ['2026-09-29'], reason: 'Water is off', remedy: 'refund' },
  })
  expect(
    await refused(payLater(parent, [canteen.stewFor(children[1]!, 3, { weekNumber: 3 })])),
  ).toMatchObject({
    lines: [{ message: 'Orders for Wednesday closed on Monday 08:00' }],
  })
  await sweep()
  expect((await parent.call(openPayments)).data).toMatchObject([{ lapsesAt: '2026-09-29T06:15:00.000Z' }])
  expect(await statusOf(parent, orders[0]!.id)).toBe('pending')
})

test('in the last half hour before the first cutoff of the cart no transfer is taken', async () => {
  await closingBefore(0)
  const { parent, children } = await canteen.payingFamily('bupe', '9')
  const cart = [3, 2].map((day) => canteen.stewFor(children[0]!, day))
  canteen.setClock('2026-09-15T07:30:00+02:00')
  expect(await refused(payLater(parent, cart))).toMatchObject({
    status: 409,
    code: 'too_late_for_transfer',
    message: 'A transfer would come too late for Tuesday. Pay by card or on your phone.',
  })
  await payLater(parent, cart.slice(0, 1))
  await canteen.set({ enabled: true, beside: false, unpaidUntil: 'cutoff' })
  expect(await refused(parent.call(placeOrders, { body: cart.slice(1) }))).toMatchObject({
    code: 'too_late_for_transfer',
    message: 'A transfer would come too late for Tuesday. Ask the office.',
  })
  await canteen.set({ enabled: false, beside: true, unpaidUntil: 'never' })
  await payLater(parent, cart.slice(1))
  await canteen.set({ enabled: false, beside: true, unpaidUntil: 'cutoff' })
})

test('half an hour and a second before it a transfer is in time', async () => {
  await closingBefore(0)
  const { parent, children } = await canteen.payingFamily('early', '9')
  canteen.setClock('2026-09-15T07:29:59+02:00')
  const { orders } = await payLater(parent, [canteen.stewFor(children[0]!, 2)])
  expect(orders).toHaveLength(1)
})
