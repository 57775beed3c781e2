import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeDays } from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import { addStudent } from '#contracts/identity'
import { cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { liveOrders, waiveRemainder } from '#contracts/payments-console'
import { completeRefund, listRefunds } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { place } from '../ordering/canteen'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { writtenTo } from '../support/mails'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, { forgetsJobs: true, sweepEveryMs: 100 })
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const pool = () => canteen.infrastructure.database.pool
const office = () => canteen.superadminClient
const later = () => canteen.setClock('2026-09-14T07:05:00+02:00')

/** All sweeps, some rounds more: what has happened once must not happen again. */
const sweepAgain = async () => {
  for (let round = 0; round < 3; round += 1) await canteen.sweep()
}

/** Waits until the family has its one message of this subject, and looks that there is never a second one. */
const toldOnce = async (userId: number, subject: string) => {
  later()
  await eventually(async () => (await writtenTo(pool(), userId, subject)) > 0, 20_000)
  await sweepAgain()
  expect(await writtenTo(pool(), userId, subject)).toBe(1)
}

/** Stew on these days, paid or not on the provider's page; `tag`: what the provider is to say of it. */
const byCard = async (username: string, days: number[], tag: string | null, meanwhile = async () => {}) => {
  const { parent, children, userId } = await canteen.payingFamily(username, '9')
  const cartItems = days.map((day) => canteen.stewFor(children[0]!, day))
  await canteen.set({ enabled: false })
  const { TransToken } = await parent.call(createPayment, {
    body: { amount: days.length * 45.5, cartItems },
  })
  await canteen.set({ enabled: true })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=slow&card=4111111111111111',
  })
  if (tag !== null)
    await pool().query(
      `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', to_jsonb($2::text))
       where token = $1`,
      [TransToken, tag],
    )
  await meanwhile()
  canteen.setClock('2026-09-14T07:03:00+02:00')
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  return { parent, userId, TransToken }
}

const block = (day: number) =>
  pool().query('insert into cycles.blocked_days values ($1, 1, $2)', [canteen.cycle.id, day])
const unblock = (day: number) =>
  pool().query('delete from cycles.blocked_days where week = 1 and day = $1', [day])

const live = async (transactionId: string) =>
  (await office().call(liveOrders, { query: { transactionId } })).data[0]!
const due = async (id: string) =>
  (await office().call(listRefunds, { query: {} })).data.find((one) => one.id === id)
const eventsIn = async (stream: string) =>
  ((await canteen.infrastructure.eventStore.read([stream])).get(stream) ?? []).map(({ type }) => type)

test('a line that was given up is owed back, and the attempt knows once it was paid back', async () => {
  const { TransToken, userId } = await byCard('grace', [2, 3], null, async () => void (await block(3)))
  await unblock(3)
  const { id } = await live(TransToken)
  await office().call(waiveRemainder, { params: { id }, body: { reason: 'School closed' } })
  const refundId = `${id}.1`
  expect(await eventually(async () => (await due(refundId)) ?? false)).toMatchObject({ amount: 45.5 })
  await office().call(completeRefund, { params: { id: refundId }, body: { amount: 20 } })
  await office().call(completeRefund, { params: { id: refundId } })
  await eventually(async () => (await live(TransToken)).state === 'fulfilled')
  await sweepAgain()
  expect((await eventsIn(`refund-${refundId}`)).filter((type) => type.includes('refund-due'))).toHaveLength(1)
  const recorded = (await eventsIn(`paymentAttempt-${id}`)).filter((type) => type.includes('refund-recorded'))
  expect(recorded).toHaveLength(2)
  later()
  await eventually(async () => (await writtenTo(pool(), userId, 'Money was paid back to you')) === 2)
  await sweepAgain()
  expect(await writtenTo(pool(), userId, 'Money was paid back to you')).toBe(2)
})

test('a paid order that was cancelled is owed back, and the family is told when it was paid back', async () => {
  const { parent, children, userId } = await canteen.payingFamily('mwila', '9')
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
  await canteen.verify([orders[0]!.id])
  await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
  await eventually(async () => (await due(orders[0]!.id)) ?? false)
  await office().call(completeRefund, { params: { id: orders[0]!.id } })
  await toldOnce(userId, 'Money was paid back to you')
})

test('a closed day is cancelled, becomes credit, and the family is told', async () => {
  const { parent, children, userId } = await canteen.payingFamily('ruth', '9')
  const line = canteen.stewFor(children[0]!, 4, { weekNumber: 2 })
  const { orders } = await order(parent, [line])
  await canteen.verify([orders[0]!.id])
  await office().call(closeDays, {
    params: { id: canteen.cycle.id },
    body: { dates: ['2026-09-24'], reason: 'Holiday', remedy: 'credit' },
  })
  await eventually(async () => (await parent.call(getCredit)).balance === 45.5)
  await toldOnce(userId, 'Cancelled, ')
})

test('a card payment is confirmed by one message, with its receipt', async () => {
  const { userId } = await byCard('natasha', [2], null)
  await toldOnce(userId, 'Ordered')
  const { rows } = await pool().query<{ text: string }>(
    `select text from messaging.mail_outbox where "userId" = $1 and subject like 'Ordered%'`,
    [userId],
  )
  expect(rows[0]!.text).toMatch(/Receipt 2026-\d{6}: /)
})

test('a declined card payment is told of once', async () => {
  const { userId } = await byCard('chola', [2], 'CODE901')
  await toldOnce(userId, 'Not ordered')
})

test('meals that were paid for and could not be ordered are told of once', async () => {
  const { userId } = await byCard('kelvin', [3], null, async () => void (await block(3)))
  await unblock(3)
  await toldOnce(userId, 'Paid, but not ordered')
})

test('a free checkout is confirmed by one message', async () => {
  const { parent, children, userId } = await canteen.payingFamily('rose', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')
  await toldOnce(userId, 'Ordered')
})

test('how to pay is told once, and so is the receipt of what was paid', async () => {
  const { parent, children, userId } = await canteen.payingFamily('esther', '9')
  const { orders, payment } = await order(parent, [canteen.stewFor(children[0]!, 2)])
  await toldOnce(userId, `How to pay (${payment!.reference})`)
  await canteen.verify([orders[0]!.id])
  canteen.setClock('2026-09-14T07:10:00+02:00')
  await eventually(async () => (await writtenTo(pool(), userId, 'Paid')) > 0, 20_000)
  await sweepAgain()
  expect(await writtenTo(pool(), userId, 'Paid')).toBe(1)
})

test('a family that nothing reaches is looked at once and then left alone', async () => {
  const parent = await canteen.parent('silent')
  const child = await parent.call(addStudent, { body: { name: 'Silent child', grade: '3' } })
  await place(parent as Client, [canteen.porridgeFor(child, 2)], 'key')
  expect((await parent.call(listOrders)) as Order[]).toHaveLength(1)
  later()
  await eventually(async () => {
    const { rows } = await pool().query<{ waiting: number }>(
      `select count(*)::int as waiting from payments.letters l
       where not exists (select from payments.letters_written w where w.id = l.id::text)`,
    )
    return rows[0]!.waiting === 0
  })
})

test('the operations page names every job and reactor, each with sweeps that are there', () => {
  const { modules } = canteen
  const page = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8')
  const table = page.split('| Job | Asked for by | Found again by the sweep |')[1]!.split('\n\n')[0]!
  const [named, asked, found] = [1, 2, 3].map((cell) =>
    table
      .split('\n')
      .slice(2)
      .flatMap((row) => row.split('|')[cell]!.match(/`[a-z-]+`/g) ?? [])
      .map((name) => name.slice(1, -1)),
  ) as [string[], string[], string[]]
  const jobs = modules.flatMap((module) => module.jobs.map(({ job }) => job.name))
  expect(named.toSorted()).toEqual([...jobs, 'remove-old-rows'].toSorted())
  const reactors = modules.flatMap((module) => module.reactors.map(({ name }) => name))
  expect([...new Set(asked)].toSorted()).toEqual(reactors.toSorted())
  const sweeps = modules.flatMap((module) => module.sweeps.map(({ name }) => name))
  expect([...sweeps, 'remove-old-rows']).toEqual(expect.arrayContaining(found))
  expect(sweeps.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
