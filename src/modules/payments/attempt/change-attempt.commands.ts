import type { MealLine } from '#kernel/meal-line'
import { releaseMeals } from '#modules/ordering/index'
import {
  advanced,
  handleCommand,
  loadStream,
  loadStreams,
  type By,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import type { Ports } from '#platform/ports'
import type { PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'
import { paymentAttempt } from './fold'
import {
  isAwaited,
  isGivenUp,
  type StartedAttempt,
  type AttemptEvent,
  creditLines,
  type CreditLine,
  type PaymentAttempt,
  phonesThatPaid,
} from './payment-attempt'

export type AttemptNow = { attempt: StartedAttempt; position: Position | null }

export type LoadedAttempt = LoadedStream<PaymentAttempt, AttemptEvent>
/** As it was read or appended: what `known` of a change asks for. */
export type AttemptRead = AttemptNow & { loaded: LoadedAttempt }

/** Throws `attempt_not_found`. */
export const loadAttempt = async (ports: Ports, attemptId: string): Promise<AttemptRead> =>
  (await loadAttempts(ports, [attemptId]))[0]!

/** In the order of the ids. Throws `attempt_not_found`. */
export const loadAttempts = async (
  { eventStore }: Ports,
  attemptIds: readonly string[],
): Promise<AttemptRead[]> => {
  const streams = await loadStreams(eventStore, paymentAttempt, attemptIds)
  return streams.map((loaded) => {
    const { state, position } = loaded
    if (state.status === 'none') throw refusal('attempt_not_found')
    return { attempt: state, position, loaded }
  })
}

/** What goes into one append: changes, and the attempt after them. */
export type AttemptStep = { changes: StreamChange[]; after: LoadedAttempt }

/**
 * Decides and appends; giving up also releases days and credit in that append (after a crash they expire). `known`, as read or appended
 * before, saves reading the attempt again unless it has changed. `further` may go on from there in the same append; it follows the credit
 * itself. Throws `attempt_not_found`.
 */
export const changeAttempt = (
  needs: PaymentsNeeds,
  attemptId: string,
  by: By,
  decide: (attempt: StartedAttempt, at: Date) => AttemptEvent[] | Promise<AttemptEvent[]>,
  {
    known,
    further = async () => null,
  }: {
    known?: LoadedAttempt | undefined
    further?: (after: LoadedAttempt, at: Date) => Promise<AttemptStep | null>
  } = {},
): Promise<AttemptRead> => {
  const { eventStore, ordering } = needs
  const decided = async (loaded: LoadedAttempt, at: Date) => {
    if (loaded.state.status === 'none') throw refusal('attempt_not_found')
    return { loaded, before: loaded.state, events: await decide(loaded.state, at) }
  }
  const reread = async (at: Date) => decided(await loadStream(eventStore, paymentAttempt, attemptId), at)
  const changed = handleCommand(needs, by, async (at, tries) => {
    const early = known && tries === 1 ? await decided(known, at) : null
    // Only an append notices that somebody else was faster.
    const { loaded, before, events } = early && early.events.length > 0 ? early : await reread(at)
    const after = advanced(paymentAttempt, loaded, events)
    const attempt = after.state as StartedAttempt
    const heldDays = isAwaited(before) || before.status === 'draft'
    const released =
      heldDays && isGivenUp(attempt) ? releaseMeals(await ordering.mealsOf(attempt.checkout, at), at) : []
    const change = { loaded, events }
    const more = await further(after, at)
    if (more) return { ...more, changes: [change, ...released, ...more.changes] }
    const credit = events.length > 0 ? (await attemptCredit(needs, attempt)).follow(attempt, at) : []
    return { changes: [change, ...released, ...credit], after }
  })
  return changed.then(({ after, position }) => ({
    attempt: after.state as StartedAttempt,
    position,
    loaded: { ...after, position },
  }))
}

export type AttemptCredit = {
  follow: (attempt: PaymentAttempt, at: Date) => StreamChange[]
  hold: (indexes: ReadonlySet<number>, at: Date) => StreamChange[]
  lacking: () => ReadonlySet<number>
}

const none: AttemptCredit = { follow: () => [], hold: () => [], lacking: () => new Set() }

export const attemptCredit = async (
  { credit }: PaymentsNeeds,
  attempt: PaymentAttempt,
): Promise<AttemptCredit> => {
  const lines = creditLines(attempt)
  if (attempt.status === 'none' || lines.length === 0) return none
  const { attemptId, userId } = attempt.checkout
  const account = await credit.accountOf(userId)
  const change = (checkout: StartedAttempt, wanted: readonly CreditLine[], at: Date): StreamChange[] => [
    account.follow(
      { userId, attemptId, reference: checkout.checkout.companyRef, lines: wanted, texts: textsOf(checkout) },
      at,
    ),
  ]
  return {
    follow: (now, at) => (now.status === 'none' ? [] : change(now, creditLines(now), at)),
    hold: (indexes, at) =>
      change(
        attempt,
        lines.map((line) => ({ ...line, wants: indexes.has(line.index) ? 'held' : 'as-is' })),
        at,
      ),
    lacking: () => new Set(lines.map(({ index }) => index).filter((index) => !account.has(attemptId, index))),
  }
}

const textsOf = ({ checkout: { lines } }: StartedAttempt) => {
  const meals = lines.length === 1 ? '1 meal' : `${lines.length} meals`
  return { held: `Credit reserved (${meals})`, released: `Credit released (${meals})` }
}

type PaidCheckout = {
  reference: string | null
  providerReference: string | null
  phones: (string | null)[]
  meals: MealLine[]
}

export const paidCheckout =
  ({ eventStore }: Ports) =>
  async (attemptId: string, at: string): Promise<PaidCheckout | null> => {
    const { events } = await loadStream(eventStore, paymentAttempt, attemptId)
    const attempt = events
      .filter(({ data }) => data.at <= at)
      .reduce(paymentAttempt.evolve, paymentAttempt.initial)
    if (attempt.status === 'none') return null
    return {
      reference: attempt.checkout.companyRef,
      providerReference: attempt.token && (attempt.token.ref ?? attempt.token.token),
      phones: phonesThatPaid(attempt),
      meals: attempt.checkout.lines,
    }
  }
