import type { TransfersNeeds } from '../needs'
import { undoVerified, verifyPending, confirmStatement, undoStatementRow } from '#contracts/transfers'
import { answeredOnce, route, withFeature, type Call, type Route } from '#platform/http/route'
import type { Acting } from './act.commands'
import { confirmStatementRows, undoRow } from './confirm-statement.commands'
import { undoByHand, verifyByHand } from './verify-by-hand.commands'

const access = withFeature('pending_payments')

export const transferRoutes = (needs: TransfersNeeds): Route[] => [
  route(verifyPending, access, (call) => verifyByHand(needs)(call.body, actingOf(call)), answeredOnce),

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
