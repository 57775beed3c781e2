import { cutText } from '#kernel/cut-text'
import type { MealLine } from '#kernel/meal-line'
import { instantAt } from '#kernel/school-time'
import { holdMeals, takenMeals, type Hold } from '#modules/ordering/index'
import type { By, StreamChange } from '#platform/event-store/command-handler'
import {
  attemptCredit,
  changeAttempt,
  type AttemptNow,
  type AttemptRead,
} from '../attempt/change-attempt.commands'
import type { RefusedLine } from '../attempt/events'
import { toPayFor, isAwaited, type StartedAttempt } from '../attempt/payment-attempt'
import { decidePayment } from '../attempt/payment.decide'
import type { PaymentsNeeds } from '../ports'
import type { CardProvider, TokenAnswer } from '../providers/provider'
import { refusal } from '../refusals'
import { cancelPayment, giveUpDraft } from '../settlement/give-up.commands'
import type { Settled, SettlingNeeds } from '../settlement/settle.commands'

export type BegunAttempt = Pick<AttemptRead, 'attempt' | 'loaded'>

export type Customer = { name: string; email: string | null; phone: string | null }

type Asked = { customer: Customer; site: string; by: By }

/** Records a token (E2) or a failure that releases the days (E3). Throws `payment_failed` (with `Result`) or `payments_unavailable`. */
export const issueToken =
  (needs: SettlingNeeds, provider: CardProvider) =>
  async ({ attempt: begun, loaded: known }: BegunAttempt, asked: Asked): Promise<AttemptNow> => {
    const { attemptId, lines } = begun.checkout
    const at = needs.now()
    const minutes = limitMinutesOf(lines, at)
    const answer = await provider.createToken(tokenRequest(needs, begun, asked, minutes))
    if (answer.kind !== 'created') {
      await endWithoutToken(needs, attemptId, answer, asked.by)
      throw refusalFor(answer)
    }
    const { token, ref } = answer
    await needs.noteToken(token, attemptId)
    const limitAt = new Date(at.getTime() + minutes * 60_000)
    const { until: holdUntil } = holdOf(needs, limitAt)
    return changeAttempt(
      needs,
      attemptId,
      asked.by,
      (attempt, now) =>
        // A concurrent call with this key was faster: its token is used, this one never shown.
        attempt.token !== null && isAwaited(attempt)
          ? []
          : decidePayment({ kind: 'issue-token', token, ref, limitAt, holdUntil, now }, attempt),
      { known },
    )
  }

const maxLimitMinutes = 30
const maxLimitedDishMinutes = 10
const minLimitMinutes = 5

/** 30 minutes, 10 with a limited dish, fewer before the first cutoff, at least 5. */
export const limitMinutesOf = (
  lines: readonly Pick<MealLine, 'cutoffAt' | 'limited'>[],
  now: Date,
): number => {
  const cutoffs = lines.map(({ cutoffAt }) => Date.parse(cutoffAt))
  const untilCutoff = Math.floor((Math.min(...cutoffs) - now.getTime()) / 60_000)
  const max = lines.some(({ limited }) => limited) ? maxLimitedDishMinutes : maxLimitMinutes
  return Math.max(minLimitMinutes, Math.min(max, untilCutoff))
}

/** Days are kept while a payment of the last minute may still be told of; portions of limited dishes are free at the limit. */
export const holdOf = ({ graceMinutes }: PaymentsNeeds, limitAt: Date): Hold => ({
  until: new Date(limitAt.getTime() + graceMinutes * 60_000),
  portionsUntil: limitAt,
})

const tokenRequest = (
  { zone }: PaymentsNeeds,
  { checkout }: StartedAttempt,
  { customer, site }: Asked,
  limitMinutes: number,
) => {
  const [firstName = '', ...others] = customer.name.trim().split(/\s+/)
  const first = checkout.lines.map(({ mealDate }) => mealDate).toSorted()[0]!
  return {
    reference: checkout.companyRef ?? '',
    amount: toPayFor(checkout.lines),
    unique: true,
    returnUrl: `${site}/payment/success`,
    backUrl: `${site}/payment/cancel`,
    limitMinutes,
    customer: {
      firstName,
      lastName: others.join(' '),
      email: customer.email ?? '',
      phone: customer.phone,
    },
    description: descriptionOf(checkout.lines),
    serviceAt: instantAt(first, 12, 0, zone),
  }
}

const maxDescription = 100

/** "School lunches x 2 for Chipo and Mutinta", as many first names as fit: who is asked to pay sees for whom. */
const descriptionOf = (lines: readonly MealLine[]): string => {
  const meals = lines.length === 1 ? 'School lunch' : `School lunches x ${lines.length}`
  const names = [...new Set(lines.map(({ student }) => student.name.trim().split(/\s+/)[0]!))]
  const written = names.map((_, others) => {
    const shown = others === 0 ? names : [...names.slice(0, -others), `${others} more`]
    return `${meals} for ${listed(shown)}`
  })
  return written.find(({ length }) => length <= maxDescription) ?? meals
}

const listed = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

type NoToken = Exclude<TokenAnswer, { kind: 'created' }>

const refusalFor = (answer: NoToken) => {
  if (answer.kind === 'unavailable' || answer.kind === 'config') return refusal('payments_unavailable')
  if (answer.kind === 'unreachable' || answer.explanation === '') return refusal('payment_failed')
  const { code: Result, explanation: ResultExplanation } = answer
  return refusal('payment_failed', { extra: { Result, ResultExplanation } })
}

const detailOf = (answer: NoToken): string | null => {
  if (answer.kind === 'unavailable') return null
  return answer.kind === 'unreachable' ? answer.why : cutText(`${answer.code} ${answer.explanation}`, 1000)
}

const endWithoutToken = (needs: PaymentsNeeds, id: string, answer: NoToken, by: By) => {
  if (answer.kind !== 'unavailable')
    needs.log.error({ attemptId: id, why: answer.kind, detail: detailOf(answer) }, 'no payment token')
  return giveUpDraft(needs)(id, answer.kind, detailOf(answer), by)
}

/** Days, portions and credit of an attempt that holds none; `taken` are lines that somebody else has now. */
export const heldAnew = async (
  needs: PaymentsNeeds,
  attempt: StartedAttempt,
  hold: Hold,
  at: Date,
): Promise<{ taken: RefusedLine[]; changes: StreamChange[] }> => {
  const meals = await needs.ordering.mealsOf(attempt.checkout, at)
  const taken = takenMeals(meals, at)
  if (taken.length > 0) return { taken, changes: [] }
  const credit = await attemptCredit(needs, attempt)
  const held = credit.follow(attempt, at)
  const lacking = [...credit.lacking()].map((index) => ({ index, code: 'credit_gone' as const }))
  return lacking.length > 0
    ? { taken: lacking, changes: [] }
    : { taken: [], changes: [...held, ...holdMeals(meals, hold, at)] }
}

/** Last check before the provider's page: cancels the token (E9) and throws `items_unavailable` for meals withdrawn since. */
export const confirmItems =
  (needs: PaymentsNeeds) =>
  async (attempt: StartedAttempt, by: By): Promise<void> => {
    if (!isAwaited(attempt)) return
    const names = await withdrawnItems(needs, attempt)
    const isAny = Object.values(names).some(({ length }) => length > 0)
    if (isAny && (await cancelPayment(needs, attempt, 'Items no longer available', by)))
      throw refusal('items_unavailable', { extra: names })
  }

const withdrawnItems = async ({ catalogue }: PaymentsNeeds, { checkout }: StartedAttempt) => {
  const items = new Map(checkout.lines.map(({ item }) => [item.id, item.name]))
  const states = await catalogue.itemsByIds([...items.keys()])
  const named = (is: (id: number) => boolean) => [...items].flatMap(([id, name]) => (is(id) ? [name] : []))
  return {
    archivedItems: named((id) => states.get(id)?.isArchived === true),
    unavailableItems: named((id) => states.get(id)?.isArchived === false && !states.get(id)?.isAvailable),
    missingItems: named((id) => !states.has(id)),
  }
}

const claims = ['verified', 'completed', 'failed', 'cancelled'] as const

/** A browser's claim triggers a check. Coming back by "back" cancels an unpaid token (payments.md section 7). */
export const recordBrowserClaim =
  (needs: SettlingNeeds) =>
  async (attemptId: string, status: string | null, by: By): Promise<Settled> => {
    const claim = claims.find((known) => known === status?.toLowerCase()) ?? 'other'
    const source = claim === 'cancelled' ? 'back' : 'advice'
    const settled = await needs.settle(attemptId, { source, claim }, by)
    const { verdict, attempt } = settled
    const isUnpaid = verdict?.kind === 'pending' && verdict.code === '900'
    if (claim !== 'cancelled' || !isUnpaid || !isAwaited(attempt)) return settled
    const cancelled = await cancelPayment(needs, attempt, 'The customer went back', by)
    return cancelled ? { ...settled, ...cancelled } : settled
  }
