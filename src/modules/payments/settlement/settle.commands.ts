import type { PaymentBypass } from '#contracts/payments'
import type { MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { orderMeals, ordersOfMeals, takenMeals } from '#modules/ordering/index'
import { advanced, noteWritten, type By, commandHandler } from '#platform/event-store/command-handler'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { leaveToSweep } from '#platform/jobs/job'
import { limitConcurrency } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import {
  changeAttempt,
  loadAttempt,
  type AttemptNow,
  type AttemptStep,
  type LoadedAttempt,
  type AttemptRead,
  attemptCredit,
  type AttemptCredit,
} from '../attempt/change-attempt.commands'
import type { SignalSource, OwedPart } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import {
  toPayFor,
  isFulfilling,
  isMoneyOurs,
  paidForLine,
  payByOf,
  unresolvedLines,
  type AttemptEvent,
  type StartedAttempt,
} from '../attempt/payment-attempt'
import { decidePayment } from '../attempt/payment.decide'
import type { noteToken } from '../attempt/references.rows'
import { blockedLines, decideSettlement } from '../attempt/settlement.decide'
import type { NotePrompt, PaymentsNeeds } from '../ports'
import { schoolCurrency, verdictFor, type Verdict } from '../providers/provider'
import { acknowledge, enqueueSettling, settlePaymentActor } from './payment-checks.commands'

/** A browser's `claim` is never believed. */
type Reason = { source: SignalSource; claim?: string | null }

/** `acknowledged` ends when the provider was told that we know, or left to the sweep. Nobody's answer waits for it. */
export type Settled = AttemptNow & { verdict: Verdict | null; acknowledged: Promise<void> }

export type VerifyAndSettle = (
  attemptId: string,
  reason: Reason,
  by: By,
  known?: AttemptRead,
) => Promise<Settled>

/** What the module is given, and what it makes of that once for all that ask the provider. */
export type SettlingNeeds = PaymentsNeeds & {
  settle: VerifyAndSettle
  settings: () => Promise<PaymentBypass>
  notePrompt: NotePrompt
  noteToken: ReturnType<typeof noteToken>
}

const joinMs = 5_000
// A provider that is slow delays a few acknowledgements, and nobody's answer.
const acknowledgedAtOnce = 5

/**
 * The only way to settle a card payment. Concurrent calls settle once and ask once; who finds it paid acknowledges it. Throws
 * `attempt_not_found`.
 */
export const verifyAndSettle = (needs: PaymentsNeeds): VerifyAndSettle => {
  const running = new Map<string, Promise<Settled>>()
  const inTurn = limitConcurrency(acknowledgedAtOnce)
  const start: VerifyAndSettle = async (attemptId, reason, by, known) => {
    const before = known ?? (await loadAttempt(needs, attemptId))
    const settled = await settle(needs, before, reason, by)
    const { attempt, position, verdict } = settled
    const { correlationId } = by
    const acknowledged =
      verdict === null || attempt.status === 'paid'
        ? Promise.resolve()
        : leaveToSweep(
            inTurn(() => acknowledge(needs, settled, { actor: settlePaymentActor, correlationId })),
            'acknowledging a card payment',
            needs.log,
          )
    return { attempt, position, verdict, acknowledged }
  }
  return async (attemptId, reason, by, known) => {
    const earlier = running.get(attemptId)
    if (earlier) return joined(needs, earlier, attemptId, by)
    const started = start(attemptId, reason, by, known).finally(() => running.delete(attemptId))
    running.set(attemptId, started)
    return started
  }
}

const joined = async (
  needs: PaymentsNeeds,
  earlier: Promise<Settled>,
  attemptId: string,
  by: By,
): Promise<Settled> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), joinMs)
  })
  const inTime = await Promise.race([earlier, timeout]).finally(() => clearTimeout(timer))
  const settled = inTime ?? {
    ...(await loadAttempt(needs, attemptId)),
    verdict: null,
    acknowledged: Promise.resolve(),
  }
  noteWritten(by, settled.position)
  return settled
}

/** The finding and the orders that it pays for are one append; where the orders cannot be made, the finding alone. */
const settle = async (
  needs: PaymentsNeeds,
  { attempt: before, loaded: known }: AttemptRead,
  reason: Reason,
  by: By,
): Promise<AttemptRead & Pick<Settled, 'verdict'>> => {
  const { attemptId } = before.checkout
  const verdict = await verdictOf(needs, before)
  const record = (further?: FurtherStep) =>
    changeAttempt(needs, attemptId, by, finding(reason, verdict), { known, further })
  const settled = await record(async (after, at) =>
    after.state.status === 'paid' ? fulfilment(needs)(after, at) : null,
  ).catch(async (fault: unknown) => {
    const found = await record()
    // Paid and recorded: the job makes the orders.
    if (found.attempt.status === 'paid') {
      await noteFailure(needs, attemptId, by, fault).catch(() => undefined)
      await enqueueSettling(needs, found.attempt)
    }
    return found
  })
  alert(needs, settled.attempt, verdict)
  return { ...settled, verdict }
}

const verdictOf = async ({ provider }: PaymentsNeeds, attempt: StartedAttempt): Promise<Verdict | null> => {
  const { token, checkout } = attempt
  if (!token || !provider || isMoneyOurs(attempt)) return null
  return verdictFor(await provider.verify(token.token, { acknowledge: false }), {
    amount: toPayFor(checkout.lines),
    currency: schoolCurrency,
    reference: checkout.companyRef ?? '',
  })
}

type FurtherStep = NonNullable<NonNullable<Parameters<typeof changeAttempt>[4]>['further']>

const finding =
  ({ source, claim = null }: Reason, verdict: Verdict | null) =>
  (attempt: StartedAttempt, now: Date): AttemptEvent[] => {
    const signals = decidePayment({ kind: 'signal', source, claim, now }, attempt)
    const signalled = signals.reduce(paymentAttempt.evolve, attempt)
    const found = verdict ? decidePayment({ kind: 'record-verdict', verdict, now }, signalled) : []
    return [...signals, ...found]
  }

const alert = ({ log }: PaymentsNeeds, { checkout, status }: StartedAttempt, verdict: Verdict | null) => {
  const payment = { attemptId: checkout.attemptId, reference: checkout.companyRef, status }
  if (verdict?.kind === 'config')
    log.error({ ...payment, code: verdict.code }, 'the card provider refuses our credentials or request')
  if (verdict?.kind === 'mismatch')
    log.error(
      { ...payment, differences: verdict.differences },
      'a card payment does not match what was asked for',
    )
  if (verdict?.kind === 'pending' && verdict.unusual)
    log.warn({ ...payment, code: verdict.code }, 'an unusual answer of the card provider')
}

/** Makes orders of paid lines, blocks others (E14, E15). Repeatable and concurrent by event ids. Records a fault (E16) and throws it. */
export const fulfilAttempt =
  (needs: PaymentsNeeds) =>
  async (attemptId: string, by: By): Promise<AttemptRead> => {
    try {
      return await changeAttempt(needs, attemptId, by, () => [], { further: fulfilment(needs) })
    } catch (fault) {
      await noteFailure(needs, attemptId, by, fault)
      throw fault
    }
  }

const fulfilment =
  (needs: PaymentsNeeds) =>
  async (loaded: LoadedAttempt, at: Date): Promise<AttemptStep | null> => {
    const before = loaded.state
    if (before.status === 'none' || !isFulfilling(before)) return null
    const { attemptId } = before.checkout
    const credit = await attemptCredit(needs, before)
    const { changes, orders, blocked, closed } = await mealsOrdered(needs, before, credit, at)
    const ended = decideSettlement({ kind: 'record-fulfilment', orders, blocked, now: at }, before)
    const fulfilled = advanced(paymentAttempt, loaded, ended).state
    const waived = decideSettlement({ kind: 'waive-closed', lines: closed, now: at }, fulfilled)
    const events = [...ended, ...waived]
    const after = advanced(paymentAttempt, loaded, events)
    // Credit is held before orders and spent after, so that spent credit has its meal.
    return {
      changes: [
        ...changes,
        { loaded, events, idSeed: `${attemptId}/fulfilled/${loaded.revision}` },
        ...credit.follow(after.state, at),
      ],
      after,
    }
  }

const mealsOrdered = async (
  needs: PaymentsNeeds,
  attempt: StartedAttempt,
  credit: AttemptCredit,
  at: Date,
) => {
  const { catalogue, identity, ordering, graceMinutes, withdrawnItems } = needs
  const { attemptId, userId, plan } = attempt.checkout
  const lines = unresolvedLines(attempt)
  const reads = {
    items: catalogue.itemsByIds([...new Set(lines.map(({ item }) => item.id))]),
    children: identity.cartChildrenOf(userId),
  }
  const [meals, unavailableNow, closures] = await Promise.all([
    ordering.mealsOf({ attemptId, userId, lines }, at, reads),
    ordering.paidLineUnavailableReasons(userId, lines, at, reads),
    closuresOf(needs, attempt, lines),
  ])
  const isClosed = indexesOf(closures)
  const unavailableReasons = [
    ...unavailableNow.filter(({ index }) => !isClosed.has(index)),
    ...closures.map(({ index }) => ({ index, reason: 'day_blocked' as const })),
  ]
  const alreadyOrdered = indexesOf(ordersOfMeals(meals))
  const blockedWhen = (wanting: ReadonlySet<number>) => {
    const conflicts = takenMeals(meals, at, wanting)
    const soldOut = conflicts.filter(({ code }) => code === 'sold_out')
    return blockedLines(attempt, lines, {
      alreadyOrdered,
      unavailableReasons,
      conflicts: indexesOf(conflicts.filter((line) => !soldOut.includes(line))),
      soldOut: indexesOf(soldOut),
      graceMinutes,
      withdrawnItems,
    })
  }
  const all = indexesOf(lines)
  // Lines blocked anyway take no portion from others.
  const unavailable = blockedWhen(without(all, indexesOf(blockedWhen(new Set()))))
  const available = without(all, indexesOf(unavailable))
  const held = credit.hold(available, at)
  const lacking = credit.lacking()
  const gone = [...available].filter((index) => lacking.has(index) && !alreadyOrdered.has(index))
  const blocked = [...unavailable, ...gone.map((index) => ({ index, reason: 'credit_gone' as const }))]
  const receivedFor = (index: number) => paidForLine(attempt, index)
  const payBy = payByOf(attempt) ?? undefined
  const paying = { paymentStatus: 'confirmed', payBy, receivedFor } as const
  const only = without(available, new Set(gone))
  const ordered = orderMeals(meals, paying, at, { only, byPlan: plan !== undefined })
  const isBlocked = indexesOf(blocked)
  const closed = closures.filter(({ index }) => isBlocked.has(index))
  return { changes: [...held, ...ordered.changes], orders: ordered.orders, blocked, closed }
}

/** Lines whose day was closed since checkout, even if reopened. A line moved by an administrator is judged by its new day. */
const closuresOf = async (
  { cycles }: PaymentsNeeds,
  { checkout, amended }: StartedAttempt,
  lines: readonly MealLine[],
) => {
  const asked = lines.filter(({ index }) => !amended.includes(index))
  const dates = [...new Set(asked.map(({ mealDate }) => mealDate))]
  const closed = dates.length === 0 ? null : await cycles.closedSince(dates, new Date(checkout.at))
  return asked.flatMap(({ index, mealDate, student }) => {
    const closure = closed?.(mealDate, student)
    return closure ? [{ index, closure }] : []
  })
}

const indexesOf = (lines: readonly { index: number }[]) => new Set(lines.map(({ index }) => index))

const without = (all: ReadonlySet<number>, some: ReadonlySet<number>) =>
  new Set([...all].filter((index) => !some.has(index)))

/** A conflict with others is no fault. */
const noteFailure = async (
  needs: PaymentsNeeds,
  attemptId: string,
  by: By,
  fault: unknown,
): Promise<void> => {
  if (fault instanceof WrongExpectedRevision) return
  const { log } = needs
  log.error({ err: fault, attemptId }, 'the orders of a payment could not be made')
  const error = fault instanceof Error ? fault.name : 'fault'
  await changeAttempt(needs, attemptId, by, (attempt, now) =>
    decideSettlement({ kind: 'record-failure', error, now }, attempt),
  ).catch((err: unknown) => log.error({ err, attemptId }, 'nor could that be recorded'))
}

/** In ngwee. */
type PartPayout = { attemptId: string; part: OwedPart; payoutId: string; amount: Ngwee }

export const recordRefund = (ports: Ports) => {
  const handle = commandHandler(paymentAttempt, ports)
  return async ({ attemptId, ...refund }: PartPayout, by: By): Promise<void> => {
    const record = { kind: 'record-refund', ...refund } as const
    const idSeed = `${refund.payoutId}/recorded`
    await handle(attemptId, by, (attempt, at) => decideSettlement({ ...record, now: at }, attempt), idSeed)
  }
}
