import type { Pool } from 'pg'
import {
  acceptMismatch,
  failedOrders,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
} from '#contracts/payments-console'
import type { Now } from '#platform/clock'
import type { Position } from '#platform/event-store/event-store'
import { route, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { recoveryError } from './attempt-labels'
import { attemptsToRecover, liveAttempts, pageSize } from './attempt-lists.rows'
import { failedReply, liveReply } from './attempt-replies'
import { attemptNamed } from './attempts.rows'
import type { AttemptRow } from './attempts.view'
import type { CardCommands } from './card.commands'
import type { AttemptNow, Author } from './complete-checkout.commands'
import type { Standing } from './payment-attempt'
import { amendmentsOf } from './recovery-amendments'
import { refusal } from './refusals'

export type ConsoleNeeds = {
  database: { pool: Pool }
  now: Now
  zone: string
  viewsPassed: (position: Position) => Promise<void>
  usernames: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** The users whose username contains this text, without regard to case. */
  usersNamed: (text: string) => Promise<number[]>
  /** The children on each of these accounts. */
  studentsOfUsers: (
    userIds: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly { id: number; name: string; grade: string }[]>>
  /** Ends a checkout that costs nothing. */
  completeFree: (attemptId: string, by: Omit<Author, 'at'>) => Promise<AttemptNow>
}

/** Live Orders and Order Recovery (payments.md sections 6 and 7). */
export const consoleRoutes = (commands: CardCommands, needs: ConsoleNeeds): Route[] => {
  const { pool } = needs.database

  const attemptOf = async (id: string): Promise<Standing> => {
    const row = await attemptNamed(pool, id)
    if (!row || row.attempt.status === 'none') throw refusal('attempt_not_found')
    return row.attempt
  }

  const passed = async ({ position }: { position: Position | null }) => {
    if (position !== null) await needs.viewsPassed(position)
  }

  const named = async <Reply>(
    rows: readonly AttemptRow[],
    reply: (attempt: Standing, username: string) => Reply | null,
  ): Promise<Reply[]> => {
    const usernames = await needs.usernames([...new Set(rows.map(({ user_id }) => user_id))])
    return rows.flatMap(({ attempt, user_id }) => {
      const shown = attempt.status === 'none' ? null : reply(attempt, usernames.get(user_id) ?? 'N/A')
      return shown === null ? [] : [shown]
    })
  }

  return [
    route(liveOrders, withFeature('live_orders'), async ({ query }) => {
      const parent = query.parent?.trim()
      const userIds = parent ? await needs.usersNamed(parent) : null
      const { total, rows } = await liveAttempts(pool, query, { userIds, zone: needs.zone })
      const page = Math.max(1, query.page ?? 1)
      const totalPages = Math.ceil(total / pageSize)
      return {
        data: await named(rows, liveReply),
        pagination: {
          page,
          totalOrders: total,
          totalPages,
          hasPreviousPage: page > 1,
          hasNextPage: page < totalPages,
        },
      }
    }),

    route(failedOrders, withFeature('order_recovery'), async ({ query }) => {
      const rows = await attemptsToRecover(pool, query.status, needs.now())
      const families = await needs.studentsOfUsers([...new Set(rows.map(({ user_id }) => user_id))])
      return named(rows, (attempt, username) =>
        failedReply(attempt, username, families.get(attempt.checkout.userId) ?? []),
      )
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
        return { message: outcomeOf(retried.attempt) }
      },
    ),

    route(acceptMismatch, withFeature('order_recovery'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.id)
      const accepted = await commands.accept(checkout.attemptId, body.reason, { actor, correlationId })
      await passed(accepted)
      return { message: outcomeOf(accepted.attempt) }
    }),

    route(waiveRemainder, withFeature('order_recovery'), async ({ params, body, actor, correlationId }) => {
      const { checkout } = await attemptOf(params.id)
      const waived = await commands.waive(checkout.attemptId, body.reason, { actor, correlationId })
      await passed(waived)
      return { message: recoveryError(waived.attempt) ?? 'Nothing is owed back' }
    }),
  ]
}

const outcomeOf = (attempt: Standing): string => {
  if (attempt.status === 'fulfilled') return 'Order recovery initiated successfully'
  return recoveryError(attempt) ?? 'Payment verification failed'
}
