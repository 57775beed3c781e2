import { moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { refusal } from '../refusals'
import * as events from './events'
import type { BlockedLine, BlockReason, LineClosure, LineOrder, OwedPart } from './events'
import { paymentAttempt } from './fold'
import {
  toPayFor,
  heldOf,
  about,
  isFulfilling,
  isRecoverable,
  unresolvedLines,
  type PaymentAttempt,
  type StartedAttempt,
  type AttemptEvent,
} from './payment-attempt'

type RecordFulfilment = { kind: 'record-fulfilment'; orders: LineOrder[]; blocked: BlockedLine[]; now: Date }
type RecordFailure = { kind: 'record-failure'; error: string; now: Date }
type StartRecovery = { kind: 'start-recovery'; amended: MealLine[]; now: Date }
type EndRecovery = { kind: 'end-recovery'; why: 'not-paid' | 'lease-lost'; now: Date }
type Accept = { kind: 'accept'; reason: string; now: Date }
type Waive = { kind: 'waive'; reason: string; now: Date }
/** Paid lines of closed days are owed by the closure's remedy. */
type WaiveClosed = {
  kind: 'waive-closed'
  lines: readonly { index: number; closure: LineClosure }[]
  now: Date
}
type RecordRefund = { kind: 'record-refund'; part: OwedPart; payoutId: string; amount: Ngwee; now: Date }

export type SettlementCommand =
  | RecordFulfilment
  | RecordFailure
  | StartRecovery
  | EndRecovery
  | Accept
  | Waive
  | WaiveClosed
  | RecordRefund

const leaseMs = 60_000
/** Consecutive faults that block the lines (E16). */
const maxFailures = 5

/** From money to orders or refunds: E14 to E21 of payments.md section 5. */
export const decideSettlement = (command: SettlementCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'none') throw refusal('attempt_not_found')
  switch (command.kind) {
    case 'record-fulfilment':
      return recordFulfilment(command, attempt)
    case 'record-failure':
      return recordFailure(command, attempt)
    case 'start-recovery':
      return startRecovery(command, attempt)
    case 'end-recovery':
      return endRecovery(command, attempt)
    case 'accept':
      return accept(command, attempt)
    case 'waive':
      return waive(command, attempt)
    case 'waive-closed':
      return waiveClosed(command, attempt)
    case 'record-refund':
      return recordRefund(command, attempt)
  }
}

const recordFulfilment = (command: RecordFulfilment, attempt: StartedAttempt): AttemptEvent[] => {
  if (!isFulfilling(attempt)) return []
  const waiting = new Set(unresolvedLines(attempt).map(({ index }) => index))
  const orders = command.orders.filter(({ index }) => waiting.has(index))
  const lines = command.blocked.filter(({ index }) => waiting.has(index))
  if (orders.length + lines.length !== waiting.size)
    throw new Error('A fulfilment names every unresolved line exactly once')
  const ended = [
    ...(orders.length > 0 ? [events.ordersCreated({ ...about(attempt, command.now), orders })] : []),
    ...(lines.length > 0 ? [events.linesBlocked({ ...about(attempt, command.now), lines })] : []),
  ]
  return [
    ...ended,
    ...refundIfCreditSpent(ended.reduce(paymentAttempt.evolve, attempt as PaymentAttempt), command.now),
  ]
}

const refundIfCreditSpent = (attempt: PaymentAttempt, now: Date): AttemptEvent[] => {
  if (attempt.status !== 'blocked') return []
  const isGone = ({ index }: MealLine) => {
    const outcome = attempt.outcomes[index]
    return outcome?.kind === 'blocked' && outcome.reason === 'credit_gone'
  }
  const gone = unresolvedLines(attempt).filter(isGone)
  if (gone.length === 0) return []
  const lines = shareOut(heldOf(attempt), gone)
  return [events.remainderWaived({ ...about(attempt, now), lines, surplus: 0, reason: creditGone })]
}

const creditGone = 'The credit that was to pay a part of it had been spent'

const recordFailure = (command: RecordFailure, attempt: StartedAttempt): AttemptEvent[] => {
  if (!isFulfilling(attempt)) return []
  const failed = attempt.failures + 1
  const failure = events.fulfilmentFailed({
    ...about(attempt, command.now),
    attempt: failed,
    error: command.error,
  })
  const isHopeless = attempt.status === 'recovering' || failed >= maxFailures
  const lines = unresolvedLines(attempt).map(({ index }) => ({ index, reason: 'error' as const }))
  return isHopeless ? [failure, events.linesBlocked({ ...about(attempt, command.now), lines })] : [failure]
}

const startRecovery = (command: StartRecovery, attempt: StartedAttempt): AttemptEvent[] => {
  const given = about(attempt, command.now)
  const isLost = attempt.status === 'recovering' && Date.parse(attempt.leaseUntil) <= command.now.getTime()
  if (attempt.status === 'recovering' && !isLost) throw refusal('recovery_in_progress')
  const prior = attempt.status === 'recovering' ? attempt.prior : attempt.status
  if (!isRecoverable(prior)) throw refusal('nothing_to_recover')
  const leaseUntil = new Date(command.now.getTime() + leaseMs).toISOString()
  return [
    ...(isLost ? [events.recoveryEnded({ ...given, why: 'lease-lost' })] : []),
    events.recoveryStarted({ ...given, prior, leaseUntil }),
    ...amendments(command, attempt),
  ]
}

/** Unresolved lines at the price paid: an amendment moves no money. */
const amendments = (command: StartRecovery, attempt: StartedAttempt): AttemptEvent[] => {
  if (command.amended.length === 0) return []
  const paid = new Map(unresolvedLines(attempt).map(({ index, price }) => [index, price]))
  for (const { index, price } of command.amended)
    if (paid.get(index) !== price) throw refusal('line_not_amendable')
  return [events.linesAmended({ ...about(attempt, command.now), lines: command.amended })]
}

const endRecovery = (command: EndRecovery, attempt: StartedAttempt): AttemptEvent[] => {
  if (attempt.status !== 'recovering') return []
  const isHeld = Date.parse(attempt.leaseUntil) > command.now.getTime()
  if (command.why === 'lease-lost' && isHeld) return []
  if (command.why === 'not-paid' && attempt.prior === 'blocked') return []
  return [events.recoveryEnded({ ...about(attempt, command.now), why: command.why })]
}

/** An unreported amount counts as the total, as a person judged it. */
const accept = (command: Accept, attempt: StartedAttempt): AttemptEvent[] => {
  if (attempt.status === 'paid') return []
  if (attempt.status !== 'review') throw refusal('nothing_to_accept')
  const total = toPayFor(attempt.checkout.lines)
  const amount = attempt.money?.amount ?? total
  const surplus = Math.max(0, amount - total)
  const shortfall = Math.max(0, total - amount)
  return [
    events.mismatchAccepted({
      ...about(attempt, command.now),
      amount,
      surplus,
      shortfall,
      reason: command.reason,
    }),
  ]
}

const waive = (command: Waive, attempt: StartedAttempt): AttemptEvent[] => {
  if (attempt.status === 'refund_due' || attempt.status === 'refunded') return []
  if (attempt.status !== 'blocked' && attempt.status !== 'review') throw refusal('nothing_to_waive')
  const held = heldOf(attempt)
  const lines = shareOut(held, unresolvedLines(attempt))
  const surplus = held - lines.reduce((sum, { amount }) => sum + amount, 0)
  return [events.remainderWaived({ ...about(attempt, command.now), lines, surplus, reason: command.reason })]
}

const waiveClosed = (command: WaiveClosed, attempt: StartedAttempt): AttemptEvent[] => {
  const shares = shareOut(heldOf(attempt), unresolvedLines(attempt))
  const closures = new Map(command.lines.map(({ closure }) => [closure.id, closure]))
  return [...closures.values()].flatMap((closure) => {
    const of = new Set(command.lines.flatMap((line) => (line.closure.id === closure.id ? [line.index] : [])))
    const lines = shares.filter(({ index }) => of.has(index))
    if (lines.length === 0) return []
    const given = { lines, surplus: 0, reason: 'There is no lunch at school on this day', closure }
    return [events.remainderWaived({ ...about(attempt, command.now), ...given })]
  })
}

const owedFor = (attempt: StartedAttempt, part: OwedPart): { owed: Ngwee; paidBack: Ngwee } | null => {
  if (part === 'surplus') return attempt.surplus.owed > 0 ? attempt.surplus : null
  const outcome = attempt.outcomes[part]
  return outcome?.kind === 'waived' ? outcome : null
}

const recordRefund = (command: RecordRefund, attempt: StartedAttempt): AttemptEvent[] => {
  const due = owedFor(attempt, command.part)
  if (!due) throw refusal('nothing_owed')
  if (attempt.payouts[command.part]?.includes(command.payoutId)) return []
  if (command.amount > due.owed - due.paidBack) throw refusal('refund_too_high')
  const { part, payoutId, amount } = command
  return [events.refundRecorded({ ...about(attempt, command.now), part, payoutId, amount })]
}

const shareOut = (held: Ngwee, lines: readonly MealLine[]): { index: number; amount: Ngwee }[] => {
  let left = held
  return lines.map((line) => {
    const amount = Math.min(moneyOf(line), Math.max(0, left))
    left -= amount
    return { index: line.index, amount }
  })
}

export type FulfilmentFacts = {
  /** Ordered before a crash, without our knowing. */
  alreadyOrdered: ReadonlySet<number>
  unavailableReasons: readonly BlockedLine[]
  conflicts: ReadonlySet<number>
  soldOut: ReadonlySet<number>
  graceMinutes: number
  withdrawnItems: 'honour' | 'hold'
}

type PaidLine = FulfilmentFacts & { attempt: StartedAttempt; line: MealLine; unavailable: BlockReason | null }
type BlockPolicy = (paid: PaidLine) => BlockReason | null

const available: BlockPolicy = ({ unavailable }) => (unavailable === 'item_withdrawn' ? null : unavailable)

const inTime: BlockPolicy = ({ attempt, line, graceMinutes }) =>
  paidInTime(attempt, line, graceMinutes) ? null : 'cutoff_passed'

const dayFree: BlockPolicy = ({ line, conflicts }) => (conflicts.has(line.index) ? 'duplicate_day' : null)

const portionLeft: BlockPolicy = ({ line, soldOut }) => (soldOut.has(line.index) ? 'sold_out' : null)

const notWithdrawn: BlockPolicy = ({ attempt, line, unavailable, withdrawnItems }) =>
  unavailable === 'item_withdrawn' && withdrawnItems === 'hold' && !isJudged(attempt, line.index)
    ? 'item_withdrawn'
    : null

/** In order: the first that holds is the reason. */
const blockPolicies: readonly BlockPolicy[] = [available, inTime, dayFree, portionLeft, notWithdrawn]

export const blockedLines = (
  attempt: StartedAttempt,
  lines: readonly MealLine[],
  facts: FulfilmentFacts,
): BlockedLine[] => {
  const reasons = new Map(facts.unavailableReasons.map(({ index, reason }) => [index, reason]))
  return lines.flatMap((line): BlockedLine[] => {
    const { index } = line
    if (facts.alreadyOrdered.has(index)) return []
    const paid = { ...facts, attempt, line, unavailable: reasons.get(index) ?? null }
    const [reason] = blockPolicies.flatMap((policy) => policy(paid) ?? [])
    return reason ? [{ index, reason }] : []
  })
}

/** A person retried or amended the line: it is cooked. */
const isJudged = ({ outcomes, amended }: StartedAttempt, index: number): boolean => {
  const outcome = outcomes[index]
  return amended.includes(index) || (outcome?.kind === 'blocked' && outcome.reason === 'item_withdrawn')
}

/** Token before the cutoff, verified within `graceMinutes` after it (payments.md section 8 rule 3). An amended line is in time. */
const paidInTime = (attempt: StartedAttempt, line: MealLine, graceMinutes: number): boolean => {
  if (attempt.amended.includes(line.index)) return true
  const cutoff = Date.parse(line.cutoffAt)
  const issued = attempt.token ? Date.parse(attempt.token.issuedAt) : 0
  const verified = attempt.money ? Date.parse(attempt.money.verifiedAt) : Infinity
  return issued < cutoff && verified <= cutoff + graceMinutes * 60_000
}
