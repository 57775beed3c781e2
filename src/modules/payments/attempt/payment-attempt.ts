import type { MobileNetwork, PayBy } from '#contracts/ordering'
import { eventReader, type EventOf } from '#kernel/event'
import { type MealLine, moneyOf } from '#kernel/meal-line'
import { type Ngwee, sum } from '#kernel/money'
import type { ProviderMethod } from '../published'
import * as events from './events'
import type {
  BlockReason,
  Checkout,
  LineClosure,
  LineOrder,
  Recoverable,
  RefusedLine,
  OwedPart,
} from './events'

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

type Payer = { network: MobileNetwork; phone: string } | null

/** The last one asked for; `phone` as `+260977123456`, `phones` and `requests` with those before it. `payers` may still pay. */
export type Prompt = {
  network: MobileNetwork
  phone: string
  phones: readonly string[]
  payers: readonly Payer[]
  askedAt: string
  instructions: string | null
  requests: readonly string[]
}

export type AttemptData = {
  checkout: Checkout
  outcomes: readonly LineOutcome[]
  token: ProviderToken | null
  money: Money | null
  /** True also when given up. */
  acknowledged: boolean
  surplus: { owed: Ngwee; paidBack: Ngwee }
  shortfall: Ngwee
  hadProblem: boolean
  failures: number
  lastAnswer: string | null
  notedAnswers: number
  signals: readonly string[]
  refused: readonly RefusedLine[]
  amended: readonly number[]
  payouts: Readonly<Record<string, readonly string[]>>
  /** Absent: the card. */
  method?: ProviderMethod
  prompt?: Prompt
  /** The last requests for a prompt that reached no phone. */
  refusedPrompts?: readonly string[]
  isSuperseded?: true
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

export const payByOf = ({ checkout, method }: Pick<AttemptData, 'checkout' | 'method'>): PayBy | null => {
  switch (checkout.kind) {
    case 'card':
      return method ?? 'card'
    case 'alternative':
      return checkout.payBy ?? 'other'
    case 'free':
      return null
  }
}

/** Of those that may have, the ones of the network that was reported; null for an unknown one. */
export const phonesThatPaid = ({ money, method, prompt }: AttemptData): (string | null)[] => {
  if (!money || !prompt || (method !== 'airtel' && method !== 'mtn')) return []
  const likely = prompt.payers.filter((payer) => payer === null || payer.network === method)
  return (likely.length > 0 ? likely : prompt.payers).map((payer) => payer?.phone ?? null)
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

/** Its token may still be paid by a prompt (E22). */
export const mayReopen = ({ status, token, isSuperseded }: StartedAttempt): boolean =>
  token !== null &&
  (status === 'declined' || status === 'expired' || (status === 'cancelled' && isSuperseded !== true))

export const maxPrompts = 5

export const promptWaitMs = 60_000

export const isPromptRefused = ({ prompt, refusedPrompts }: StartedAttempt): boolean =>
  prompt !== undefined && (refusedPrompts?.includes(prompt.requests.at(-1)!) ?? false)

/** The payer may still answer, so that no other prompt is sent. */
export const isPromptWaiting = (attempt: StartedAttempt, now: Date): boolean =>
  isAwaited(attempt) &&
  attempt.prompt !== undefined &&
  !isPromptRefused(attempt) &&
  now.getTime() - Date.parse(attempt.prompt.askedAt) < promptWaitMs

/** The money has arrived, whatever became of the meals. */
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

/** No money is known; a late success still wins. */
export const isGivenUp = ({ status }: PaymentAttempt): boolean =>
  status === 'create_failed' ||
  status === 'declined' ||
  status === 'cancelled' ||
  status === 'expired' ||
  status === 'abandoned'

/** States a retry may start from (E17). */
export const isRecoverable = (status: AttemptState): status is Recoverable =>
  status === 'blocked' || status === 'review' || status === 'declined' || status === 'create_failed'

export type CreditLine = { index: number; amount: Ngwee; wants: 'held' | 'spent' | 'released' | 'as-is' }

export const withCredit = (lines: readonly MealLine[], balance: Ngwee): MealLine[] => {
  let left = balance
  return lines.map((line) => {
    const credit = Math.min(line.price, left)
    left -= credit
    return credit > 0 ? { ...line, credit } : line
  })
}

export const toPayFor = (lines: readonly MealLine[]): Ngwee =>
  lines.reduce((sum, line) => sum + moneyOf(line), 0)

export const creditLines = (attempt: PaymentAttempt): CreditLine[] =>
  attempt.status === 'none'
    ? []
    : attempt.checkout.lines.flatMap(({ index, credit = 0 }) =>
        credit > 0 ? [{ index, amount: credit, wants: wantedFor(attempt, index) }] : [],
      )

/** Credit is held while payable, spent once ordered, else released. */
const wantedFor = (attempt: StartedAttempt, index: number): CreditLine['wants'] => {
  const outcome = attempt.outcomes[index]
  if (outcome?.kind === 'ordered') return 'spent'
  if (outcome?.kind === 'waived') return 'released'
  if (attempt.status === 'draft' || isAwaited(attempt)) return 'held'
  const isRefused = attempt.status === 'releasing' || attempt.status === 'refused'
  return isGivenUp(attempt) || isRefused ? 'released' : 'as-is'
}

/** In ngwee. Invariant: `received` + `shortfall` = `ordered` + `held` + `owed` + `paidBack`. `fee` came on top. */
type Ledger = {
  received: Ngwee
  fee: Ngwee
  ordered: Ngwee
  /** Ordered without payment, up to what a person accepted as missing. */
  shortfall: Ngwee
  /** Neither ordered nor owed; zero once ended. */
  held: Ngwee
  owed: Ngwee
  paidBack: Ngwee
}

const nothing: Ledger = { received: 0, fee: 0, ordered: 0, shortfall: 0, held: 0, owed: 0, paidBack: 0 }

export const ledgerOf = (attempt: PaymentAttempt): Ledger => {
  if (attempt.status === 'none' || attempt.checkout.kind !== 'card' || !attempt.money) return nothing
  const { outcomes, checkout, surplus, money } = attempt
  const received = money.amount ?? toPayFor(checkout.lines)
  const waived = outcomes.flatMap((outcome) => (outcome.kind === 'waived' ? [outcome] : []))
  const paidBack = sum(waived.map((outcome) => outcome.paidBack)) + surplus.paidBack
  const owed = sum(waived.map((outcome) => outcome.owed)) + surplus.owed - paidBack
  const ordered = sum(checkout.lines.filter(({ index }) => outcomes[index]?.kind === 'ordered').map(moneyOf))
  const rest = received - ordered - owed - paidBack
  const [held, shortfall] = rest >= 0 ? [rest, 0] : [0, -rest]
  return { received, fee: money.fee, ordered, shortfall, held, owed, paidBack }
}

export const heldOf = (attempt: StartedAttempt): Ngwee => ledgerOf(attempt).held

export type OwedBack = {
  part: OwedPart
  userId: number
  amount: Ngwee
  student: { name: string; grade: string }
  item: { name: string }
  orderedAt: string
  closure?: LineClosure | undefined
}

export const owedBack = (attempt: PaymentAttempt): OwedBack[] => {
  if (attempt.status === 'none') return []
  const { checkout, outcomes, surplus } = attempt
  const common = { userId: checkout.userId, orderedAt: checkout.at }
  const lines = checkout.lines.flatMap(({ index, student: { name, grade }, item }): OwedBack[] => {
    const outcome = outcomes[index]
    if (outcome?.kind !== 'waived' || outcome.owed === 0) return []
    const { owed: amount, closure } = outcome
    return [
      {
        ...common,
        part: index,
        amount,
        student: { name, grade },
        item: { name: item.name },
        ...(closure && { closure }),
      },
    ]
  })
  const first = checkout.lines[0]?.student
  if (surplus.owed === 0 || !first) return lines
  const student = { name: first.name, grade: first.grade }
  return [
    ...lines,
    { ...common, part: 'surplus', amount: surplus.owed, student, item: { name: 'Overpayment' } },
  ]
}

/** Price less credit and accepted shortfall, which the cart's last lines bear for good: never more goes back than came in (R13). */
export const paidForLine = (attempt: PaymentAttempt, index: number): Ngwee => {
  if (attempt.status === 'none') return 0
  const { lines } = attempt.checkout
  const line = lines.find((one) => one.index === index)
  if (!line) return 0
  const after = lines.filter((one) => one.index > index)
  const missing = Math.max(0, attempt.shortfall - toPayFor(after))
  return moneyOf(line) - Math.min(moneyOf(line), missing)
}
