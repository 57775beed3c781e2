import type { BodyOf } from '#contracts/endpoint'
import { undoVerified, verifyPending, confirmStatement, undoStatementRow } from '#contracts/transfers'
import { Refusal } from '#kernel/refusal'
import { answeredOnce, route, withFeature, type Call, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import { matchOpenRows } from '../statements/matches.rows'
import type { StatementRow } from '../statements/statement-row'
import { rowsByIds, rowsOfStatement, transfersOfRows } from '../statements/statement-rows.rows'
import { statementById } from '../statements/statements.rows'
import type { TransferRow } from '../transfers.view'
import { actOf, confirmTransfers, undoTransfer, type Acting } from './confirm-transfers.commands'
import { paidTogether, moneyOfRow, type RequestedTransfer } from './confirmation.decide'
import { aloneWith, undoByHand, verifyByHand } from './verify-by-hand.commands'

const access = withFeature('pending_payments')

export const transferRoutes = (needs: TransfersNeeds): Route[] => [
  route(
    verifyPending,
    access,
    (call) =>
      aloneWith(needs, [call.body.transactionId], () => verifyByHand(needs)(call.body, actingOf(call))),
    answeredOnce,
  ),

  route(undoVerified, access, (call) => undoByHand(needs)(call.body, actingOf(call)), answeredOnce),

  route(
    confirmStatement,
    access,
    (call) => confirmStatementRows(needs)(call.params.id, call.body, actingOf(call)),
    answeredOnce,
  ),

  route(undoStatementRow, access, (call) => undoRow(needs)(call.params.id, actingOf(call)), answeredOnce),
]

const actingOf = ({ user, idempotencyKey, by }: Pick<Call, 'user' | 'idempotencyKey' | 'by'>): Acting => ({
  administrator: user.userId,
  idempotencyKey,
  by,
})

type Body = BodyOf<typeof confirmStatement>
type RequestedRow = { rowId: string; orderIds: readonly string[] | null; surplusTo?: number | undefined }
type Skipped = { rowId: string; code: string; message: string }
type Outcome = { confirmed: number; skipped: Skipped[] }

/** Confirms rows, those sharing orders in one act. Skips failures. Throws `statement_not_found`. */
const confirmStatementRows =
  (needs: TransfersNeeds) =>
  async (statementId: number, body: Body, acting: Acting): Promise<Outcome> => {
    if (!(await statementById(needs.database.knex, statementId))) throw refusal('statement_not_found')
    const rows =
      'rows' in body ? { asked: body.rows, done: 0 } : await matchedRows(needs, statementId, body, acting)
    const { asked, skipped } = await askedTransfers(needs, rows.asked)
    const outcome: Outcome = { confirmed: rows.done, skipped }
    for (const group of paidTogether(asked)) {
      const ids = group.map(({ money }) => money.transferId)
      try {
        await refuseStrangers(needs, group)
        await aloneWith(
          needs,
          group.map(({ money }) => money.transactionId),
          () => confirmTransfers(needs)(group, actOf(acting, ids)),
        )
        outcome.confirmed += group.length
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { code, message } = error
        outcome.skipped.push(...ids.map((rowId) => ({ rowId, code, message })))
      }
    }
    return outcome
  }

const matchedRows = async (
  needs: TransfersNeeds,
  statementId: number,
  body: Exclude<Body, { rows: unknown }>,
  acting: Acting,
): Promise<{ asked: RequestedRow[]; done: number }> => {
  const { knex } = needs.database
  const { rows, matches } = await matchOpenRows(needs)
  const isExact = (row: StatementRow) => matches.get(row.id)?.certainty === 'exact'
  const exact = rows.filter((row) => row.statementId === statementId && isExact(row)).map(({ id }) => id)
  const known =
    'allExact' in body ? (await rowsOfStatement(knex, statementId)).map(({ id }) => id) : body.allLikely
  const done = new Set(confirmedBy(acting, await transfersOfRows(knex, known)))
  const wanted = 'allExact' in body ? exact : body.allLikely.filter((id) => !done.has(id))
  const together = wanted.flatMap((id) => [id, ...(matches.get(id)?.together ?? [])])
  const asked = [...new Set(together)].map((rowId) => ({
    rowId,
    orderIds: matches.get(rowId)?.pays.map(({ orderId }) => orderId) ?? null,
  }))
  return { asked, done: done.size }
}

const confirmedBy = (
  acting: Acting,
  transfers: ReadonlyMap<string, Pick<TransferRow, 'id' | 'confirmation_id'>>,
): string[] => {
  if (acting.idempotencyKey === null) return []
  const rows = [...transfers]
  return rows.flatMap(([rowId, { confirmation_id: confirmationId }]) => {
    const ids = rows.flatMap(([, one]) => (one.confirmation_id === confirmationId ? [one.id] : []))
    return actOf(acting, ids).confirmationId === confirmationId ? [rowId] : []
  })
}

const askedTransfers = async (
  { database }: Ports,
  asked: readonly RequestedRow[],
): Promise<{ asked: RequestedTransfer[]; skipped: Skipped[] }> => {
  const ids = [...new Set(asked.map(({ rowId }) => rowId))]
  const rows = new Map((await rowsByIds(database.knex, ids)).map((row) => [row.id, row]))
  const paid = await transfersOfRows(database.knex, ids)
  const transfers: RequestedTransfer[] = []
  const skipped: Skipped[] = []
  for (const id of ids) {
    const [{ orderIds, surplusTo }, ...more] = asked.filter(({ rowId }) => rowId === id) as [RequestedRow]
    const row = rows.get(id)
    const code = more.length > 0 ? 'row_twice' : whyNot(row, paid.get(id)?.id, orderIds)
    if (row && orderIds !== null && code === null)
      transfers.push({ money: moneyOfRow(row), orderIds, surplusTo: surplusTo ?? null })
    else skipped.push({ rowId: id, ...textOf(code ?? 'row_not_found') })
  }
  return { asked: transfers, skipped }
}

/** Money verified by hand under its transaction id has paid, whatever its transfer id. */
const whyNot = (
  row: StatementRow | undefined,
  paidAs: string | undefined,
  orderIds: RequestedRow['orderIds'],
) => {
  if (!row) return 'row_not_found'
  if (paidAs !== undefined && (paidAs !== row.id || orderIds === null)) return 'row_confirmed'
  if (row.ignored) return 'row_ignored'
  return orderIds === null ? 'no_match' : null
}

const textOf = (code: Parameters<typeof refusal>[0]) => {
  const { message } = refusal(code)
  return { code, message }
}

/** Only parents can receive credit. */
const refuseStrangers = async (
  { identity }: TransfersNeeds,
  group: readonly RequestedTransfer[],
): Promise<void> => {
  for (const { surplusTo } of group) {
    if (surplusTo === null) continue
    const person = await identity.personOf(surplusTo)
    if (!person || person.role === 'admin') throw refusal('surplus_to')
  }
}

const undoRow =
  (needs: TransfersNeeds) =>
  async (rowId: string, acting: Acting): Promise<{ message: string }> => {
    const [row] = await rowsByIds(needs.database.knex, [rowId])
    if (!row) throw refusal('row_not_found')
    const transferId = (await transfersOfRows(needs.database.knex, [rowId])).get(rowId)?.id ?? rowId
    await undoTransfer(needs)(transferId, acting)
    return { message: 'The payment is open again' }
  }
