import type { Ports } from '#platform/ports'
import { type MealLine } from '#kernel/meal-line'
import { instantAt, schoolMoment } from '#kernel/school-time'
import { type By } from '#platform/event-store/command-handler'
import { toPayFor } from '../attempt/credit-lines'
import { changeAttempt, type AttemptNow } from '../attempt/change-attempt.commands'
import { decidePayment } from '../attempt/payment.decide'
import { isAwaited, type StartedAttempt } from '../attempt/payment-attempt'
import { type PaymentsNeeds } from '../needs'
import { type CardProvider, type TokenAnswer } from '../providers/provider'
import { refusal } from '../refusals'

export type Customer = { name: string; email: string | null; phone: string | null }

type Asked = { customer: Customer; site: string; by: By }

/**
 * Gets and records a token (E2), or a failure that releases the days (E3). A crash leaves a draft, which the same request resumes or the
 * sweep ends. Throws `payment_failed` (with `Result` and `ResultExplanation`) or `payments_unavailable`.
 */
export const issueToken =
  (needs: PaymentsNeeds, provider: CardProvider) =>
  async (begun: StartedAttempt, asked: Asked): Promise<AttemptNow> => {
    const { attemptId, lines } = begun.checkout
    const at = needs.now()
    const minutes = limitMinutesOf(needs, lines, at)
    const answer = await provider.createToken(tokenRequest(needs, begun, asked, minutes))
    if (answer.kind !== 'created') {
      await endWithoutToken(needs, attemptId, answer, asked.by)
      throw refusalFor(answer)
    }
    const { token, ref } = answer
    const limitAt = new Date(at.getTime() + minutes * 60_000)
    const holdUntil = new Date(limitAt.getTime() + needs.graceMinutes * 60_000)
    return changeAttempt(
      needs,
      attemptId,
      asked.by,
      (attempt, now) =>
        // A concurrent call with this key was faster: its token is used, this one never shown.
        attempt.token !== null && isAwaited(attempt)
          ? []
          : decidePayment({ kind: 'issue-token', token, ref, limitAt, holdUntil, now }, attempt),
      `${attemptId}/token`,
    )
  }

const maxLimitMinutes = 30
const minLimitMinutes = 5

/** 30 minutes, fewer before a cutoff of the day, at least 5. */
export const limitMinutesOf = (
  { zone }: Ports,
  lines: readonly Pick<MealLine, 'mealDate' | 'cutoffAt'>[],
  now: Date,
): number => {
  const today = schoolMoment(now, zone).date
  const cutoffs = lines
    .filter(({ mealDate }) => mealDate === today)
    .map(({ cutoffAt }) => Date.parse(cutoffAt))
  const untilCutoff = Math.floor((Math.min(...cutoffs) - now.getTime()) / 60_000)
  return Math.max(minLimitMinutes, Math.min(maxLimitMinutes, untilCutoff))
}

const tokenRequest = (
  { zone }: PaymentsNeeds,
  { checkout }: StartedAttempt,
  { customer, site }: Asked,
  limitMinutes: number,
) => {
  const [firstName = '', ...others] = customer.name.trim().split(/\s+/)
  const first = checkout.lines.map(({ mealDate }) => mealDate).toSorted()[0]!
  const { length } = checkout.lines
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
    description: length === 1 ? 'School lunch' : `School lunches x ${length}`,
    serviceAt: instantAt(first, 12, 0, zone),
  }
}

type NoToken = Exclude<TokenAnswer, { kind: 'created' }>

const refusalFor = (answer: NoToken) => {
  if (answer.kind === 'unavailable' || answer.kind === 'config') return refusal('payments_unavailable')
  if (answer.kind === 'unreachable' || answer.explanation === '') return refusal('payment_failed')
  const { code: Result, explanation: ResultExplanation } = answer
  return refusal('payment_failed', { extra: { Result, ResultExplanation } })
}

const detailOf = (answer: NoToken): string | null => {
  if (answer.kind === 'unavailable') return null
  return answer.kind === 'unreachable' ? answer.why : `${answer.code} ${answer.explanation}`.slice(0, 1000)
}

const endWithoutToken = (needs: PaymentsNeeds, id: string, answer: NoToken, by: By) => {
  if (answer.kind !== 'unavailable')
    needs.log.error({ attemptId: id, why: answer.kind, detail: detailOf(answer) }, 'no payment token')
  return giveUpDraft(needs)(id, answer.kind, detailOf(answer), by)
}

/** Reason for ending a draft without a token. */
export const processEnded = 'process-ended'

/** Ends an attempt without a token (E3) and releases its days; one with a token stays. */
export const giveUpDraft =
  (needs: PaymentsNeeds) =>
  (id: string, why: string, detail: string | null, by: By): Promise<AttemptNow> =>
    changeAttempt(needs, id, by, (attempt, now) =>
      decidePayment({ kind: 'refuse-token', why, detail, now }, attempt),
    )
