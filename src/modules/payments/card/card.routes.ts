import type { Pool } from 'pg'
import { createPayment, recordAttempt, updateAttempt, verifyPayment } from '#contracts/payments'
import type { Position } from '#platform/event-store/event-store'
import { httpRefusal } from '#platform/http/http-refusals'
import { onlyRoles, route, signedIn } from '#platform/http/route'
import type { Principal, Route } from '#platform/http/route'
import { parentReply, verifyReplyOf } from './replies'
import { attemptNamed } from '../attempt/attempts.rows'
import type { CardCommands } from './card.commands'
import type { Standing } from '../attempt/payment-attempt'
import { refusal } from '../refusals'

export type CardRouteNeeds = {
  /** The address at which whoever calls from `origin` has this service, without a slash at its end. */
  siteOf: (origin: string) => string
  /** The payment page as whoever calls from `origin` reaches it. */
  pageOf: (paymentUrl: string, origin: string) => string
  database: { pool: Pool }
  waitForViews: (position: Position) => Promise<void>
  /** Who pays, for the provider's page; null when the account is gone. */
  personOf: (
    userId: number,
  ) => Promise<{ name: string | null; username: string; email: string | null; phone: string | null } | null>
}

const createLimit = { name: 'create-payment', points: 30, seconds: 600, by: 'user' } as const
const claimLimit = { name: 'payment-claims', points: 120, seconds: 600, by: 'user' } as const

/** What parents and teachers do with their card payments (payments.md section 7). */
export const cardRoutes = (commands: CardCommands, needs: CardRouteNeeds): Route[] => {
  const { pool } = needs.database

  /** Somebody else's payment does not exist. */
  const ownAttempt = async (transactionId: string, userId: number): Promise<Standing> => {
    const row = await attemptNamed(pool, transactionId)
    if (!row || row.user_id !== userId || row.attempt.status === 'none') throw refusal('attempt_not_found')
    return row.attempt
  }

  return [
    route(
      createPayment,
      onlyRoles('parent', 'teacher'),
      async ({ user, body, idempotencyKey, origin, actor, correlationId }) => {
        const person = await needs.personOf(user.userId)
        const { token, companyRef, paymentUrl } = await commands.start({
          userId: user.userId,
          customer: {
            name: person?.name || user.username,
            email: person?.email ?? null,
            phone: person?.phone ?? null,
          },
          lines: body.cartItems,
          claimedAmount: body.amount,
          idempotencyKey,
          site: needs.siteOf(origin),
          by: { actor, correlationId },
        })
        return {
          Result: '000' as const,
          ResultExplanation: 'Transaction created',
          TransToken: token,
          companyRef,
          paymentUrl: needs.pageOf(paymentUrl, origin),
        }
      },
      { limit: createLimit },
    ),

    route(
      recordAttempt,
      onlyRoles('parent', 'teacher'),
      async ({ user, body, actor, correlationId }) => {
        const attempt = await ownAttempt(body.transactionId, user.userId)
        await commands.confirmItems(attempt, { actor, correlationId })
        return parentReply(attempt)
      },
      { limit: claimLimit },
    ),

    route(
      updateAttempt,
      onlyRoles('parent', 'teacher'),
      async ({ user, body, actor, correlationId }) => {
        const { checkout } = await ownAttempt(body.transactionId, user.userId)
        const by = { actor, correlationId }
        const heeded = await commands.heedAdvice(checkout.attemptId, body.transactionStatus ?? null, by)
        if (heeded.position !== null) await needs.waitForViews(heeded.position)
        return parentReply(heeded.attempt)
      },
      { limit: claimLimit },
    ),

    route(
      verifyPayment,
      signedIn,
      async ({ user, params, actor, correlationId }) => {
        const found = await attemptFor(user, params.transactionId)
        const source = user.role === 'admin' ? 'administrator' : 'return'
        const by = { actor, correlationId }
        const { attempt, verdict, position } = await commands.settle(found.checkout.attemptId, { source }, by)
        if (position !== null) await needs.waitForViews(position)
        return verifyReplyOf(attempt, verdict)
      },
      { limit: claimLimit },
    ),
  ]

  async function attemptFor(user: Principal, transactionId: string): Promise<Standing> {
    if (user.role !== 'admin') return ownAttempt(transactionId, user.userId)
    const row = await attemptNamed(pool, transactionId)
    if (!row || row.attempt.status === 'none') throw refusal('attempt_not_found')
    if (!user.isSuperadmin && !user.features.includes('live_orders'))
      throw httpRefusal('forbidden', 'You do not have permission to do this')
    return row.attempt
  }
}
