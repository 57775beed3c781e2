import type { LineRefusal } from '#contracts/ordering'
import type { Now } from '#platform/clock'
import type { EventStore, Position, StreamAppend } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { LoadedAttempt } from '../attempt/attempts.commands'
import type { Checkout, LineOrder } from '../attempt/events'
import type { PaymentAttempt } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'

/** Who appends, on whose behalf, when. */
export type Author = { actor: string; correlationId: string; at: Date }

/** The meal slots' part of a checkout, as ordering tells it; all of it is safe to repeat. */
export type CheckoutMeals = {
  /** The lines whose day belongs to another attempt. */
  conflicts: (at: Date) => { index: number; code: LineRefusal }[]
  order: (
    paymentStatus: 'confirmed' | 'pending',
    author: Author,
    indexes?: ReadonlySet<number>,
  ) => { appends: StreamAppend[]; orders: LineOrder[] }
  withdraw: (author: Author) => StreamAppend[]
  /** Keeps the days until then; throws the refusal of a day that is another's. */
  reserve: (until: Date, author: Author) => StreamAppend[]
  release: (author: Author) => StreamAppend[]
  /** The orders that lines have become, whatever happened to them since. */
  orders: () => LineOrder[]
}

export type CompleteNeeds = {
  eventStore: Pick<EventStore, 'read' | 'append'>
  mealsOf: (checkout: Pick<Checkout, 'attemptId' | 'userId' | 'lines'>) => Promise<CheckoutMeals>
  now: Now
}

/** What a step of a checkout appends and what the attempt then is. */
export type CheckoutStep = { appends: StreamAppend[]; attempt: PaymentAttempt }

/** An attempt as it is now; `position` of its last event. */
export type AttemptNow = { attempt: PaymentAttempt; position: Position | null }

/**
 * Ends a checkout without a card that was begun: what a crash cut off is finished, or, when a day went to somebody else
 * meanwhile, the lines already placed are taken back and it ends refused; all lines or none. May run at any time and
 * as often as wanted, also beside the request that began the checkout: the events' ids come from the attempt.
 */
export const completeCheckout =
  ({ eventStore, mealsOf, now }: CompleteNeeds) =>
  (attemptId: string, by: Omit<Author, 'at'>): Promise<AttemptNow> =>
    retryOnConflict(async () => {
      const loaded = await loadAttempt(eventStore, attemptId)
      if (loaded.attempt.status === 'none' || loaded.attempt.status === 'fulfilled') return loaded
      const step = lastStep(loaded, await mealsOf(loaded.attempt.checkout), { ...by, at: now() })
      if (step.appends.length === 0) return loaded
      return { attempt: step.attempt, position: await eventStore.append(step.appends) }
    })

const lastStep = (loaded: LoadedAttempt, meals: CheckoutMeals, author: Author): CheckoutStep => {
  if (loaded.attempt.status !== 'draft') return refusing(loaded, [], meals, author)
  const conflicts = meals.conflicts(author.at)
  return conflicts.length > 0 ? refusing(loaded, conflicts, meals, author) : fulfilling(loaded, meals, author)
}

/** Every line becomes an order, then the attempt knows them. */
export const fulfilling = (loaded: LoadedAttempt, meals: CheckoutMeals, author: Author): CheckoutStep => {
  const { appends, orders } = meals.order(paymentStatusOf(loaded.attempt), author)
  const created = paymentAttempt.decide({ kind: 'record-orders', orders, now: author.at }, loaded.attempt)
  const idSeed = `${loaded.id}/orders-created`
  return {
    appends: [...appends, ...attemptAppend(loaded, created, { ...author, idSeed })],
    attempt: advanced(loaded, created).attempt,
  }
}

/** What is paid for outside of the card provider has yet to be seen by an administrator. */
const paymentStatusOf = (attempt: PaymentAttempt): 'confirmed' | 'pending' =>
  attempt.status !== 'none' && attempt.checkout.kind === 'alternative' ? 'pending' : 'confirmed'

/** The decision first, then its effects, then that they are done, so that a crash between leaves a clear next step. */
const refusing = (
  loaded: LoadedAttempt,
  conflicts: ReturnType<CheckoutMeals['conflicts']>,
  meals: CheckoutMeals,
  author: Author,
): CheckoutStep => {
  const refused = paymentAttempt.decide({ kind: 'refuse', lines: conflicts, now: author.at }, loaded.attempt)
  const releasing = advanced(loaded, refused)
  const released = paymentAttempt.decide({ kind: 'confirm-release', now: author.at }, releasing.attempt)
  return {
    appends: [
      ...attemptAppend(loaded, refused, { ...author, idSeed: `${loaded.id}/refused` }),
      ...meals.withdraw(author),
      ...attemptAppend(releasing, released, { ...author, idSeed: `${loaded.id}/released` }),
    ],
    attempt: advanced(releasing, released).attempt,
  }
}
