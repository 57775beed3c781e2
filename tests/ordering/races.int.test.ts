import { createMenuItem, setArchived } from '#contracts/catalogue'
import { deactivateCycle, reactivateCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder, listOrders, placeOrders, type CartLine, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { failedOrders } from '#contracts/payments-console'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { contextsOf } from '#platform/module'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { CallRefused, type Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { everyEvent } from '../support/every-event'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { sweeping } from '../support/school'
import { silentLog } from '../support/start-postgres'
import { openCanteen, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({}, sweeping)
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

/** What each of them was answered: `ok`, or the code of the refusal (of its first line, where lines were refused). */
const outcomes = async (racing: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(racing)).map((one) => {
    if (one.status === 'fulfilled') return 'ok'
    if (!(one.reason instanceof CallRefused)) throw one.reason
    const { code, lines } = one.reason.body as { code: string; lines?: { code: string }[] }
    return lines?.[0]?.code ?? code
  })

const tally = (words: readonly string[]) => ({
  won: words.filter((word) => word === 'ok').length,
  lost: [...new Set(words.filter((word) => word !== 'ok'))].toSorted(),
})

const ordersOf = async (parent: Client) =>
  (await parent.call(listOrders, { query: { includeAll: 'true' } })) as Order[]

const family = async (username: string, grade: '3' | '9') => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  return { parent, child: await parent.call(addStudent, { body: { name: `Child of ${username}`, grade } }) }
}

const pay = (parent: Client, lines: CartLine[]) =>
  parent.call(createPayment, { body: { amount: lines.length * 45.5, cartItems: lines } })

/** Paid on the provider's page, and nobody has told us yet. */
const payOnPage = (token: string) =>
  canteen.visitor().fetch(`/sandbox/pay/${token}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'slow', card: '4111111111111111' }),
  })
const paidLater = async (parent: Client, lines: CartLine[]) => {
  const { TransToken } = await pay(parent, lines)
  await payOnPage(TransToken)
  canteen.setClock('2026-09-14T07:03:00+02:00')
  return TransToken
}
const verify = (parent: Client, transactionId: string) =>
  parent.call(verifyPayment, { params: { transactionId } })

const timesPaidBack = async (id: string): Promise<number> =>
  (await everyEvent(canteen.infrastructure.eventStore)).filter(
    ({ type, data }) =>
      type.startsWith('refunds.refund-paid-back.') && (data as { orderId: string }).orderId === id,
  ).length

test('fifty clients order for one child and day: one gets it, forty-nine are told it is ordered', async () => {
  const { parent, child } = await family('mwila', '3')
  const clients = await Promise.all(
    Array.from({ length: 50 }, () => canteen.signIn('mwila', 'parent-password')),
  )
  const racing = clients.map((client, index) =>
    client.call(placeOrders, {
      body: [canteen.porridgeFor(child, 2)],
      headers: { 'idempotency-key': `client-${index}` },
    }),
  )
  expect(tally(await outcomes(racing))).toEqual({ won: 1, lost: ['already_ordered'] })
  await eventually(async () => (await ordersOf(parent)).length === 1)
})

test('a cart is sent from two tabs with one key: both are told of the same orders', async () => {
  const { parent, child } = await family('grace', '3')
  const body = [2, 3, 4].map((day) => canteen.porridgeFor(child, day))
  const tab = () => parent.call(placeOrders, { body, headers: { 'idempotency-key': 'one-cart' } })
  const [one, other] = await Promise.all([tab(), tab()])
  expect(other).toEqual(one)
  expect(await ordersOf(parent)).toHaveLength(3)
})

test('two tabs with carts that overlap in one day: one is placed whole, the other not at all', async () => {
  const { parent, child } = await family('chola', '3')
  const tab = (...days: number[]) =>
    parent.call(placeOrders, { body: days.map((day) => canteen.porridgeFor(child, day)) })
  expect(tally(await outcomes([tab(2, 3), tab(3, 4)]))).toEqual({ won: 1, lost: ['already_ordered'] })
  expect(await ordersOf(parent)).toHaveLength(2)
})

test('two tabs pay for one child and day by card: one payment, or one and a clear no, never two', async () => {
  const { parent, child } = await family('thandiwe', '9')
  const tab = (key: string) =>
    parent.call(createPayment, {
      body: { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] },
      headers: { 'idempotency-key': key },
    })
  const { won, lost } = tally(await outcomes([tab('one'), tab('other')]))
  expect(won).toBeGreaterThan(0)
  expect(['day_reserved', 'payment_in_progress'].filter((code) => lost.includes(code))).toEqual(lost)
  const { rows } = await canteen.infrastructure.database.pool.query(
    `select count(*)::int as open from payments.attempts where status = 'initiated' and students like '%thandiwe%'`,
  )
  expect(rows).toEqual([{ open: 1 }])
})

test('cancel, complete and pay back one paid order at once: either eaten or cancelled and owed once', async () => {
  const office = canteen.superadminClient
  for (let round = 0; round < 4; round += 1) {
    canteen.setClock('2026-09-14T07:00:00+02:00')
    const { parent, child } = await family(`race${round}`, '9')
    const token = await paidLater(parent, [canteen.stewFor(child, 2)])
    expect(await verify(parent, token)).toMatchObject({ success: true })
    const [order] = await ordersOf(parent)
    const { id } = order!
    const params = { id }
    const completing = office.call(setOrderStatus, { body: { orderIds: [id], status: 'completed' } })
    const [cancelled, refundedEarly] = await outcomes([
      parent.call(cancelOrder, { params }),
      office.call(completeRefund, { params, body: { method: 'cash' } }),
    ])
    const { updated, skipped } = await completing
    const [now] = await ordersOf(parent)
    if (cancelled === 'ok') {
      expect(skipped.map(({ code }) => code)).toEqual([
        refundedEarly === 'ok' ? expect.stringMatching(/already_(cancelled|refunded)/) : 'already_cancelled',
      ])
      if (refundedEarly !== 'ok') {
        await eventually(async () => (await office.call(listRefunds)).data.some((due) => due.id === id))
        const payBack = () => office.call(completeRefund, { params, body: { method: 'cash' } })
        // Paying back what has been paid back changes nothing, so all of them are told that it is.
        expect(await outcomes([payBack(), payBack(), payBack()])).toEqual(['ok', 'ok', 'ok'])
      }
      expect((await ordersOf(parent))[0]).toMatchObject({ status: 'refunded' })
      expect(await timesPaidBack(id)).toBe(1)
    } else {
      expect([cancelled, updated, now!.status]).toEqual(['already_completed', 1, 'completed'])
      expect(refundedEarly).not.toBe('ok')
    }
  }
})

test('the cycle is closed while carts are checked out: whole orders or a clear no', async () => {
  const office = canteen.superadminClient
  const { parent } = await family('bupe', '3')
  const children = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      parent.call(addStudent, { body: { name: `Bupe ${index}`, grade: '3' } }),
    ),
  )
  const carts = children.map((child) => [2, 3].map((day) => canteen.porridgeFor(child, day)))
  const racing = carts.map((body) => parent.call(placeOrders, { body }))
  const closing = office.call(deactivateCycle, { params: { id: canteen.cycle.id } })
  const words = await outcomes(racing)
  await closing
  expect(tally(words).lost.filter((code) => code !== 'no_active_cycle')).toEqual([])
  expect(await ordersOf(parent)).toHaveLength(tally(words).won * 2)
  expect(await outcomes([parent.call(placeOrders, { body: carts[0]! })])).not.toEqual(['ok'])
  await office.call(reactivateCycle, { params: { id: canteen.cycle.id } })
})

test('the cycle is closed while a payment is under way: the money waits under Order Recovery', async () => {
  const office = canteen.superadminClient
  const { parent, child } = await family('joseph', '9')
  const { TransToken: token } = await pay(parent, [canteen.stewFor(child, 3)])
  await payOnPage(token)
  await office.call(deactivateCycle, { params: { id: canteen.cycle.id } })
  // The provider tells by itself as soon as its page has seen this time.
  canteen.setClock('2026-09-14T07:03:00+02:00')
  expect(await verify(parent, token)).toMatchObject({ success: true, attention: [expect.any(String)] })
  expect(await ordersOf(parent)).toEqual([])
  const listed = await office.call(failedOrders)
  expect(JSON.stringify(listed)).toContain('joseph')
  await office.call(reactivateCycle, { params: { id: canteen.cycle.id } })
})

test('a meal is archived while it is paid for: it is cooked as it was sold, and nobody can begin to buy it', async () => {
  const office = canteen.superadminClient
  const fields = { ...canteen.items.stew, id: undefined, name: 'Last stew' }
  const item = await office.call(createMenuItem, { body: fields })
  const { parent, child } = await family('natasha', '9')
  const line = canteen.stewFor(child, 4, { menuItemId: item.id })
  const token = await paidLater(parent, [line])
  const [verified, archived] = await Promise.all([
    verify(parent, token),
    outcomes([office.call(setArchived, { params: { id: item.id }, body: { isArchived: true } })]),
  ])
  expect([verified.success, archived]).toEqual([true, ['ok']])
  expect(await ordersOf(parent)).toMatchObject([{ dayOfWeek: 4, paymentStatus: 'confirmed' }])
  const late = await refused(pay(parent, [canteen.stewFor(child, 3, { menuItemId: item.id })]))
  expect(late).toMatchObject({ code: 'lines_refused', lines: [{ code: 'item_archived' }] })
})

test('after all of these races the books balance and the read models are what the events tell', async () => {
  const { infrastructure } = canteen
  const config = readConfig({ DATABASE_URL: canteen.databaseUrl, DATA_DIR: canteen.dataDir })
  const audit = await auditSchool(infrastructure, config, {
    log: silentLog,
    now: canteen.now,
    against: null,
    onProgress: () => undefined,
  })
  expect(audit).toMatchObject({ exitCode: 0 })
  const { rows } = await infrastructure.database.pool.query(
    `select count(*)::int as active from ordering.orders where status in ('pending', 'completed')
     group by cycle_id, student_id, week, day having count(*) > 1`,
  )
  expect(rows).toEqual([])
  const filled = ['ordering.orders', 'payments.attempts', 'audit.entries']
  const contexts = contextsOf(canteen.modules)
  await expectRebuildEqualsLive({ ...infrastructure, contexts, filled })
})
