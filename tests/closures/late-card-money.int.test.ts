import { closeDays, getClosure, previewClosure, undoClosure } from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

/** A parent on the card provider's page with a stew for each of these days of the first week. */
const paying = async (username: string, ...days: number[]) => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
  const cartItems = days.map((day) => canteen.stewFor(child, day))
  const { TransToken } = await parent.call(createPayment, { body: { amount: 45.5 * days.length, cartItems } })
  const choose = async (outcome: 'pay' | 'decline') => {
    const card = new URLSearchParams({ outcome, card: '4111111111111111' })
    await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, { method: 'POST', body: card })
    return parent.call(verifyPayment, { params: { transactionId: TransToken } })
  }
  return { parent, pay: () => choose('pay'), decline: () => choose('decline') }
}
const close = (date: string, remedy: 'refund' | 'credit') =>
  canteen.superadminClient.call(closeDays, {
    params: { id: canteen.cycle.id },
    body: { dates: [date], reason: 'Public holiday', remedy },
  })
const refundsOf = async (amount: number) =>
  (await canteen.superadminClient.call(listRefunds)).data.filter((refund) => refund.amount === amount)

const owedBy = async (id: string) =>
  (await canteen.superadminClient.call(getClosure, { params: { id } })).owed

test('card money for a day that was closed meanwhile is owed as a refund, the other meals are ordered', async () => {
  const { parent, pay } = await paying('mwila', 2, 3)
  const underWay = await canteen.superadminClient.call(previewClosure, {
    params: { id: canteen.cycle.id },
    body: { dates: ['2026-09-15'] },
  })
  expect(underWay).toMatchObject({ orders: 0, paymentsUnderWay: 1 })
  const { id } = await close('2026-09-15', 'refund')
  expect(await owedBy(id)).toBe(0)
  await pay()
  await eventually(async () => (await refundsOf(45.5)).length === 1)
  await eventually(async () => (await owedBy(id)) === 45.5)
  expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 3, status: 'pending' }])
  const mail = await mailTo(canteen, 'mwila@example.org', 'there is no lunch on these days')
  expect(mail.text).toContain('A meal on Tuesday, 15 September 2026: K45.50 will be refunded')
})

test('a payment whose card was declined is under way as long as another card may pay it', async () => {
  const { decline } = await paying('kunda', 5)
  const underWay = async () => {
    const asked = { params: { id: canteen.cycle.id }, body: { dates: ['2026-09-18'] } }
    return (await canteen.superadminClient.call(previewClosure, asked)).paymentsUnderWay
  }
  await decline()
  await eventually(async () => (await underWay()) === 1)
  canteen.setClock('2026-09-14T07:41:00+02:00')
  expect(await underWay()).toBe(0)
  canteen.setClock('2026-09-14T07:00:00+02:00')
})

test('with credit as the remedy it becomes credit, also when the day is open again', async () => {
  const { parent, pay } = await paying('natasha', 4)
  const { id } = await close('2026-09-17', 'credit')
  canteen.setClock('2026-09-14T07:05:00+02:00')
  await canteen.superadminClient.call(undoClosure, { params: { id } })
  await pay()
  await eventually(async () => (await parent.call(getCredit)).balance === 45.5)
  expect((await parent.call(getCredit)).entries).toMatchObject([
    { kind: 'closed', amount: 45.5, text: expect.stringContaining('the day was closed') },
  ])
  await eventually(async () => (await owedBy(id)) === 45.5)
  expect(await parent.call(listOrders)).toEqual([])
  const again = await paying('joseph', 4)
  await again.pay()
  await eventually(async () => ((await again.parent.call(listOrders)) as unknown[]).length === 1)
})

test('what a closure owes is what its cancelled orders do, not those that were placed again', async () => {
  const [one, other] = [await paying('mubanga', 5), await paying('kasonde', 5)]
  await one.pay()
  await other.pay()
  const orderOf = async ({ parent }: typeof one) => ((await parent.call(listOrders)) as Order[])[0]!
  const { id: refundId } = await orderOf(one)
  const { id, owed } = await close('2026-09-18', 'refund')
  expect(owed).toBe(91)
  await eventually(async () => (await refundsOf(45.5)).some((refund) => refund.id === refundId))
  expect(await owedBy(id)).toBe(91)
  await canteen.superadminClient.call(completeRefund, { params: { id: refundId } })
  await canteen.superadminClient.call(undoClosure, { params: { id } })
  await eventually(async () => (await orderOf(other)).status === 'pending')
  expect(await owedBy(id)).toBe(45.5)
})
