import { getCredit } from '#contracts/credit'
import type { Student } from '#contracts/identity'
import { cancelOrders, listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { listMails } from '../../src/adapters/mail/files'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
let historian: Client
beforeAll(async () => {
  canteen = await openCanteen()
  historian = await canteen.administrator('historian', 'history')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const ordersOf = async (parent: Client) => (await parent.call(listOrders, { query: {} })) as Order[]

/** An order for stew that was paid for by card. */
const paidStew = async (parent: Client, child: Student, day: number): Promise<Order> => {
  const body = { amount: 45.5, cartItems: [canteen.stewFor(child, day)] }
  const { TransToken } = await parent.call(createPayment, { body })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }),
  })
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  return (await ordersOf(parent)).find(({ dayOfWeek }) => dayOfWeek === day)!
}

test('orders are cancelled in one act: what was paid goes back as the office says, each family is told once', async () => {
  const paying = await canteen.payingFamily('chanda', '9')
  const mute = await canteen.family('bwalya', '3')
  const paid = [
    await paidStew(paying.parent, paying.children[0]!, 2),
    await paidStew(paying.parent, paying.children[0]!, 3),
  ]
  const [free] = await place(mute.parent, [canteen.porridgeFor(mute.children[0]!, 2)])
  // Long after the first hour and on the day itself after its cutoff.
  canteen.setClock('2026-09-15T09:00:00+02:00')
  const act = {
    body: {
      orderIds: [...paid.map(({ id }) => id), free!.id, paid[0]!.id, '999.2026-09-15.1'],
      reason: 'The oven broke',
      remedy: 'credit' as const,
    },
    headers: { 'idempotency-key': 'oven' },
  }
  const answer = await historian.call(cancelOrders, act)
  expect(answer).toEqual({
    cancelled: 3,
    owed: 91,
    families: 2,
    notTold: 1,
    skipped: [{ orderId: '999.2026-09-15.1', code: 'order_not_found', message: 'Order not found' }],
  })
  expect(await historian.call(cancelOrders, act)).toEqual(answer)
  const other = { ...act, body: { ...act.body, remedy: 'refund' as const } }
  expect(await refused(historian.call(cancelOrders, other))).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  })
  expect((await ordersOf(paying.parent)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  await eventually(async () => (await paying.parent.call(getCredit)).balance === 91)
  const mail = await mailTo(canteen, 'chanda@example.org', 'Meals of yours are cancelled')
  // Their address is not confirmed, so the mail holds no text that anybody typed.
  expect(mail.text).toContain('- A meal on Tuesday, 15 September 2026: K45.50 goes to your credit')
  expect(mail.text).toContain('- A meal on Wednesday, 16 September 2026: K45.50 goes to your credit')
  const again = await historian.call(cancelOrders, { body: act.body })
  expect(again).toMatchObject({ cancelled: 0, owed: 0, families: 0 })
  expect(again.skipped.map(({ code }) => code)).toEqual([
    'already_cancelled',
    'already_cancelled',
    'already_cancelled',
    'order_not_found',
  ])
  const cancellations = (await listMails(canteen.dataDir)).filter(({ subject }) =>
    subject.includes('cancelled'),
  )
  expect(cancellations).toHaveLength(1)
})

test('only who may set orders in the history cancels them', async () => {
  const cook = await canteen.administrator('only-kitchen', 'kitchen')
  const body = { orderIds: ['1.2026-09-15.1'], reason: 'The oven broke', remedy: 'refund' as const }
  expect(await refused(cook.call(cancelOrders, { body }))).toMatchObject({ status: 403 })
  expect(await refused(historian.call(cancelOrders, { body: { ...body, reason: 'no' } }))).toMatchObject({
    status: 422,
  })
})
