import { undoVerified, verifyPending } from '#contracts/pending-payments'
import { confirmStatement, undoStatementRow } from '#contracts/statements'
import { route, withFeature, type Route } from '#platform/http/route'
import type { Acting } from './act.commands'
import { confirmStatementRows, undoRow, type ConfirmStatementNeeds } from './confirm-statement.commands'
import { undoByHand, verifyByHand, type ByHandNeeds } from './verify-by-hand.commands'

/** Confirming what was paid outside of the card provider, and undoing it. */
export const transferRoutes = (needs: ByHandNeeds & ConfirmStatementNeeds): Route[] => [
  route(verifyPending, withFeature('pending_payments'), (call) =>
    verifyByHand(needs)(call.body, actingOf(call)),
  ),

  route(undoVerified, withFeature('pending_payments'), (call) =>
    undoByHand(needs)(call.body, actingOf(call)),
  ),

  route(confirmStatement, withFeature('pending_payments'), (call) =>
    confirmStatementRows(needs)(call.params.id, call.body, actingOf(call)),
  ),

  route(undoStatementRow, withFeature('pending_payments'), (call) =>
    undoRow(needs)(call.params.id, actingOf(call)),
  ),
]

type Call = { user: { userId: number }; idempotencyKey: string | null; actor: string; correlationId: string }

const actingOf = ({ user, idempotencyKey, actor, correlationId }: Call): Acting => ({
  administrator: user.userId,
  idempotencyKey,
  by: { actor, correlationId },
})
