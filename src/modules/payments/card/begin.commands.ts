import { createHash } from 'node:crypto'
import type { CartLine } from '#contracts/ordering'
import type { PaymentBypass } from '#contracts/payments'
import type { MealLine } from '#kernel/meal-line'
import { sum, differs } from '#kernel/money'
import { linesRefused } from '#modules/ordering/published'
import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { attemptCredit } from '../attempt/change-attempt.commands'
import { decideCheckout } from '../attempt/checkout.decide'
import { paymentAttempt } from '../attempt/fold'
import { toPayFor, withCredit, type StartedAttempt } from '../attempt/payment-attempt'
import { refuseTooManyUnpaid } from '../checkout/unpaid-meals.commands'
import { refusal } from '../refusals'
import { giveUpDraft, checkAfterSuperseding, type SupersedeNeeds } from '../settlement/give-up.commands'
import { heldAnew, holdOf, limitMinutesOf, type Customer } from './issue-token.commands'
import type { AskedPrompt, PromptNeeds } from './prompt.commands'

export type CardCheckoutNeeds = SupersedeNeeds &
  PromptNeeds & {
    settings: () => Promise<PaymentBypass>
    /** Reference at the provider; derived from the id by default. */
    referenceOf?: (attemptId: string) => string
  }

export type CardCheckout = {
  userId: number
  customer: Customer
  ip: string
  /** Null: on the provider's page. */
  prompt: AskedPrompt | null
  lines: readonly CartLine[]
  useCredit: boolean
  claimedAmount: number
  idempotencyKey: string | null
  site: string
  by: By
}

export type Begin = CardCheckout & { attemptId: string; bodyHash: string }

/** Stores the attempt with its days, portions and credit (E1), before the provider is asked. */
export const begin = async (needs: CardCheckoutNeeds, checkout: Begin): Promise<StartedAttempt> => {
  const { eventStore } = needs
  const { attemptId, bodyHash, userId, prompt, by } = checkout
  const payBy = prompt?.network
  const { attempt } = await handleCommand(needs, by, async (at) => {
    const { cart, openIds } = await checkedAfterSuperseding(needs, checkout, at)
    if (toPayFor(cart.lines) === 0) throw refusal('credit_covers')
    await refuseTooManyUnpaid(needs, userId, cart.lines, { openIds, otherIds: cart.otherIds })
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const companyRef = (needs.referenceOf ?? companyRefOf)(attemptId)
    const kind = 'card' as const
    const begun = {
      attemptId,
      kind,
      userId,
      lines: cart.lines,
      companyRef,
      bodyHash,
      ...(payBy && { payBy }),
    }
    const events = decideCheckout({ kind: 'start', checkout: begun, now: at }, loaded.state)
    const started = { loaded, events, idSeed: `${attemptId}/started/${bodyHash}` }
    const attempt = advanced(paymentAttempt, loaded, events).state as StartedAttempt
    const credit = await attemptCredit(needs, attempt)
    const held = credit.follow(attempt, at)
    // The balance changed since reading: retries this step.
    if (credit.lacking().size > 0) throw new WrongExpectedRevision(loaded.stream, loaded.revision)
    // Attempt first: days held without it expire.
    return {
      changes: [started, ...held, ...cart.meals.reserve(holdFrom(needs, cart.lines, at), at)],
      attempt,
    }
  })
  return attempt
}

/** Holds days, portions and credit again after a crash. Throws `lines_refused` if another checkout took one. */
export const holdAgain = async (
  needs: CardCheckoutNeeds,
  { attemptId, by }: Begin,
): Promise<StartedAttempt> => {
  const { eventStore } = needs
  const { attempt, taken } = await handleCommand(needs, by, async (at) => {
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const attempt = loaded.state as StartedAttempt
    if (attempt.status !== 'draft') return { changes: [{ loaded, events: [] }], attempt, taken: [] }
    const { taken, changes } = await heldAnew(needs, attempt, holdFrom(needs, attempt.checkout.lines, at), at)
    return { changes: [{ loaded, events: [] }, ...changes], attempt, taken }
  })
  if (taken.length === 0) return attempt
  await giveUpDraft(needs)(attemptId, 'lines-taken', null, by)
  throw linesRefused(taken)
}

const holdFrom = (needs: CardCheckoutNeeds, lines: readonly MealLine[], at: Date) =>
  holdOf(needs, new Date(at.getTime() + limitMinutesOf(lines, at) * 60_000))

// Crockford's base 32, without lookalikes.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const companyRefOf = (attemptId: string): string => {
  const bytes = createHash('sha256').update(`reference of ${attemptId}`).digest().subarray(0, 10)
  return `LP-${[...bytes].map((byte) => alphabet[byte % 32]).join('')}`
}

const checkedAfterSuperseding = (needs: CardCheckoutNeeds, checkout: Begin, at: Date) => {
  const { userId, lines, attemptId, claimedAmount, useCredit } = checkout
  const check = async () => {
    const balance = useCredit ? (await needs.credit.accountOf(userId)).balance() : 0
    const payWith = (priced: MealLine[]) => withCredit(priced, balance)
    const cart = await needs.ordering.checkCart({ userId, attemptId }, lines, at, payWith)
    refuseOtherAmount(cart.lines, claimedAmount)
    return cart
  }
  return checkAfterSuperseding(needs, check, checkout)
}

const refuseOtherAmount = (lines: readonly MealLine[], claimedKwacha: number): void => {
  const total = sum(lines.map(({ price }) => price))
  if (total === 0) throw refusal('nothing_to_pay')
  if (differs(claimedKwacha, total)) throw refusal('amount_mismatch')
}
