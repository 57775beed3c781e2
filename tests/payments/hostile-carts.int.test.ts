import { addStudent, type Student } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { createPayment, updateAttempt } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'
import { logContents } from '../support/school-contents'

let canteen: Canteen
let parent: Client
let child: Student
beforeAll(async () => {
  canteen = await openCanteen()
  parent = await canteen.parent('mwila', { email: 'mwila@example.org' })
  child = await parent.call(addStudent, { body: { name: 'Chipo', grade: '9' } })
})
afterAll(() => canteen.close())

const attempts = async () =>
  (await canteen.superadminClient.call(liveOrders, { query: {} })).pagination.totalOrders
const pay = (amount: number, lines = [canteen.stewFor(child, 2)], key?: string) =>
  parent.call(createPayment, {
    body: { amount, cartItems: lines },
    headers: key ? { 'idempotency-key': key } : {},
  })

test.each([-45.5, 0, 1e308, 45.4])('an amount of %p is refused and leaves nothing behind', async (amount) => {
  expect(await refused(pay(amount))).toMatchObject({ status: 422 })
  expect(await attempts()).toBe(0)
})

test('a cart of ten thousand lines is refused before anything is looked up', async () => {
  const lines = Array.from({ length: 10_000 }, () => canteen.stewFor(child, 2))
  expect([413, 422]).toContain((await refused(pay(455_000, lines))).status)
  expect(await attempts()).toBe(0)
})

test('a key with another cart is refused, and the payment stays what it was', async () => {
  const { TransToken } = await pay(45.5, undefined, 'one-key')
  expect(
    await refused(pay(91, [canteen.stewFor(child, 3), canteen.stewFor(child, 4)], 'one-key')),
  ).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  })
  expect((await pay(45.5, undefined, 'one-key')).TransToken).toBe(TransToken)
  expect(await attempts()).toBe(1)
})

test('a browser that claims to have paid orders nothing, and its claim is kept', async () => {
  const { TransToken } = await pay(45.5, undefined, 'one-key')
  for (const transactionStatus of ['verified', 'completed'])
    await parent.call(updateAttempt, { body: { transactionId: TransToken, transactionStatus } })
  expect(await parent.call(listOrders)).toEqual([])
  const log = await logContents(canteen.infrastructure.eventStore)
  expect(log.map(({ type }) => type)).toContain('payments.customer-signalled.v1')
})
