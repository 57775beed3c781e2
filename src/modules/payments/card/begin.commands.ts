import { createHash } from 'node:crypto'
import type { CartLine } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { sum, differs } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { holdMeals, type CheckedCart } from '#modules/ordering/index'
import { linesRefused } from '#modules/ordering/published'
import { handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import type { LoadedAttempt } from '../attempt/change-attempt.commands'
import { paymentAttempt } from '../attempt/fold'
import { toPayFor, type StartedAttempt } from '../attempt/payment-attempt'
import { pricedCart, startCheckout } from '../checkout/place-order.commands'
import { refuseTooManyUnpaid } from '../checkout/unpaid-meals.commands'
import { refusal } from '../refusals'
import { giveUpDraft, checkAfterSuperseding, type OpenAttempts } from '../settlement/give-up.commands'
import type { SettlingNeeds } from '../settlement/settle.commands'
import { heldAnew, holdOf, limitMinutesOf, type BegunAttempt, type Customer } from './issue-token.commands'
import type { AskedPrompt } from './prompt.commands'

export type CardCheckout = {
  userId: number
  customer: Customer
  ip: string
  /** Null: on the provider's page. */
  prompt: AskedPrompt | null
  lines: readonly CartLine[]
  useCredit: boolean
  claimedAmount: number
  /** The week that a plan orders. */
  plan?: SchoolDate
  idempotencyKey: string | null
  site: string
  by: By
}

export type Begin = CardCheckout & {
  attemptId: string
  bodyHash: string
  known: LoadedAttempt
  open: OpenAttempts
}

/** Stores the attempt with its days, portions and credit (E1), before the provider is asked. */
export const begin = async (needs: SettlingNeeds, asked: Begin): Promise<BegunAttempt> => {
  const { attemptId, bodyHash, userId, prompt, claimedAmount, plan, by } = asked
  const payBy = prompt?.network
  return handleCommand(needs, by, async (at, tries) => {
    const price = pricedCart(needs, asked, at)
    const check = async () => refuseOtherAmount(await price(), claimedAmount)
    const { cart, openIds } = await checkAfterSuperseding(
      needs,
      check,
      asked,
      tries === 1 ? asked.open : undefined,
    )
    const { lines, otherIds } = cart
    if (toPayFor(lines) === 0) throw refusal('credit_covers')
    await refuseTooManyUnpaid(needs, userId, lines, { openIds, otherIds })
    const loaded = tries === 1 ? asked.known : await loadStream(needs.eventStore, paymentAttempt, attemptId)
    const companyRef = companyRefOf(attemptId)
    const checkout = { attemptId, kind: 'card' as const, userId, lines, companyRef, bodyHash }
    const begun = { ...checkout, ...(payBy && { payBy }), ...(plan && { plan }) }
    const { started, changes } = await startCheckout(needs, loaded, begun, at)
    // Attempt first: days held without it expire.
    const held = holdMeals(cart, holdFrom(needs, lines, at), at)
    return { changes: [...changes, ...held], attempt: started.state as StartedAttempt, loaded: started }
  })
}

/** Holds days, portions and credit again after a crash. Throws `lines_refused` if another checkout took one. */
export const holdAgain = async (needs: SettlingNeeds, { attemptId, by }: Begin): Promise<BegunAttempt> => {
  const { eventStore } = needs
  const { attempt, loaded, taken } = await handleCommand(needs, by, async (at) => {
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const attempt = loaded.state as StartedAttempt
    if (attempt.status !== 'draft') return { changes: [{ loaded, events: [] }], attempt, loaded, taken: [] }
    const { taken, changes } = await heldAnew(needs, attempt, holdFrom(needs, attempt.checkout.lines, at), at)
    return { changes: [{ loaded, events: [] }, ...changes], attempt, loaded, taken }
  })
  if (taken.length === 0) return { attempt, loaded }
  await giveUpDraft(needs)(attemptId, 'lines-taken', null, by)
  throw linesRefused(taken)
}

const holdFrom = (needs: SettlingNeeds, lines: readonly MealLine[], at: Date) =>
  holdOf(needs, new Date(at.getTime() + limitMinutesOf(lines, at) * 60_000))

// Crockford's base 32, without lookalikes.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const companyRefOf = (attemptId: string): string => {
  const bytes = createHash('sha256').update(`reference of ${attemptId}`).digest().subarray(0, 10)
  return `LP-${[...bytes].map((byte) => alphabet[byte % 32]).join('')}`
}

const refuseOtherAmount = (cart: CheckedCart, claimedKwacha: number): CheckedCart => {
  const total = sum(cart.lines.map(({ price }) => price))
  if (total === 0) throw refusal('nothing_to_pay')
  if (differs(claimedKwacha, total)) throw refusal('amount_mismatch')
  return cart
}
