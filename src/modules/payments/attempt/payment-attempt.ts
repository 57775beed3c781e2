import type { PayBy } from '#contracts/ordering'
import { eventReader, type EventOf } from '#kernel/event'
import type { MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import * as events from './events'
import type { BlockReason, Checkout, LineClosure, LineOrder, Recoverable, RefusedLine } from './events'

export const attemptEventTypes = Object.values(events)
export type AttemptEvent = EventOf<(typeof attemptEventTypes)[number]>
export const readAttemptEvent = eventReader(...attemptEventTypes)

/** payments.md section 5, plus `releasing` and `refused` for checkouts without a card. */
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

type Money = { amount: Ngwee | null; fee: Ngwee; verifiedAt: string; late: boolean }

/** `waived` is owed until `paidBack` reaches `owed`. */
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
  outcomes: readonly LineOutcome[]
  token: ProviderToken | null
  money: Money | null
  /** Or given up. */
  acknowledged: boolean
  surplus: { owed: Ngwee; paidBack: Ngwee }
  shortfall: Ngwee
  /** For the mark "recovered". */
  hadProblem: boolean
  failures: number
  lastAnswer: string | null
  notedAnswers: number
  signals: readonly string[]
  refused: readonly RefusedLine[]
  amended: readonly number[]
  payouts: Readonly<Record<string, readonly string[]>>
}

export type PaymentAttempt =
  | { status: 'none' }
  | (AttemptData & { status: Exclude<AttemptState, 'recovering'> })
  | (AttemptData & { status: 'recovering'; prior: Recoverable; leaseUntil: string })

export type StartedAttempt = Exclude<PaymentAttempt, { status: 'none' }>

export const about = ({ checkout }: AttemptData, now: Date) => ({
  attemptId: checkout.attemptId,
  at: now.toISOString(),
})

export const ordersOf = ({ outcomes }: AttemptData): LineOrder[] =>
  outcomes.flatMap((outcome, index) =>
    outcome.kind === 'ordered' ? [{ index, orderId: outcome.orderId }] : [],
  )

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

// Bounds a browser's claims.
export const maxSignals = 20
/** Bounds noted answers: browsers can trigger questions without end. */
export const maxNotedAnswers = 100
/** Payouts remembered per part, more than a refund has: the state is a row, which must not grow for ever. */
export const maxPayouts = 60

export const answerKey = (kind: string, code: string): string => `${kind}:${code}`
export const signalKey = (source: string, claim: string | null): string => `${source}:${claim ?? ''}`

export const isUnresolved = (outcome: LineOutcome | undefined): boolean =>
  outcome?.kind === 'open' || outcome?.kind === 'blocked'

export const unresolvedLines = ({ checkout, outcomes }: AttemptData): MealLine[] =>
  checkout.lines.filter(({ index }) => isUnresolved(outcomes[index]))

/** The customer may be on the provider's page. */
export const isAwaited = ({ status }: PaymentAttempt): boolean =>
  status === 'initiated' || status === 'processing'

/** Received, whatever became of the meals. */
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

export const isFulfilling = (attempt: PaymentAttempt): boolean =>
  attempt.status === 'paid' || (attempt.status === 'recovering' && isMoneyOurs(attempt))

/** Without known money; a late success still wins. */
export const isGivenUp = ({ status }: PaymentAttempt): boolean =>
  status === 'create_failed' ||
  status === 'declined' ||
  status === 'cancelled' ||
  status === 'expired' ||
  status === 'abandoned'

/** States a retry may start from (E17). */
export const isRecoverable = (status: AttemptState): status is Recoverable =>
  status === 'blocked' || status === 'review' || status === 'declined' || status === 'create_failed'
