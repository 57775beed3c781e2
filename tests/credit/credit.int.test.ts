import { deleteParent } from '#contracts/accounts'
import { getCredit, getParentCredit, giveCredit } from '#contracts/credit'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder, listOrders, placeOrders, type CartLine, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { payOutCredit, completeRefunds, listRefunds, refundToCredit } from '#contracts/refunds'
import { isWrong } from '#modules/audit/checks/audit-report'
import { balancesOf, creditFaults, creditTotals } from '#modules/audit/checks/balance.decide'
import { journalSums } from '#modules/audit/checks/journal-sums'
import { contextsOf } from '#platform/module'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { everyEvent } from '../support/every-event'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'

let canteen: Canteen
let bursar: Client
beforeAll(async () => {
  canteen = await openCanteen()
  bursar = await canteen.administrator('bursar', 'refunds')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const keyed = (key: string) => ({ 'idempotency-key': key })
const family = (username: string) => canteen.payingFamily(username, '9')
const give = (id: number, amount: number, key: string, reason = 'For the long wait') =>
  bursar.call(giveCredit, { params: { id }, body: { amount, reason }, headers: keyed(key) })
const balanceOf = async (client: Client) => (await client.call(getCredit)).balance

/** What the customer does on the provider's page. */
const payOnPage = (token: string) =>
  canteen.visitor().fetch(`/sandbox/pay/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }).toString(),
  })

const payByCard = async (parent: Client, cartItems: CartLine[], useCredit: boolean) => {
  const amount = cartItems.length * 45.5
  const { TransToken } = await parent.call(createPayment, { body: { amount, cartItems, useCredit } })
  await payOnPage(TransToken)
  expect(await parent.call(verifyPayment, { params: { transactionId: TransToken } })).toMatchObject({
    success: true,
  })
  return ((await parent.call(listOrders)) as Order[]).filter(({ status }) => status === 'pending')
}

test('the office gives and pays out, once for one request, and the family sees it', async () => {
  const { parent, userId } = await family('mwila')
  expect(await parent.call(getCredit)).toEqual({ balance: 0, held: 0, entries: [] })
  const first = await give(userId, 12.5, 'g1')
  expect(await give(userId, 12.5, 'g1')).toEqual(first)
  expect(await refused(give(userId, 13, 'g1'))).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  })
  const payout = (amount: number, key: string) =>
    bursar.call(payOutCredit, {
      params: { id: userId },
      body: { amount, method: 'cash', reference: 'box 1' },
      headers: keyed(key),
    })
  expect(await refused(payout(5e-324, 'p0'))).toMatchObject({ status: 422, code: 'validation_failed' })
  expect(await refused(payout(12.51, 'p0'))).toMatchObject({ status: 422, code: 'payout_exceeds_balance' })
  await payout(2.5, 'p1')
  await payout(2.5, 'p1')
  expect(await parent.call(getCredit)).toEqual({
    balance: 10,
    held: 0,
    entries: [
      {
        at: '2026-09-14T05:00:00.000Z',
        kind: 'paidOut',
        amount: -2.5,
        balanceAfter: 10,
        about: { reference: 'box 1' },
        text: 'Paid out (cash)',
      },
      {
        at: '2026-09-14T05:00:00.000Z',
        kind: 'gift',
        amount: 12.5,
        balanceAfter: 12.5,
        about: {},
        text: 'For the long wait',
      },
    ],
  })
  expect(await bursar.call(getParentCredit, { params: { id: userId } })).toEqual(await parent.call(getCredit))
  expect(await refused(give(999_999, 1, 'g2'))).toMatchObject({ status: 404, code: 'parent_not_found' })
  const stranger = await canteen.administrator('cook', 'kitchen')
  expect(await refused(stranger.call(getParentCredit, { params: { id: userId } }))).toMatchObject({
    status: 403,
  })
})

test('a cart that credit covers is ordered without a payment; cancelled, it comes back as credit', async () => {
  const { parent, userId, children } = await family('natasha')
  await give(userId, 91, 'n1')
  const cartItems = [canteen.stewFor(children[0]!, 2), canteen.stewFor(children[0]!, 3)]
  const create = parent.call(createPayment, { body: { amount: 91, cartItems, useCredit: true } })
  expect(await refused(create)).toMatchObject({ status: 409, code: 'credit_covers' })
  const body = { cartItems, useCredit: true }
  const { orders, payment } = await parent.call(placeOrders, { body, headers: keyed('c1') })
  expect(payment).toBeNull()
  expect(orders.map(({ paymentStatus }) => paymentStatus)).toEqual(['confirmed', 'confirmed'])
  expect(await balanceOf(parent)).toBe(0)
  await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
  await eventually(async () => (await balanceOf(parent)) === 45.5)
  expect((await bursar.call(listRefunds)).data.map(({ id }) => id)).not.toContain(orders[0]!.id)
  await canteen.superadminClient.call(setOrderStatus, {
    body: { orderIds: [orders[0]!.id], status: 'pending' },
  })
  expect(await balanceOf(parent)).toBe(0)
})

test('a card pays what credit does not; cancelled, each goes back as it was paid', async () => {
  const { parent, userId, children } = await family('kelvin')
  await give(userId, 20, 'k1')
  const [order] = await payByCard(parent, [canteen.stewFor(children[0]!, 2)], true)
  expect(await balanceOf(parent)).toBe(0)
  await parent.call(cancelOrder, { params: { id: order!.id } })
  await eventually(async () => (await balanceOf(parent)) === 20)
  const due = await eventually(
    async () => (await bursar.call(listRefunds)).data.find(({ id }) => id === order!.id) ?? false,
  )
  expect(due.amount).toBe(25.5)
  const turn = () => bursar.call(refundToCredit, { params: { id: due.id }, headers: keyed('turn') })
  const turned = await turn()
  expect(turned).toMatchObject({ status: 'refunded', amount: 25.5 })
  expect(await turn()).toEqual(turned)
  expect(await balanceOf(parent)).toBe(45.5)
})

test('what an open payment holds is told beside the balance until the payment ends', async () => {
  const { parent, userId, children } = await family('nalukui')
  await give(userId, 20, 'h1')
  const told = async () => {
    const { balance, held } = await parent.call(getCredit)
    return [balance, held]
  }
  const cartItems = [canteen.stewFor(children[0]!, 2)]
  const { TransToken } = await parent.call(createPayment, {
    body: { amount: 45.5, cartItems, useCredit: true },
  })
  expect(await told()).toEqual([0, 20])
  expect(await bursar.call(getParentCredit, { params: { id: userId } })).toMatchObject({ held: 20 })
  await payOnPage(TransToken)
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  await eventually(async () => (await told()).join() === '0,0')
})

test('many refunds are completed at once, those that cannot be are named', async () => {
  const { parent, children } = await family('grace')
  const orders = await payByCard(
    parent,
    [canteen.stewFor(children[0]!, 2), canteen.stewFor(children[0]!, 3)],
    false,
  )
  for (const { id } of orders) await parent.call(cancelOrder, { params: { id } })
  const ids = orders.map(({ id }) => id)
  await eventually(
    async () => (await bursar.call(listRefunds)).data.filter(({ id }) => ids.includes(id)).length === 2,
  )
  const body = { ids: [...ids, 'nobody'], method: 'mobile_money' as const, reference: 'MM-1', note: null }
  const complete = (more: object = {}) =>
    bursar.call(completeRefunds, { body: { ...body, ...more }, headers: keyed('many') })
  const done = await complete()
  expect(done).toEqual({
    completed: 2,
    amount: 91,
    skipped: [{ id: 'nobody', code: 'refund_not_found', message: 'Refund not found' }],
  })
  expect(await complete()).toEqual(done)
  const reused = { status: 409, code: 'idempotency_key_reused' }
  expect(await refused(complete({ reference: 'MM-2' }))).toMatchObject(reused)
  expect(await refused(complete({ ids: ids.slice(0, 1) }))).toMatchObject(reused)
  expect(await refused(complete({ ids: ['somebody'], method: 'cash' }))).toMatchObject(reused)
  const again = await bursar.call(completeRefunds, { body: { ids: ids.slice(0, 1), method: 'cash' } })
  expect(again).toMatchObject({ completed: 0, amount: 0, skipped: [{ code: 'refund_paid_back' }] })
})

test('a family that is deleted gives up its credit and what it is owed', async () => {
  const { parent, userId, children } = await family('mutinta')
  const orders = await payByCard(parent, [canteen.stewFor(children[0]!, 2)], false)
  await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
  const due = async () => (await bursar.call(listRefunds)).data.some(({ id }) => id === orders[0]!.id)
  await eventually(due)
  await give(userId, 5, 'm1')
  const remove = (giveUp?: string) =>
    canteen.superadminClient.call(deleteParent, { params: { id: userId }, query: { force: 'true', giveUp } })
  expect(await refused(remove())).toMatchObject({ code: 'credit_left', creditBalance: 5, owed: 45.5 })
  await remove('mutinta')
  expect(await due()).toBe(false)
  const { rows } = await canteen.infrastructure.database.pool.query(
    'select balance, (select text from credit.entries e where e.user_id = a.user_id and kind = $2) from credit.accounts a where user_id = $1',
    [userId, 'gift'],
  )
  expect(rows).toEqual([{ balance: 0, text: '[deleted]' }])
})

test('what the school writes to a family about its credit is sealed in the events', async () => {
  const { userId } = await family('luyando')
  await give(userId, 1, 'l1', 'Sorry for Chipo')
  const told = JSON.stringify(await everyEvent(canteen.infrastructure.eventStore))
  expect(told).not.toMatch(/Sorry for Chipo/)
})

test('four checkouts at once spend the credit once', async () => {
  const { parent, userId, children } = await family('joseph')
  await give(userId, 45.5, 'j1')
  const placing = [1, 2, 3, 4].map((week) =>
    parent.call(placeOrders, {
      body: { cartItems: [canteen.stewFor(children[0]!, 4, { weekNumber: week })], useCredit: true },
      headers: keyed(`w${week}`),
    }),
  )
  const settled = await Promise.allSettled(placing)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await balanceOf(parent)).toBe(0)
})

test('the books of all that balance, to the ngwee', async () => {
  const { add, sums } = journalSums()
  add(await everyEvent(canteen.infrastructure.eventStore))
  expect(balancesOf(sums, canteen.now()).filter(isWrong)).toEqual([])
  expect(creditFaults(sums.accounts.values())).toEqual([])
  const { given, paid_out: paidOut } = creditTotals(sums.accounts.values())
  expect(given).toBeGreaterThan(paidOut)
  expect(paidOut).toBeGreaterThan(0)
})

test('the read models of it can be made again', async () => {
  const filled = ['accounts', 'entries', 'given', 'checkouts', 'refunds_as_credit'].map(
    (table) => `credit.${table}`,
  )
  await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts: contextsOf(canteen.modules), filled })
})
