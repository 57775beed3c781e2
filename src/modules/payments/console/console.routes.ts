import type { Pool } from 'pg'
import {
  acceptMismatch,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
} from '#contracts/payments-console'
import type { Position } from '#platform/event-store/event-store'
import { route, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { recoveryError } from './labels'
import { liveReply } from '../card/replies'
import { attemptNamed } from '../attempt/attempts.rows'
import type { CardCommands } from '../card/card.commands'
import type { AttemptNow, Author } from '../checkout/complete-checkout.commands'
import { liveOrdersPage } from './live-orders.commands'
import type { LiveNeeds } from './live-orders.commands'
import { namedReplies } from './named-replies.commands'
import type { Standing } from '../attempt/payment-attempt'
import { amendmentsOf } from './recovery-amendments'
import { refusal } from '../refusals'
import { recoveryOutcome } from './recovery-outcome'

export type ConsoleNeeds = LiveNeeds & {
  database: { pool: Pool }
  waitForViews: (position: Position) => Promise<void>
  /** Ends a checkout that costs nothing. */
  completeFree: (attemptId: string, by: Omit<Author, 'at'>) => Promise<AttemptNow>
}

const pageSize = 50

/** Live Orders, and what is done about failed attempts (payments.md sections 6 and 7). */
export const consoleRoutes = (commands: CardCommands, needs: ConsoleNeeds): Route[] => {
  const { pool } = needs.database

  const attemptOf = async (id: string): Promise<Standing> => {
    const row = await attemptNamed(pool, id)
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
        data: await namedReplies(rows, needs.usernames, liveReply),
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
        await passed(await commands.abandon(checkout.attemptId, by))
      else if (body.status === 'Orders created successfully' && checkout.total === 0)
        await passed(await needs.completeFree(checkout.attemptId, by))
      else throw refusal('unknown_status')
      return { message: 'Status updated' }
    }),

    route(
      retryAttempt,
      withFeature('live_orders', 'order_recovery'),
      async ({ params, body, actor, correlationId }) => {
        const attempt = await attemptOf(params.id)
        const amendments = amendmentsOf(attempt, body?.cartItems ?? [])
        const retried = await commands.retry(attempt.checkout.attemptId, amendments, { actor, correlationId })
        await passed(retried)
        return recoveryOutcome(retried.attempt, retried.verdict)
      },
    ),

    route(acceptMismatch, withFeature('order_recovery'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.id)
      const accepted = await commands.accept(checkout.attemptId, body.reason, { actor, correlationId })
      await passed(accepted)
      return recoveryOutcome(accepted.attempt)
    }),

    route(waiveRemainder, withFeature('order_recovery'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.id)
      const waived = await commands.waive(checkout.attemptId, body.reason, { actor, correlationId })
      await passed(waived)
      return { message: recoveryError(waived.attempt) ?? 'Nothing is owed back' }
    }),
  ]
}
