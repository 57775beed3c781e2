import { createHash } from 'node:crypto'
import { v5, v7 } from 'uuid'
import type { CartLine, CheckoutWay, Order, PayWay } from '#contracts/ordering'
import type { SchoolDate } from '#kernel/school-time'
import {
  orderMeals,
  takenMeals,
  withdrawMeals,
  type CheckedCart,
  type Meals,
  type OrderedMeals,
} from '#modules/ordering/index'
import { linesRefused } from '#modules/ordering/published'
import {
  advanced,
  handleCommand,
  loadStream,
  type By,
  type StreamChange,
} from '#platform/event-store/command-handler'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { sweepOf } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import { unfinishedFreeAttempts } from '../attempt/attempts.view'
import { attemptCredit, type AttemptCredit, type LoadedAttempt } from '../attempt/change-attempt.commands'
import { decideCheckout, refuseOtherBody } from '../attempt/checkout.decide'
import type { Checkout, RefusedLine } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import { toPayFor, withCredit, ordersOf, payByOf, type PaymentAttempt } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../ports'
import { checkAfterSuperseding } from '../settlement/give-up.commands'
import type { SettlingNeeds } from '../settlement/settle.commands'
import type { CheckoutTerms, Terms } from './terms.commands'

type AskedCheckout = {
  userId: number
  lines: readonly CartLine[]
  useCredit: boolean
  body: unknown
  idempotencyKey: string | null
  by: By
}

/** `plan`: the week that a plan orders; without `payBy` credit alone pays. */
type OwnCheckout = AskedCheckout & { payBy: PayWay | null; plan?: SchoolDate; office?: undefined }
/** `userId` is the family's; `refuse` is asked before anything is placed, not when a request is repeated. */
export type OfficeCheckout = AskedCheckout & {
  payBy: CheckoutWay | null
  office: NonNullable<Checkout['office']>
  plan?: undefined
  refuse: () => Promise<void>
}
export type FreeCheckout = OwnCheckout | OfficeCheckout

export type PlacedCheckout = { orders: Order[]; checkout: Checkout }

const attemptNamespace = 'c2a4f2b4-6c3e-4b0a-9d55-0a2f8f1f7e21'

/** The same Idempotency-Key names the same attempt, none a new one (docs/decisions/0004-idempotency-by-attempt-id.md). */
export const attemptIdFor = (userId: number, idempotencyKey: string | null): string =>
  idempotencyKey === null ? v7() : v5(`${userId}/${idempotencyKey}`, attemptNamespace)

/** An administrator never orders for itself, so that no family's key is met. */
const attemptIdOf = ({ userId, office, idempotencyKey: key }: FreeCheckout): string =>
  office ? attemptIdFor(office.by, key && `${userId}/${key}`) : attemptIdFor(userId, key)

export const bodyHashOf = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('base64url')

/**
 * Places all or nothing; the same key and cart repeat the first answer. Throws `lines_refused`, `payment_required`, refusals of `termsOf`
 * and `refuseOtherWay`, `payment_in_progress` and `idempotency_key_reused`.
 */
export const placeFreeCheckout =
  (needs: SettlingNeeds, terms: CheckoutTerms) =>
  async (asked: FreeCheckout): Promise<PlacedCheckout> => {
    const attemptId = attemptIdOf(asked)
    const bodyHash = bodyHashOf(asked.body)
    const { attempt, placed } = await handleCommand(needs, asked.by, async (at): Promise<Step> => {
      const loaded = await loadStream(needs.eventStore, paymentAttempt, attemptId)
      refuseOtherBody(loaded.state, bodyHash)
      return loaded.state.status === 'none'
        ? begin(needs, terms, loaded, { ...asked, attemptId, bodyHash, at })
        : complete(needs, loaded, at)
    })
    if (attempt.status === 'refused') throw linesRefused(attempt.refused)
    if (attempt.status !== 'fulfilled') throw new Error(`A checkout ended ${attempt.status}`)
    const { ordering, now } = needs
    const ids = ordersOf(attempt).map(({ orderId }) => orderId)
    const orders = await ordering.orderReplies(placed ? { placed } : { ids }, now())
    return { orders, checkout: attempt.checkout }
  }

/** Completes a checkout after a crash, or refuses it when a day is gone. Event ids come from the attempt, so it is safe to repeat. */
export const completeCheckout = (needs: PaymentsNeeds) => (attemptId: string, by: By) =>
  handleCommand(needs, by, async (at) =>
    complete(needs, await loadStream(needs.eventStore, paymentAttempt, attemptId), at),
  )

type Begin = FreeCheckout & { attemptId: string; bodyHash: string; at: Date }
/** `placed` are the orders where this step placed them. */
type Step = { changes: StreamChange[]; attempt: PaymentAttempt; placed?: OrderedMeals['placed'] }

/** In one append, so that a crash in between can be repaired. Another chosen way, and the office, gives up the own card payment of these days. */
const begin = async (
  needs: SettlingNeeds,
  { refuseOtherWay, termsOf }: CheckoutTerms,
  loaded: LoadedAttempt,
  asked: Begin,
): Promise<Step> => {
  const { attemptId, bodyHash, userId, payBy, office, plan, at } = asked
  if (asked.office) await asked.refuse()
  else if (asked.payBy) await refuseOtherWay(asked.payBy)
  const price = pricedCart(needs, asked, at)
  const supersedes = payBy !== null || office !== undefined
  const cart = supersedes ? (await checkAfterSuperseding(needs, price, asked)).cart : await price()
  const { counted, ...terms }: Terms =
    toPayFor(cart.lines) === 0
      ? { kind: 'free', companyRef: null }
      : await termsOf(attemptId, asked, cart.lines)
  const orderer = { ...(office && { office }), ...(plan && { plan }) }
  const checkout = { attemptId, ...terms, userId, lines: cart.lines, bodyHash, ...orderer }
  const { started, credit, changes } = await startCheckout(needs, loaded, checkout, at)
  const ended = fulfilled(needs, started, cart, credit, at)
  return { ...ended, changes: [...(counted ? [counted] : []), ...changes, ...ended.changes] }
}

type Cart = Pick<AskedCheckout, 'userId' | 'lines' | 'useCredit'> & {
  attemptId: string
  office?: Checkout['office']
}

/** Asked again after another payment of these days was given up. Throws `lines_refused`. */
export const pricedCart =
  ({ ordering, credit }: PaymentsNeeds, { attemptId, userId, lines, useCredit, office }: Cart, at: Date) =>
  async (): Promise<CheckedCart> => {
    const balance = useCredit ? (await credit.accountOf(userId)).balance() : 0
    const buyer = { userId, attemptId, ...(office && { office: { late: office.late !== null } }) }
    return ordering.checkCart(buyer, lines, at, (priced) => withCredit(priced, balance))
  }

/** Begins the attempt and holds its credit: what every way to pay appends first. */
export const startCheckout = async (
  needs: PaymentsNeeds,
  loaded: LoadedAttempt,
  checkout: Omit<Checkout, 'total' | 'at'>,
  at: Date,
): Promise<{ started: LoadedAttempt; credit: AttemptCredit; changes: StreamChange[] }> => {
  const events = decideCheckout({ kind: 'start', checkout, now: at }, loaded.state)
  const started = advanced(paymentAttempt, loaded, events)
  const credit = await attemptCredit(needs, started.state)
  const held = credit.follow(started.state, at)
  // The balance changed since reading: retries this step.
  if (credit.lacking().size > 0) throw new WrongExpectedRevision(loaded.stream, loaded.revision)
  const idSeed = `${checkout.attemptId}/started/${checkout.bodyHash}`
  return { started, credit, changes: [{ loaded, events, idSeed }, ...held] }
}

const complete = async (needs: PaymentsNeeds, loaded: LoadedAttempt, at: Date): Promise<Step> => {
  const attempt = loaded.state
  if (attempt.status === 'none') return { changes: [{ loaded, events: [] }], attempt }
  const credit = await attemptCredit(needs, attempt)
  const followed = credit.follow(attempt, at)
  if (attempt.status === 'fulfilled') return { changes: [{ loaded, events: [] }, ...followed], attempt }
  const meals = await needs.ordering.mealsOf(attempt.checkout, at)
  const taken = takenMeals(meals, at).map(({ index, code }) => ({ index, code }))
  const lacking = [...credit.lacking()].map((index) => ({ index, code: 'credit_gone' as const }))
  const conflicts = attempt.status === 'draft' ? [...taken, ...lacking] : []
  const ended =
    attempt.status === 'draft' && conflicts.length === 0
      ? fulfilled(needs, loaded, meals, credit, at)
      : refused(loaded, conflicts, meals, credit, at)
  return { ...ended, changes: [...followed, ...ended.changes] }
}

/** Orders first, then the attempt, then its credit. */
const fulfilled = (
  { graceMinutes }: PaymentsNeeds,
  loaded: LoadedAttempt,
  meals: Meals,
  credit: AttemptCredit,
  at: Date,
): Step => {
  const before = loaded.state
  // An administrator must see the money first.
  const payBy = before.status === 'none' ? null : payByOf(before)
  const paying =
    payBy === null
      ? ({ paymentStatus: 'confirmed' } as const)
      : ({ paymentStatus: 'pending', payBy, graceMinutes } as const)
  const { office, plan } = before.status === 'none' ? {} : before.checkout
  const by = { byOffice: office !== undefined, byPlan: plan !== undefined }
  const { changes, orders, placed } = orderMeals(meals, paying, at, by)
  const events = decideCheckout({ kind: 'record-orders', orders, now: at }, before)
  const created = { loaded, events, idSeed: `${loaded.stream}/orders-created` }
  const attempt = advanced(paymentAttempt, loaded, events).state
  return { changes: [...changes, created, ...credit.follow(attempt, at)], attempt, placed }
}

const refused = (
  loaded: LoadedAttempt,
  lines: RefusedLine[],
  meals: Meals,
  credit: AttemptCredit,
  at: Date,
): Step => {
  const refusing = decideCheckout({ kind: 'refuse', lines, now: at }, loaded.state)
  const releasing = advanced(paymentAttempt, loaded, refusing)
  const released = decideCheckout({ kind: 'confirm-release', now: at }, releasing.state)
  return {
    changes: [
      { loaded, events: refusing, idSeed: `${loaded.stream}/refused` },
      ...withdrawMeals(meals, at),
      ...credit.follow(releasing.state, at),
      { loaded: releasing, events: released, idSeed: `${loaded.stream}/released` },
    ],
    attempt: advanced(paymentAttempt, releasing, released).state,
  }
}

// The request may still be running.
const graceMs = 15_000

export const finishFreeCheckouts = (needs: PaymentsNeeds): Sweep =>
  sweepOf({
    name: 'finish-free-checkouts',
    due: () => unfinishedFreeAttempts(needs.database.knex, new Date(needs.now().getTime() - graceMs)),
    id: String,
    act: completeCheckout(needs),
  })
