import type { PayBy } from '#contracts/ordering'
import { eventReader, type EventOf } from '#kernel/event'
import type { MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import * as events from './events'
import type { BlockReason, Checkout, LineClosure, LineOrder, Recoverable, RefusedLine } from './events'

export const attemptEventTypes = Object.values(events)
export type AttemptEvent = EventOf<(typeof attemptEventTypes)[number]>
export const readAttemptEvent = eventReader(...attemptEventTypes)

/**
 * payments.md section 5; and of checkouts that move no money `releasing` (refused, its lines being taken back) and
 * `refused`.
 */
export const attemptStates = [
  'draft',
  'create_failed',
  'initiated',
  'processing',
  'paid',
  'fulfilled',
  'blocked',
  'recovering',
  'review',
  'declined',
  'cancelled',
  'expired',
  'abandoned',
  'refund_due',
  'refunded',
  'releasing',
  'refused',
] as const
export type AttemptState = (typeof attemptStates)[number]

type ProviderToken = { token: string; ref: string | null; issuedAt: string; limitAt: string }

/** What was received; `verifiedAt` is when we knew. `amount` null: the provider did not say how much. */
type Money = { amount: Ngwee | null; fee: Ngwee; verifiedAt: string; late: boolean }

/** What became of a line. `waived` is owed back; it is settled once `paidBack` reaches `owed`. */
export type LineOutcome =
  | { kind: 'open' }
  | { kind: 'ordered'; orderId: string }
  | { kind: 'blocked'; reason: BlockReason }
  | {
      kind: 'waived'
      owed: Ngwee
      paidBack: Ngwee
      reason: BlockReason | null
      closure?: LineClosure | undefined
    }

export type AttemptData = {
  checkout: Checkout
  /** What became of each line, by its index. */
  outcomes: readonly LineOutcome[]
  token: ProviderToken | null
  money: Money | null
  /** The provider was told that we know of the payment, or that was given up. */
  acknowledged: boolean
  /** Paid above the total and owed back. */
  surplus: { owed: Ngwee; paidBack: Ngwee }
  /** Accepted as missing. */
  shortfall: Ngwee
  /** Something went wrong on its way: for the mark "recovered". */
  hadProblem: boolean
  failures: number
  /** The provider's last answer and what browsers have claimed, so that each is recorded once. */
  lastAnswer: string | null
  /** How many answers that changed nothing were noted. */
  notedAnswers: number
  signals: readonly string[]
  refused: readonly RefusedLine[]
  /** Lines that a person changed after they were paid for. */
  amended: readonly number[]
  /** By part the acts of paying back that are in the books. */
  payouts: Readonly<Record<string, readonly string[]>>
}

/** One checkout and what became of it. */
export type PaymentAttempt =
  | { status: 'none' }
  | (AttemptData & { status: Exclude<AttemptState, 'recovering'> })
  | (AttemptData & { status: 'recovering'; prior: Recoverable; leaseUntil: string })

/** An attempt that has begun. */
export type StartedAttempt = Exclude<PaymentAttempt, { status: 'none' }>

/** The attempt's id and the time, as every one of its events tells them. */
export const about = ({ checkout }: AttemptData, now: Date) => ({
  attemptId: checkout.attemptId,
  at: now.toISOString(),
})

/** The orders that the attempt's lines became. */
export const ordersOf = ({ outcomes }: AttemptData): LineOrder[] =>
  outcomes.flatMap((outcome, index) =>
    outcome.kind === 'ordered' ? [{ index, orderId: outcome.orderId }] : [],
  )

/** How a checkout is paid for; null where there is nothing to pay with money. */
export const payByOf = ({ kind, payBy }: Pick<Checkout, 'kind' | 'payBy'>): PayBy | null => {
  switch (kind) {
    case 'card':
      return 'card'
    case 'alternative':
      return payBy ?? 'other'
    case 'free':
      return null
  }
}

// Browsers may say anything, and as often as they like.
export const maxSignals = 20
/** So many answers that change nothing are noted: a provider that comes and goes is asked as often as a browser wants. */
export const maxNotedAnswers = 100
/**
 * So many acts of paying back an attempt remembers of each part, more than a refund has parts: its state stands in a row, and a row does
 * not grow for ever.
 */
export const maxPayouts = 60

export const answerKey = (kind: string, code: string): string => `${kind}:${code}`
export const signalKey = (source: string, claim: string | null): string => `${source}:${claim ?? ''}`

export const isUnresolved = (outcome: LineOutcome | undefined): boolean =>
  outcome?.kind === 'open' || outcome?.kind === 'blocked'

/** The lines that are neither an order nor given up. */
export const unresolvedLines = ({ checkout, outcomes }: AttemptData): MealLine[] =>
  checkout.lines.filter(({ index }) => isUnresolved(outcomes[index]))

/** The customer may be on the provider's page. */
export const isAwaited = ({ status }: PaymentAttempt): boolean =>
  status === 'initiated' || status === 'processing'

/** Money is known to be ours, whatever became of the meals. */
export const isMoneyOurs = (attempt: PaymentAttempt): boolean => {
  switch (attempt.status) {
    case 'paid':
    case 'fulfilled':
    case 'blocked':
    case 'refund_due':
    case 'refunded':
      return true
    case 'recovering':
      return attempt.prior === 'blocked'
    default:
      return false
  }
}

/** Its lines are being made orders. */
export const isFulfilling = (attempt: PaymentAttempt): boolean =>
  attempt.status === 'paid' || (attempt.status === 'recovering' && isMoneyOurs(attempt))

/** Given up without money being known; a late success still wins. */
export const isGivenUp = ({ status }: PaymentAttempt): boolean =>
  status === 'create_failed' ||
  status === 'declined' ||
  status === 'cancelled' ||
  status === 'expired' ||
  status === 'abandoned'

/** States from which a retry may begin (E17). */
export const isRecoverable = (status: AttemptState): status is Recoverable =>
  status === 'blocked' || status === 'review' || status === 'declined' || status === 'create_failed'
