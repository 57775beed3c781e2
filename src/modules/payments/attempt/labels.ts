import type { attemptStatuses } from '#contracts/payments'
import type { liveStatuses, recoveryStatuses } from '#contracts/payments-console'
import { mealText, type MealLine } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import type { BlockReason, LineClosure } from './events'
import {
  ledgerOf,
  isMoneyOurs,
  isUnresolved,
  type AttemptState,
  type StartedAttempt,
} from './payment-attempt'
/** Labels follow the table of payments.md section 6. */
export type ParentStatus = (typeof attemptStatuses)[number]
export type LiveStatus = (typeof liveStatuses)[number]
export type RecoveryStatus = (typeof recoveryStatuses)[number]

const shownAs: Record<AttemptState, { parent: ParentStatus; live: LiveStatus }> = {
  draft: { parent: 'initiated', live: 'Payment Initiated' },
  initiated: { parent: 'initiated', live: 'Payment Initiated' },
  processing: { parent: 'initiated', live: 'Processing Started' },
  recovering: { parent: 'initiated', live: 'Processing Started' },
  paid: { parent: 'verified', live: 'Processing Started' },
  fulfilled: { parent: 'verified', live: 'Orders created successfully' },
  blocked: { parent: 'verified', live: 'Failed' },
  refund_due: { parent: 'verified', live: 'Failed' },
  refunded: { parent: 'failed', live: 'Failed' },
  review: { parent: 'initiated', live: 'Failed' },
  create_failed: { parent: 'failed', live: 'Failed' },
  declined: { parent: 'failed', live: 'Failed' },
  cancelled: { parent: 'failed', live: 'Payment Abandoned' },
  expired: { parent: 'failed', live: 'Payment Abandoned' },
  abandoned: { parent: 'failed', live: 'Payment Abandoned' },
  releasing: { parent: 'failed', live: 'Payment Abandoned' },
  refused: { parent: 'failed', live: 'Payment Abandoned' },
}

export const parentStatus = (attempt: StartedAttempt): ParentStatus =>
  attempt.status === 'recovering' && isMoneyOurs(attempt) ? 'verified' : shownAs[attempt.status].parent

export const liveLabel = (attempt: StartedAttempt): { status: LiveStatus; isRecovered: boolean } => ({
  status: shownAs[attempt.status].live,
  isRecovered:
    attempt.status === 'refund_due' ||
    attempt.status === 'refunded' ||
    (attempt.status === 'fulfilled' && attempt.hadProblem),
})

export const verifyOutcome = (attempt: StartedAttempt): { success: boolean; attention: string[] } => {
  const success = parentStatus(attempt) === 'verified'
  const needsAttention = attempt.status === 'blocked' || attempt.status === 'refund_due'
  return { success, attention: success && needsAttention ? attentionOf(attempt) : [] }
}

export type Allowed = { retry: boolean; verify: boolean; abandon: boolean; accept: boolean; waive: boolean }

const nothingAllowed: Allowed = { retry: false, verify: false, abandon: false, accept: false, waive: false }

/** The decider refuses the rest. */
export const allowedActions = (attempt: StartedAttempt): Allowed => {
  const verify = attempt.token !== null
  switch (attempt.status) {
    case 'processing':
      return { ...nothingAllowed, verify, abandon: true }
    case 'paid':
    case 'recovering':
      return { ...nothingAllowed, verify }
    case 'create_failed':
    case 'declined':
      return { ...nothingAllowed, retry: true }
    case 'blocked':
      return { ...nothingAllowed, retry: true, waive: true }
    case 'review':
      return { ...nothingAllowed, retry: true, accept: true, waive: true }
    default:
      return nothingAllowed
  }
}

/** Null for an attempt that is never listed; `listedAfterMs` delays others. */
export const recoveryStatus = (attempt: StartedAttempt): RecoveryStatus | null => {
  switch (attempt.status) {
    case 'processing':
    case 'paid':
      return 'Processing started'
    case 'fulfilled':
      return attempt.hadProblem ? 'Orders created successfully' : null
    case 'blocked':
    case 'refund_due':
    case 'refunded':
      return statusForReasons(reasonsOf(attempt))
    case 'recovering':
      return 'Recovery in progress'
    case 'review':
    case 'declined':
      return 'Payment verification failed'
    default:
      return null
  }
}

/** administrator.md section 4; a retry that cannot succeed says why. */
export const mayRetryUnder = (status: RecoveryStatus): boolean =>
  status !== 'Orders created successfully' && status !== 'Recovery in progress'

export const listedAfterMs: Partial<Record<AttemptState, number>> = {
  processing: 15 * 60_000,
  paid: 2 * 60_000,
}

export const recoveryError = (attempt: StartedAttempt): string | null => {
  const { owed, paidBack } = ledgerOf(attempt)
  switch (attempt.status) {
    case 'blocked':
      return reasonsText(attempt)
    case 'refund_due':
      return `Refund of K${decimalFromNgwee(owed)} due`
    case 'refunded':
      return `Refunded K${decimalFromNgwee(paidBack)}`
    case 'review':
      return 'The payment does not match what was asked for'
    case 'declined':
      return 'The payment was declined'
    default:
      return null
  }
}

export const reasonText: Record<BlockReason, string> = {
  unknown_student: 'The student is no longer on this account',
  foreign_student: 'The student is not on this account',
  day_blocked: 'The school is closed on this day',
  day_past: 'This day has passed',
  cutoff_passed: 'The payment came after the orders of this day had closed',
  cycle_missing: 'The order cycle no longer exists',
  cycle_inactive: 'The order cycle is not active',
  missing_item: 'This meal no longer exists',
  item_withdrawn: 'This meal was taken off the menu after it was paid for',
  duplicate_day: 'There is another order for this student and day',
  sold_out: 'This meal was sold out on this day when the payment came',
  price_above_paid: 'This meal costs more than was paid',
  credit_gone: 'The credit that was to pay a part of it had been spent when the payment came',
  error: 'The order could not be saved',
}

const studentReasons: readonly BlockReason[] = ['unknown_student', 'foreign_student']
const dayReasons: readonly BlockReason[] = [
  'day_blocked',
  'day_past',
  'cutoff_passed',
  'cycle_missing',
  'cycle_inactive',
]

/** Reasons of the student win over those of the day; none means that the money did not match. */
export const statusForReasons = (reasons: readonly BlockReason[]): RecoveryStatus => {
  if (reasons.length === 0) return 'Payment verification failed'
  if (reasons.some((reason) => studentReasons.includes(reason))) return 'Invalid student IDs provided'
  if (reasons.some((reason) => dayReasons.includes(reason))) return 'Cannot create orders for blocked days'
  return 'Failed to create orders during recovery'
}

export const reasonOf = (attempt: StartedAttempt, index: number): BlockReason | null => {
  const outcome = attempt.outcomes[index]
  return outcome?.kind === 'blocked' || outcome?.kind === 'waived' ? outcome.reason : null
}

export const reasonsOf = (attempt: StartedAttempt): BlockReason[] => [
  ...new Set(attempt.checkout.lines.flatMap(({ index }) => reasonOf(attempt, index) ?? [])),
]

export const reasonsText = (attempt: StartedAttempt): string =>
  reasonsOf(attempt)
    .map((reason) => reasonText[reason])
    .join('; ')

/** `isBare`: for an address that nobody verified. */
const attentionOf = (attempt: StartedAttempt): string[] =>
  unorderedMeals(attempt).map(({ line, why }) => `${mealText(line)}: ${why(false)}`)

/** Each line that is paid and no order, with why and what becomes of its money; `isBare` without the child's name. */
export const unorderedMeals = (
  attempt: StartedAttempt,
): { line: MealLine; why: (isBare: boolean) => string }[] =>
  attempt.checkout.lines.flatMap((line) => {
    const outcome = attempt.outcomes[line.index]
    const reason = reasonOf(attempt, line.index)
    const isGone = reason === 'unknown_student'
    const whyOf = (isBare: boolean) => {
      if (isGone) return `${isBare ? 'This child' : line.student.name} is no longer on your account`
      return reason ? reasonText[reason] : 'The order could not be made'
    }
    if (isUnresolved(outcome)) {
      const back = isGone && line.price > 0 ? `; K${decimalFromNgwee(line.price)} goes back to you` : ''
      return [{ line, why: (isBare) => `${whyOf(isBare)}${back}. We will contact you.` }]
    }
    if (outcome?.kind !== 'waived') return []
    // The line's credit is gone.
    if (outcome.owed === 0) return [{ line, why: (isBare) => `${whyOf(isBare)}.` }]
    const back = `K${decimalFromNgwee(outcome.owed)} ${refundMethodText(outcome)}`
    return [{ line, why: (isBare) => (isGone ? `${whyOf(isBare)}; ${back}.` : `${back}.`) }]
  })

export const refundMethodText = ({ closure }: { closure?: LineClosure | undefined }): string =>
  closure?.remedy === 'credit' ? 'goes to your credit' : 'will be refunded'

/** Its dish is "Nshima (beef, cabbage)". */
export const withChoices = (line: MealLine): MealLine => {
  const extras = [line.category, line.sideDish].filter(Boolean).join(', ')
  const name = extras === '' ? line.item.name : `${line.item.name} (${extras})`
  return { ...line, item: { ...line.item, name } }
}
