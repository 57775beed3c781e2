import { dayEnd, getReceipt } from '#contracts/books'
import { giveCredit } from '#contracts/credit'
import type { BodyOf } from '#contracts/endpoint'
import type { Student } from '#contracts/identity'
import { kitchenChanges, setOrderStatus } from '#contracts/kitchen'
import { type CartLine, type Order, listOrders, orderForFamily } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { orderHistory } from '#contracts/payments-console'
import { pendingPayments, verifyPending } from '#contracts/transfers'
import type { CallRefused, Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen } from '../payments/alternative-canteen'
import { mailTo, writtenTo } from '../support/mails'
import { airtelFile, uploaded } from '../support/upload-statement'

let canteen: AlternativeCanteen
let clerk: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  await canteen.set({ enabled: false })
  clerk = await canteen.administrator('counter', 'parents_students', 'pending_payments', 'history', 'kitchen')
})
afterAll(() => canteen.close())

type Asked = Partial<BodyOf<typeof orderForFamily>>

const orderFor = (parentId: number, cartItems: CartLine[], asked: Asked, key?: string, by = clerk) =>
  by.call(orderForFamily, {
    params: { parentId },
    body: { cartItems, payBy: 'cash', received: false, ...asked },
    headers: key === undefined ? undefined : { 'idempotency-key': key },
  })
const stew = (child: Student | undefined, day: number, more: Partial<CartLine> = {}) =>
  canteen.stewFor(child!, day, more)
const today = () => clerk.call(dayEnd, { query: { from: '2026-09-14', to: '2026-09-14' } })

test('cash at the counter makes the orders, their receipt and the till in one act, once', async () => {
  const { parent, userId, children } = await canteen.payingFamily('banda', '9', '10')
  const before = (await today()).days[0]!.till
  const lines = [stew(children[0], 2), stew(children[1], 2)]
  const { orders, payment } = await orderFor(userId, lines, { received: true, note: 'Grandmother' }, 'one')
  expect(payment).toBeNull()
  expect(orders).toMatchObject([
    { paymentStatus: 'confirmed', payBy: 'cash', receiptNumber: expect.any(String) },
    { paymentStatus: 'confirmed', payBy: 'cash', receiptNumber: orders[0]!.receiptNumber },
  ])
  expect(await orderFor(userId, lines, { received: true, note: 'Grandmother' }, 'one')).toEqual({
    orders,
    payment,
  })
  const receipt = await parent.call(getReceipt, { params: { number: orders[0]!.receiptNumber! } })
  expect(receipt).toMatchObject({ method: 'cash', amount: 91 })
  expect((await today()).days[0]!.till).toEqual({
    in: before.in + 91,
    out: before.out,
    expected: before.expected + 91,
  })
  expect(((await parent.call(listOrders)) as Order[]).map(({ id }) => id).toSorted()).toEqual(
    orders.map(({ id }) => id).toSorted(),
  )
  const { data } = await canteen.superadminClient.call(orderHistory, { params: { id: orders[0]!.id } })
  expect(data).toContainEqual(
    expect.objectContaining({
      who: 'counter',
      what: expect.stringMatching(/^Ordered by the office: Stew for banda 9/),
    }),
  )
  const mail = await mailTo(canteen, 'banda@example.org', 'Paid')
  expect(mail.text).toContain('K91.00')
  expect(await writtenTo(canteen.infrastructure.database.pool, userId, 'How to pay')).toBe(0)
})

test('unpaid it stands under Pending Payments, and the family is told where to pay', async () => {
  const { userId, children } = await canteen.payingFamily('daka', '9')
  const { orders, payment } = await orderFor(userId, [stew(children[0], 2)], {})
  expect(orders).toMatchObject([{ paymentStatus: 'pending', payBy: 'cash' }])
  expect(payment).toMatchObject({
    amount: 45.5,
    instructions: { message: 'Pay in cash at the school office and give the reference.' },
  })
  const mail = await mailTo(canteen, 'daka@example.org', 'How to pay')
  expect(mail.text).toContain('the school office ordered a meal for you')
  expect(mail.text).toContain('in cash at the school office')
  expect(mail.text).not.toContain('Zanaco')
  const pending = await clerk.call(pendingPayments, { query: { text: 'daka' } })
  expect(pending.data).toMatchObject([{ orders: [{ payBy: 'cash', reference: payment!.reference }] }])
  const body = { orderIds: orders.map(({ id }) => id), method: 'mtn' as const, transactionId: 'DAKA1' }
  await clerk.call(verifyPending, { body })
  const other = await canteen.family('daka-two', '9')
  const asked = { payBy: 'mtn' as const, received: true, transactionId: 'daka-1' }
  expect(await refused(orderFor(other.userId, [stew(other.children[0], 2)], asked))).toMatchObject({
    status: 409,
    code: 'row_confirmed',
  })
  expect(await other.parent.call(listOrders)).toEqual([])
})

test('one transaction pays one family: of four at once three are refused before anything is ordered', async () => {
  const names = ['four-a', 'four-b', 'four-c', 'four-d']
  const families = await Promise.all(names.map((name) => canteen.family(name, '9')))
  const asked = { payBy: 'mtn' as const, received: true, transactionId: 'FOUR 1' }
  const answers = await Promise.all(
    families.map(({ userId, children }) =>
      orderFor(userId, [stew(children[0], 4)], asked).then(
        () => 'ordered',
        (refusal: CallRefused) => refusal.body.code,
      ),
    ),
  )
  expect(answers.toSorted()).toEqual(['ordered', 'row_confirmed', 'row_confirmed', 'row_confirmed'])
  const orders = await Promise.all(families.map(({ parent }) => parent.call(listOrders)))
  expect((orders as Order[][]).map((own) => own.length).toSorted()).toEqual([0, 0, 0, 1])
})

test('a statement that comes while its transaction is typed pays the same meals', async () => {
  const { userId, children } = await canteen.family('meanwhile', '9')
  const { eventStore } = canteen.infrastructure
  const append = eventStore.append.bind(eventStore)
  jest.spyOn(eventStore, 'append').mockImplementationOnce(async (appends) => {
    const row = 'MEAN1,14/09/2026 06:39:12,0977111111,SEEN,45.50,lunch,Transaction Success'
    await uploaded(canteen.superadminClient, { bytes: airtelFile(row) })
    return append(appends)
  })
  const asked = { payBy: 'airtel' as const, received: true, transactionId: 'MEAN 1' }
  const { orders } = await orderFor(userId, [stew(children[0], 4)], asked)
  expect(orders).toMatchObject([{ paymentStatus: 'confirmed' }])
})

test('credit pays all or nothing', async () => {
  const { userId, children } = await canteen.family('credit', '9')
  const asked = { payBy: 'credit' as const }
  const lines = [stew(children[0], 2)]
  expect(await refused(orderFor(userId, lines, asked))).toMatchObject({ status: 402, code: 'credit_short' })
  await canteen.superadminClient.call(giveCredit, {
    params: { id: userId },
    body: { amount: 50, reason: 'A gift' },
  })
  const { orders, payment } = await orderFor(userId, lines, asked)
  expect(payment).toBeNull()
  expect(orders).toMatchObject([{ paymentStatus: 'confirmed', payBy: null }])
})

test('the checks are those of the parent, and all lines are refused for one', async () => {
  const { parent, userId, children } = await canteen.family('checked', '9')
  const stranger = await canteen.family('stranger', '9')
  const lines = [stew(children[0], 2), stew(stranger.children[0], 2)]
  expect((await refused(orderFor(userId, lines, {}))).lines).toMatchObject([
    { index: 1, code: 'student_not_found' },
  ])
  expect(await parent.call(listOrders)).toEqual([])
  expect(await refused(orderFor(999_999, lines, {}))).toMatchObject({ status: 404, code: 'parent_not_found' })
  const clerkOnly = await canteen.administrator('no-money', 'parents_students')
  const own = [stew(children[0], 2)]
  expect(await refused(orderFor(userId, own, { received: true }, undefined, clerkOnly))).toMatchObject({
    status: 403,
    code: 'may_not_confirm',
  })
  expect((await orderFor(userId, own, {}, undefined, clerkOnly)).orders).toHaveLength(1)
  const money = await canteen.administrator('money-only', 'pending_payments')
  expect(await refused(orderFor(userId, own, {}, undefined, money))).toMatchObject({ status: 403 })
})

test('an open card payment of the same day gives way', async () => {
  const { parent, userId, children } = await canteen.payingFamily('carded', '9')
  const cartItems = [stew(children[0], 3)]
  await parent.call(createPayment, { body: { amount: 45.5, cartItems } })
  const { orders } = await orderFor(userId, cartItems, { received: true })
  expect(orders).toMatchObject([{ paymentStatus: 'confirmed', payBy: 'cash' }])
})

describe('after the cutoff', () => {
  const late = { reason: 'Forgot to order' }
  beforeAll(() => canteen.set({ enabled: false, unpaidUntil: 'cutoff' }))

  test('the office still orders for today, late, and an unpaid emergency lunch stays', async () => {
    const { userId, children } = await canteen.family('late', '9', '10')
    await orderFor(userId, [stew(children[1], 1)], { payBy: 'other' })
    canteen.setClock('2026-09-14T09:00:00+02:00')
    const lines = [stew(children[0], 1)]
    const asked = { payBy: 'other' as const, note: 'No lunch box' }
    expect((await refused(orderFor(userId, lines, asked))).lines).toMatchObject([{ code: 'cutoff_passed' }])
    expect(await refused(orderFor(userId, lines, { ...asked, late: { reason: 'x ' } }))).toMatchObject({
      status: 422,
    })
    const { orders } = await orderFor(userId, lines, { ...asked, late })
    await canteen.sweepNamed('lapse-unpaid-meals')
    const pending = await clerk.call(pendingPayments, { query: { text: 'late' } })
    expect(pending.data[0]!.orders.map(({ id }) => id)).toContain(orders[0]!.id)
    const { changes } = await clerk.call(kitchenChanges, { query: { date: '2026-09-14' } })
    expect(changes.filter((change) => change.late)).toMatchObject([
      { kind: 'ordered', orderId: orders[0]!.id },
    ])
    expect((await today()).days[0]).toMatchObject({ late: 1 })
  })

  test('until the kitchen has completed one of its meals', async () => {
    const { parent, userId, children } = await canteen.family('toolate', '9', '10')
    const { orders } = await orderFor(userId, [stew(children[0], 1)], { late })
    await clerk.call(setOrderStatus, { body: { orderIds: [orders[0]!.id], status: 'completed' } })
    expect((await refused(orderFor(userId, [stew(children[1], 1)], { late }))).lines).toMatchObject([
      { code: 'cutoff_passed', message: expect.stringMatching(/^The kitchen has completed meals of today/) },
    ])
    expect(await parent.call(listOrders)).toHaveLength(1)
  })
})
