import { screen, within } from '@testing-library/react'
import {
  approvePayout,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  completeRefund,
  refundToCard,
  withdrawRefund,
} from '#contracts/refunds'
import { giveCredit } from '#contracts/credit'
import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import type { Endpoint } from '#contracts/endpoint'
import { cancelOrder, listOrders, setAbsence } from '#contracts/ordering'
import { acceptMismatch, retryAttempt, setAttemptStatus, waiveRemainder } from '#contracts/payments-console'
import {
  undoVerified,
  verifyPending,
  confirmStatement,
  ignoreStatementRow,
  undoStatementRow,
  unignoreStatementRow,
} from '#contracts/transfers'
import { call, type CallInput } from '../../web/lib/call'
import { FakeRefusal, refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { order, parent } from './sample-family'

let server: FakeServer
let keys: (string | null)[]
beforeEach(() => {
  server = freshPortal()
  keys = []
  const network = globalThis.fetch
  globalThis.fetch = async (address, init) => {
    if (init?.method !== 'GET') keys.push(new Headers(init?.headers).get('Idempotency-Key'))
    return network(address, init)
  }
})

const aKey = expect.stringMatching(/^[0-9a-f]{32}$/)
const brokenProxy = () => {
  throw new FakeRefusal(502, null)
}
const noNetwork = () => {
  throw new TypeError('no network')
}
const refused = () => refusal(409, 'order_closed', 'This order is closed')

const send = async (endpoint: Endpoint, input: object, answer: () => never) => {
  server.on(endpoint, answer)
  await call(endpoint, input as CallInput<Endpoint>).catch(() => undefined)
}
const uuid = '019a0000-0000-7000-8000-000000000000'
const thisOne = { params: { id: '7' } }
const byUuid = { params: { id: uuid } }
const orderIds = ['1.2026-09-21.1']

const acts: [string, Endpoint, object][] = [
  ['cancels an order', cancelOrder, thisOne],
  ['says that a child is ill', setAbsence, { ...thisOne, body: { absent: true } }],
  ['gives orders a status', setOrderStatus, { body: { orderIds, status: 'completed' } }],
  ['undoes a status', undoOrderStatus, { body: { batchId: uuid } }],
  ['gives credit', giveCredit, { ...thisOne, body: { amount: 20, reason: 'The oven broke' } }],
  ['pays credit out', payOutCredit, { ...thisOne, body: { amount: 20, method: 'manual' } }],
  ['approves a payout', approvePayout, byUuid],
  ['withdraws a payout', withdrawPayout, byUuid],
  ['approves a refund', approveRefund, thisOne],
  ['withdraws a refund', withdrawRefund, thisOne],
  ['completes a refund', completeRefund, { ...thisOne, body: { method: 'manual' } }],
  ['pays a card back', refundToCard, thisOne],
  ['marks orders paid', verifyPending, { body: { orderIds } }],
  ['takes back that orders are paid', undoVerified, { body: { orderIds } }],
  ['confirms rows of a statement', confirmStatement, { ...thisOne, body: { allExact: true } }],
  ['undoes a row', undoStatementRow, byUuid],
  ['ignores a row', ignoreStatementRow, byUuid],
  ['takes a row up again', unignoreStatementRow, byUuid],
  ['sets the status of a payment', setAttemptStatus, { ...thisOne, body: { status: 'failed' } }],
  ['retries a payment', retryAttempt, thisOne],
  ['accepts another amount', acceptMismatch, { ...thisOne, body: { reason: 'The bank says so' } }],
  ['waives what is missing', waiveRemainder, { ...thisOne, body: { reason: 'The bank says so' } }],
]

describe.each(acts)('what %s', (_what, endpoint, input) => {
  test('keeps its key until it is answered, and has another one afterwards', async () => {
    await send(endpoint, input, brokenProxy)
    await send(endpoint, input, noNetwork)
    await send(endpoint, input, refused)
    await send(endpoint, input, refused)
    const [first, , , next] = keys
    expect(keys).toEqual([aKey, first, first, aKey])
    expect(next).not.toBe(first)
  })
})

test('the same act on something else has a key of its own, and takes no other key away', async () => {
  await send(cancelOrder, { params: { id: 'a' } }, noNetwork)
  await send(cancelOrder, { params: { id: 'b' } }, refused)
  await send(cancelOrder, { params: { id: 'a' } }, refused)
  expect(keys[1]).not.toBe(keys[0])
  expect(keys[2]).toBe(keys[0])
})

test('something else asked of the same address has a key of its own', async () => {
  await send(setAbsence, { ...thisOne, body: { absent: true } }, noNetwork)
  await send(setAbsence, { ...thisOne, body: { absent: false } }, noNetwork)
  await send(setAbsence, { ...thisOne, body: { absent: true } }, noNetwork)
  expect(new Set(keys).size).toBe(3)
})

test('after another act was answered, the same act is another press', async () => {
  await send(verifyPending, { body: { orderIds } }, noNetwork)
  await send(undoVerified, { body: { orderIds } }, refused)
  await send(verifyPending, { body: { orderIds } }, refused)
  expect(new Set(keys).size).toBe(3)
})

test('a family that presses again after a lost answer cancels under the same key', async () => {
  const ordered = order({ allowed: { cancel: true, cancelForMs: 60_000 } })
  server.on(listOrders, [ordered])
  server.on(cancelOrder, noNetwork)
  const hands = openPortal('/?tab=orders', parent)
  await press(hands, 'Cancel Order')
  const question = within(await screen.findByRole('dialog'))
  const confirm = async () => hands.click(question.getByRole('button', { name: 'Cancel Order' }))
  await confirm()
  expect(
    await screen.findByText('No answer came. Please check your connection and try again.'),
  ).toBeInTheDocument()
  server.on(cancelOrder, { ...ordered, status: 'cancelled', allowed: { ...ordered.allowed, cancel: false } })
  await confirm()
  expect(await screen.findByText('Order cancelled')).toBeInTheDocument()
  expect(keys).toEqual([aKey, keys[0]])
})
