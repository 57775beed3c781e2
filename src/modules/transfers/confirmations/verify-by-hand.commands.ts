import { v5, v7 } from 'uuid'
import type { BodyOf } from '#contracts/endpoint'
import type { undoVerified, verifyPending } from '#contracts/transfers'
import { decimalFromNgwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { schoolMoment } from '#kernel/school-time'
import type { OrderToPay } from '#modules/ordering/index'
import { loadStreams } from '#platform/event-store/command-handler'
import type { Lock, Ports } from '#platform/ports'
import type { TransferMethod } from '../events'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import type { StatementRow } from '../statements/statement-row'
import { rowsWithTransaction } from '../statements/statement-rows.rows'
import { comparedTransactionId, typedTransferId, confirmedWithTransaction } from '../transfers.view'
import { actOf, confirmTransfers, undoTransfer, type Acting, type Act } from './confirm-transfers.commands'
import {
  type RequestedTransfer,
  type IncomingMoney,
  transferDecider,
  type Confirmation,
} from './confirmation.decide'

const namespace = '9c0d4b1e-51a7-4c58-b7e2-0f6d3a8e2c95'

/**
 * A transfer per family, or one with a typed id; repeatable; skips cancelled orders. `isChecked`: `refuseUsedTransaction` saw no row of it. Throws
 * `order_not_found`, `row_confirmed`, `row_on_statement`, `already_paid` and `not_a_transaction_id`.
 */
export const verifyByHand =
  (needs: TransfersNeeds) =>
  async (
    body: BodyOf<typeof verifyPending>,
    acting: Acting,
    isChecked = false,
  ): Promise<{ message: string; updated: number }> => {
    const orders = await knownOrders(needs, body.orderIds)
    const unpaid = orders.filter(({ state }) => state === 'unpaid')
    if (body.transactionId && !isTransactionId(body.transactionId)) throw refusal('not_a_transaction_id')
    const asked = body.transactionId
      ? await askedOf(needs, body.transactionId, { orders, unpaid, isChecked, method: body.method })
      : byFamily(unpaid, acting, body.method)
    const note = body.note || null
    await confirmEach(
      needs,
      asked.map((one) => ({ ...one, money: { ...one.money, note } })),
      acting,
    )
    const gone = orders.flatMap((order) => (order.gone ? [order.gone] : []))
    const left = gone[0] ? `, ${gone.length} could not be: ${gone[0].message}` : ''
    const lost = await lostMeanwhile(needs, unpaid)
    const credit =
      lost === 0
        ? ''
        : `, ${lost === 1 ? '1 is credit: its meal was' : `${lost} are credit: their meals were`} cancelled meanwhile`
    const updated = orders.length - gone.length - lost
    return { message: `${counted(updated)} verified${left}${credit}`, updated }
  }

/** How many were paid for after all as credit: a meal may lapse between the look and the act. */
const lostMeanwhile = async (
  { ordering, now }: TransfersNeeds,
  confirmed: readonly OrderToPay[],
): Promise<number> => {
  const ids = confirmed.map(({ id }) => id)
  const after = ids.length === 0 ? [] : await ordering.ordersToPay(ids, null, now())
  return after.filter(({ gone }) => gone !== null).length
}

const counted = (payments: number) => `${payments} ${payments === 1 ? 'payment' : 'payments'}`

const knownOrders = async (
  { ordering, now }: TransfersNeeds,
  orderIds: readonly string[],
): Promise<OrderToPay[]> => {
  const wanted = [...new Set(orderIds)]
  const orders = await ordering.ordersToPay(wanted, null, now())
  const known = new Set(orders.map(({ id }) => id))
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length === 0) return orders
  const { code, message } = refusal('order_not_found')
  throw new Refusal(code, message, { extra: { orderIds: unknown } })
}

const confirmEach = async (needs: TransfersNeeds, asked: readonly RequestedTransfer[], acting: Acting) => {
  for (const one of asked) await confirmTransfers(needs)([one], actOf(acting, [one.money.transferId]))
}

const seenByHand = (
  orders: readonly OrderToPay[],
  transferId: string,
  method: TransferMethod,
): RequestedTransfer => ({
  money: {
    transferId,
    rowId: null,
    method,
    transactionId: null,
    paidAt: null,
    amount: orders.reduce((sum, { toPay }) => sum + toPay, 0),
    payer: null,
    note: null,
  },
  orderIds: orders.map(({ id }) => id),
  surplusTo: null,
})

/** Requires a digit: a name typed here would outlive its family. */
const isTransactionId = (text: string): boolean => comparedTransactionId(text) !== '' && /\p{Nd}/u.test(text)

const byFamily = (
  unpaid: readonly OrderToPay[],
  { administrator, idempotencyKey }: Acting,
  method?: TransferMethod,
): RequestedTransfer[] => {
  const request = idempotencyKey === null ? v7() : `${administrator}/${idempotencyKey}`
  return [...new Set(unpaid.map(({ userId }) => userId))].map((userId) => {
    const own = unpaid.filter((order) => order.userId === userId)
    return seenByHand(own, v5(`${request}/${userId}`, namespace), method ?? methodOf(own))
  })
}

const methodOf = (orders: readonly OrderToPay[]): TransferMethod => {
  const [way, ...others] = new Set(orders.map(({ payBy }) => payBy))
  return others.length > 0 || way === undefined || way === null || way === 'card' ? 'other' : way
}

type TypedFor = {
  orders: readonly OrderToPay[]
  unpaid: readonly OrderToPay[]
  isChecked: boolean
  method?: TransferMethod | undefined
}

/** None when it already paid exactly these orders. Throws `row_confirmed`, `row_on_statement` and `already_paid`. */
const askedOf = async (
  needs: TransfersNeeds,
  transactionId: string,
  { orders, unpaid, isChecked, method = methodOf(unpaid) }: TypedFor,
): Promise<RequestedTransfer[]> => {
  const { knex } = needs.database
  const own = typedTransferId(transactionId)
  const ids = [own, ...(await confirmedWithTransaction(knex, transactionId))]
  const hasPaidThese = orders.some(({ paidBy }) => paidBy !== null && ids.includes(paidBy))
  if (unpaid.length === 0 && hasPaidThese) return []
  const [row] = await rowsWithTransaction(knex, transactionId)
  if (await anyStands(needs, ids))
    throw row ? onStatement(needs, 'row_confirmed', row) : refusal('row_confirmed')
  if (row && !isChecked) throw onStatement(needs, 'row_on_statement', row)
  if (unpaid.length === 0 && orders.some(({ state }) => state === 'paid')) throw refusal('already_paid')
  if (unpaid.length === 0) return []
  return [withTransaction(seenByHand(unpaid, own, method), transactionId)]
}

/** For money that pays orders yet to be placed. Throws `not_a_transaction_id`, `row_confirmed` and `row_on_statement`. */
export const refuseUsedTransaction = async (needs: TransfersNeeds, transactionId: string): Promise<void> => {
  if (!isTransactionId(transactionId)) throw refusal('not_a_transaction_id')
  await askedOf(needs, transactionId, { orders: [], unpaid: [], isChecked: false })
}

/** No two acts use one transaction at once, in any process. Throws `row_confirmed` while another one does. */
export const aloneWith = async <Done>(
  { locks }: Pick<TransfersNeeds, 'locks'>,
  transactionIds: readonly (string | null | undefined)[],
  act: () => Promise<Done>,
): Promise<Done> => {
  const held: Lock[] = []
  try {
    for (const key of new Set(transactionIds.map((id) => comparedTransactionId(id ?? '')))) {
      const lock = key === '' ? undefined : await locks.tryAcquire(`transaction ${key}`)
      if (lock === null) throw refusal('row_confirmed')
      if (lock) held.push(lock)
    }
    return await act()
  } finally {
    await Promise.all(held.map(({ end }) => end()))
  }
}

const onStatement = (
  { zone }: TransfersNeeds,
  code: 'row_confirmed' | 'row_on_statement',
  { id: rowId, statementId, transactionId, amount, at, payer }: StatementRow,
): Refusal => {
  const { message } = refusal(code)
  const from = payer === null ? '' : ` from ${payer}`
  const row = `${transactionId}, K${decimalFromNgwee(amount)} of ${schoolMoment(at, zone).date}${from}`
  return new Refusal(code, `${message}: ${row}.`, { extra: { rowId, statementId } })
}

const anyStands = async ({ eventStore }: TransfersNeeds, ids: readonly string[]): Promise<boolean> =>
  (await loadStreams(eventStore, transferDecider, ids)).some(({ state }) => state.standing !== null)

const withTransaction = (asked: RequestedTransfer, transactionId: string): RequestedTransfer => ({
  ...asked,
  money: { ...asked.money, transactionId: transactionId.trim() } satisfies IncomingMoney,
})

/** The rest of their transfers stays. Throws `order_not_found`, `not_today`, `part_of_row`, `meal_eaten`, `refunded`, `credit_spent`. */
export const undoByHand =
  (needs: TransfersNeeds) =>
  async (
    body: BodyOf<typeof undoVerified>,
    acting: Acting,
  ): Promise<{ message: string; updated: number }> => {
    const orders = await knownOrders(needs, body.orderIds)
    const ids = [...new Set(orders.flatMap(({ paidBy }) => paidBy ?? []))]
    const transfers = await loadStreams(needs.eventStore, transferDecider, ids)
    const named = new Set(orders.map(({ id }) => id))
    const standing = transfers.flatMap(({ state }) => state.standing ?? [])
    for (const one of standing) refuseTakingBack(needs, one, named)
    for (const { transferId } of standing) {
      const act = actOf(acting, [transferId, 'undone'])
      await undoTransfer(needs)(transferId, act, (now) => restOf(now, named, act))
    }
    const updated = orders.filter(({ paidBy }) => paidBy !== null).length
    return { message: `${counted(updated)} taken back`, updated }
  }

const refuseTakingBack = (
  { now, zone }: Ports,
  confirmation: Confirmation,
  named: ReadonlySet<string>,
): void => {
  const dayOf = (at: Date) => schoolMoment(at, zone).date
  if (dayOf(new Date(confirmation.at)) !== dayOf(now())) throw refusal('not_today')
  const isPart = confirmation.families.some(({ orders }) => orders.some(({ orderId }) => !named.has(orderId)))
  if (isPart && confirmation.rowId !== null) throw refusal('part_of_row')
}

const restOf = (
  { at: _at, ...standing }: Confirmation,
  named: ReadonlySet<string>,
  { confirmationId }: Pick<Act, 'confirmationId'>,
): Omit<Confirmation, 'at'> | null => {
  const families = standing.families.flatMap((family) => {
    const orders = family.orders.filter(({ orderId }) => !named.has(orderId))
    return orders.length > 0 ? [{ ...family, orders, surplus: 0 }] : []
  })
  const amount = families.flatMap(({ orders }) => orders).reduce((sum, order) => sum + order.amount, 0)
  return families.length === 0 ? null : { ...standing, confirmationId, amount, families }
}
