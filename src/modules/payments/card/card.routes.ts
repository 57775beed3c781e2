import { type ReplyOf } from '#contracts/endpoint'
import type { MobileNetwork } from '#contracts/ordering'
import {
  createPayment,
  promptAgain as promptAgainCall,
  recordAttempt,
  updateAttempt,
  verifyPayment,
} from '#contracts/payments'
import { kwachaFromNgwee } from '#kernel/money'
import { mobileNumber } from '#kernel/phone-number'
import { httpRefusal } from '#platform/http/request'
import {
  answeredOnce,
  holdsOneOf,
  onlyRoles,
  route,
  signedIn,
  type Principal,
  type Route,
} from '#platform/http/route'
import { sendsPrompts } from '../alternative/instructions'
import type { AttemptRead } from '../attempt/change-attempt.commands'
import { liveLabel, parentStatus, verifyOutcome } from '../attempt/labels'
import { payByOf, toPayFor, type StartedAttempt } from '../attempt/payment-attempt'
import { attemptNamed } from '../attempt/references.rows'
import { type Verdict } from '../providers/provider'
import { refusal } from '../refusals'
import { type SettlingNeeds } from '../settlement/settle.commands'
import { type CardPaymentStart } from './card-checkout.commands'
import { confirmItems, recordBrowserClaim } from './issue-token.commands'
import { promptAgain, promptRequestId, shownPrompt, type AskedPrompt } from './prompt.commands'

const createLimit = { name: 'create-payment', points: 30, seconds: 600, by: 'user' } as const
const claimLimit = { name: 'payment-claims', points: 120, seconds: 600, by: 'user' } as const

/** payments.md section 7. */
export const cardRoutes = (needs: SettlingNeeds, start: CardPaymentStart): Route[] => {
  const { settle, settings } = needs

  const ownAttempt = async (transactionId: string, userId: number): Promise<AttemptRead> => {
    const found = await attemptNamed(needs, transactionId)
    if (found.attempt.checkout.userId !== userId) throw refusal('attempt_not_found')
    return found
  }

  return [
    route(
      createPayment,
      onlyRoles('parent', 'teacher'),
      async ({ user, body, idempotencyKey, ip, origin, by }) => {
        const { token, companyRef, paymentUrl, prompt } = await start({
          userId: user.userId,
          customer: { name: user.name || user.username, email: user.email, phone: user.phone },
          ip,
          prompt: askedPrompt(body.paymentMethod, body.customerPhone),
          lines: body.cartItems,
          useCredit: body.useCredit === true,
          claimedAmount: body.amount,
          idempotencyKey,
          site: needs.siteOf(origin),
          by,
        })
        return {
          Result: '000' as const,
          ResultExplanation: 'Transaction created',
          TransToken: token,
          companyRef,
          paymentUrl: needs.pageOf(paymentUrl, origin),
          prompt,
        }
      },
      { limit: createLimit, cart: true },
    ),

    route(
      promptAgainCall,
      onlyRoles('parent', 'teacher'),
      async ({ user, params, body, idempotencyKey, ip, by }) => {
        const { attempt: known } = await ownAttempt(params.id, user.userId)
        const { provider } = needs
        if (!provider) throw refusal('card_payments_off')
        const phone = body?.customerPhone && mobileNumber(body.customerPhone)
        const asked = { ...(phone && { phone }), ...(body?.network && { network: body.network }) }
        const again = promptAgain(needs, provider)
        const { attempt, verdict } = await again({
          attempt: known,
          asked,
          requestId: promptRequestId(known.checkout.attemptId, idempotencyKey),
          ip,
          isOn: sendsPrompts(await settings(), true),
          by,
        })
        const reply = verifyReplyOf(attempt, verdict)
        return reply.success ? { ...reply, prompt: null } : { ...reply, prompt: shownPrompt(attempt) }
      },
      { ...answeredOnce, limit: createLimit },
    ),

    route(
      recordAttempt,
      onlyRoles('parent', 'teacher'),
      async ({ user, body, by }) => {
        const { attempt } = await ownAttempt(body.transactionId, user.userId)
        await confirmItems(needs)(attempt, by)
        return parentReply(attempt)
      },
      { limit: claimLimit },
    ),

    route(
      updateAttempt,
      signedIn,
      async ({ user, body, by }) => {
        const { attemptId } = (await attemptFor(user, body.transactionId)).attempt.checkout
        const accepted =
          user.role === 'admin'
            ? await settle(attemptId, { source: 'administrator' }, by)
            : await recordBrowserClaim(needs)(attemptId, body.transactionStatus ?? null, by)
        return parentReply(accepted.attempt)
      },
      { limit: claimLimit },
    ),

    route(
      verifyPayment,
      signedIn,
      async ({ user, params, by }) => {
        const found = await attemptFor(user, params.transactionId)
        const source = user.role === 'admin' ? 'administrator' : 'return'
        const { attemptId } = found.attempt.checkout
        const { attempt, verdict } = await settle(attemptId, { source }, by, found)
        return verifyReplyOf(attempt, verdict)
      },
      { limit: claimLimit },
    ),
  ]

  async function attemptFor(user: Principal, transactionId: string): Promise<AttemptRead> {
    if (user.role !== 'admin') return ownAttempt(transactionId, user.userId)
    const found = await attemptNamed(needs, transactionId)
    if (!holdsOneOf(user, 'live_orders'))
      throw httpRefusal('forbidden', 'You do not have permission to do this')
    return found
  }
}

const askedPrompt = (
  method: 'CC' | MobileNetwork | null | undefined,
  phone: string | null | undefined,
): AskedPrompt | null => {
  const number = mobileNumber(phone ?? '')
  return method && method !== 'CC' && number !== null ? { network: method, phone: number } : null
}

const parentReply = (attempt: StartedAttempt): ReplyOf<typeof recordAttempt> => ({
  transactionId: attempt.token?.token ?? null,
  transactionRef: attempt.checkout.companyRef ?? '',
  paymentAmount: kwachaFromNgwee(toPayFor(attempt.checkout.lines)),
  transactionStatus: parentStatus(attempt),
  errorDetails: parentStatus(attempt) === 'failed' ? 'Payment verification failed' : null,
  isRecovered: liveLabel(attempt).isRecovered,
  declined: attempt.status === 'declined',
  payBy: payByOf(attempt),
  prompt: shownPrompt(attempt),
})

/** The provider's words only if it was just asked. */
const verifyReplyOf = (attempt: StartedAttempt, verdict: Verdict | null): ReplyOf<typeof verifyPayment> => {
  const { success, attention } = verifyOutcome(attempt)
  if (success) return { success, message: 'Transaction Paid', attention }
  const told = verdict && 'code' in verdict ? verdict : null
  const explanation = told && 'explanation' in told ? told.explanation : null
  return {
    success: false,
    message: 'Payment verification failed',
    Result: told?.kind === 'config' ? null : (told?.code ?? null),
    ResultExplanation: told?.kind === 'config' ? null : explanation,
    TransactionStatus: parentStatus(attempt),
    declined: attempt.status === 'declined',
  }
}
