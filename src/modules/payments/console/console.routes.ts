import {
  acceptMismatch,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
} from '#contracts/payments-console'
import type { Position } from '#platform/event-store/event-store'
import { answeredOnce, route, withFeature, type Route } from '#platform/http/route'
import { attemptNamed } from '../attempt/attempts.rows'
import type { StartedAttempt } from '../attempt/payment-attempt'
import { completeCheckout } from '../checkout/free-checkout.commands'
import type { PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'
import type { VerifyAndSettle } from '../settlement/settle.commands'
import { liveReply, namedReplies } from './console-replies'
import { recoveryError } from './labels'
import { amendmentsOf } from './recovery-amendments'
import { recoveryOutcome } from './recovery-outcome'
import { abandon, accept, retry, waive } from './recovery.commands'
import type { QueryOf } from '#contracts/endpoint'
import type { ListedAttempt } from '../attempt/attempts.view'
import {
  countAttemptsByUser,
  liveAttempts,
  liveAttemptsOf,
  type LivePage,
  type LiveOrderQuery,
} from './live-orders.rows'
import { inOrderOfNames, membersOnPage } from '#platform/http/page-by-user'

const pageSize = 50

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

    route(
      setAttemptStatus,
      withFeature('live_orders'),
      async ({ params, body, by }) => {
        const { checkout } = await attemptOf(params.transactionId)
        if (body.status === 'Payment Abandoned' && checkout.kind === 'card')
          await passed(await abandon(needs)(checkout.attemptId, by))
        else if (body.status === 'Orders created successfully' && checkout.kind === 'free')
          await passed(await completeCheckout(needs)(checkout.attemptId, by))
        else throw refusal('unknown_status')
        return { message: 'Status updated' }
      },
      answeredOnce,
    ),

    route(
      retryAttempt,
      withFeature('live_orders', 'order_recovery'),
      async ({ params, body, by }) => {
        const attempt = await attemptOf(params.id)
        const amendments = amendmentsOf(attempt, body?.cartItems ?? [])
        const retried = await retry(needs)(attempt.checkout.attemptId, amendments, by)
        await passed(retried)
        return recoveryOutcome(retried.attempt, retried.verdict)
      },
      answeredOnce,
    ),

    route(
      acceptMismatch,
      withFeature('order_recovery'),
      async ({ params, body, by }) => {
        const { checkout } = await attemptOf(params.id)
        const accepted = await accept(needs)(checkout.attemptId, body.reason, by)
        await passed(accepted)
        return recoveryOutcome(accepted.attempt)
      },
      answeredOnce,
    ),

    route(
      waiveRemainder,
      withFeature('order_recovery'),
      async ({ params, body, by }) => {
        const { checkout } = await attemptOf(params.id)
        const waived = await waive(needs)(checkout.attemptId, body.reason, by)
        await passed(waived)
        return { message: recoveryError(waived.attempt) ?? 'Nothing is owed back' }
      },
      answeredOnce,
    ),
  ]
}

const liveOrdersPage = async (
  needs: PaymentsNeeds,
  filters: QueryOf<typeof liveOrders>,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const { knex } = needs.database
  const parent = filters.parent?.trim()
  const userIds = parent ? await needs.identity.usersNamed(parent) : null
  const wanted = { filters, userIds, zone: needs.zone }
  const { sort = 'time', direction = 'desc' } = filters
  if (sort === 'parent') return sortedByParent(needs, wanted, { ...page, direction })
  return liveAttempts(knex, wanted, { ...page, sort, direction })
}

/** Names belong to identity: counts per user locate the page. */
const sortedByParent = async (
  { database: { knex }, identity }: PaymentsNeeds,
  wanted: LiveOrderQuery,
  page: LivePage,
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const counts = await countAttemptsByUser(knex, wanted)
  const names = await identity.usernamesOf(counts.map(({ userId }) => userId))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const { userIds, before } = membersOnPage(inOrderOfNames(counts, names, page.direction), page)
  const rows = await liveAttemptsOf(knex, wanted, userIds, { ...page, offset: page.offset - before })
  return { rows, total }
}
