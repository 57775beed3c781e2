import { addStudent } from '#contracts/identity'
import { createPayment } from '#contracts/payments'
import { paymentMeasures } from '#modules/payments/settlement/unfinished.rows'
import { openCanteen, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const scraped = async (name: string) => {
  const page = await (await canteen.visitor().fetch('/metrics')).text()
  return page
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1)
}

test('a payment that waits for its parent is counted where a scraper looks', async () => {
  expect(await scraped('tuckshop_attempts{state="initiated"}')).toBe('0')
  const parent = await canteen.parent('mwila', { email: 'mwila@example.org' })
  const child = await parent.call(addStudent, { body: { name: 'Chipo', grade: '9' } })
  await parent.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] } })
  expect(await scraped('tuckshop_attempts{state="initiated"}')).toBe('1')
  expect(await scraped('tuckshop_attempts_paid_without_orders')).toBe('0')
})

test('money that waits for its orders for more than five minutes is an alert', async () => {
  const { database } = canteen.infrastructure
  const paidAt = new Date('2026-09-14T05:00:00Z')
  // The row as the view writes it; nothing else reads it before this test file ends.
  await database.pool.query(`update payments.attempts set status = 'paid', since_at = $1`, [paidAt])
  const waiting = (minutes: number) => {
    const now = () => new Date(paidAt.getTime() + minutes * 60_000)
    const alert = paymentMeasures({ database, now }).find(({ name }) => name.endsWith('paid_without_orders'))
    return alert!.label === undefined ? alert!.value() : 'labelled'
  }
  expect(await waiting(5)).toBe(0)
  expect(await waiting(5.01)).toBe(1)
})
