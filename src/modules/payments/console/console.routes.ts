import {
  acceptMismatch,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
} from '#contracts/payments-console'
import type { Position } from '#platform/event-store/event-store'
import { route, withFeature, type Route } from '#platform/http/route'
import { attemptNamed } from '../attempt/attempts.rows'
import type { StartedAttempt } from '../attempt/payment-attempt'
import { completeCheckout } from '../checkout/free-checkout.commands'
import type { PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'
import type { VerifyAndSettle } from '../settlement/settle.commands'
import { liveReply, namedReplies } from './console-replies'
import { recoveryError } from './labels'
import { liveOrdersPage } from './live-orders.commands'
import { amendmentsOf } from './recovery-amendments'
import { recoveryOutcome } from './recovery-outcome'
import { abandon, accept, retry, waive } from './recovery.commands'

const pageSize = 50

/** Live Orders, and what is done about failed attempts (payments.md sections 6 and 7). */
export const consoleRoutes = (all: PaymentsNeeds, settle: VerifyAndSettle): Route[] => {
  const needs = { ...all, settle }
  const { knex } = needs.database

  const attemptOf = async (id: string): Promise<StartedAttempt> => {
    const row = await attemptNamed(knex, id)
    if (!row || row.attempt.status === 'none') throw refusal('attempt_not_found')
    return row.attempt
  }

  const passed = async ({ position }: { position: Position | null }) => {
    if (position !== null) await needs.waitForViews(position)
  }

  return [
    route(liveOrders, withFeature('live_orders'), async ({ query }) => {
      const page = Math.max(1, query.page ?? 1)
      const limit = query.limit ?? pageSize
      const { rows, total } = await liveOrdersPage(needs, query, { offset: (page - 1) * limit, limit })
      const totalPages = Math.ceil(total / limit)
      return {
        data: await namedReplies(rows, needs.identity.usernamesOf, liveReply),
        pagination: {
          page,
          totalOrders: total,
          totalPages,
          hasPreviousPage: page > 1,
          hasNextPage: page < totalPages,
        },
      }
    }),

    route(setAttemptStatus, withFeature('live_orders'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.transactionId)
      const by = { actor, correlationId }
      if (body.status === 'Payment Abandoned' && checkout.kind === 'card')
        await passed(await abandon(needs)(checkout.attemptId, by))
      else if (body.status === 'Orders created successfully' && checkout.kind === 'free')
        await passed(await completeCheckout(needs)(checkout.attemptId, by))
      else throw refusal('unknown_status')
      return { message: 'Status updated' }
    }),

    route(
      retryAttempt,
      withFeature('live_orders', 'order_recovery'),
      async ({ params, body, actor, correlationId }) => {
        const attempt = await attemptOf(params.id)
        const amendments = amendmentsOf(attempt, body?.cartItems ?? [])
        const retried = await retry(needs)(attempt.checkout.attemptId, amendments, { actor, correlationId })
        await passed(retried)
        return recoveryOutcome(retried.attempt, retried.verdict)
      },
    ),

    route(acceptMismatch, withFeature('order_recovery'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.id)
      const accepted = await accept(needs)(checkout.attemptId, body.reason, { actor, correlationId })
      await passed(accepted)
      return recoveryOutcome(accepted.attempt)
    }),

    route(waiveRemainder, withFeature('order_recovery'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.id)
      const waived = await waive(needs)(checkout.attemptId, body.reason, { actor, correlationId })
      await passed(waived)
      return { message: recoveryError(waived.attempt) ?? 'Nothing is owed back' }
    }),
  ]
}
