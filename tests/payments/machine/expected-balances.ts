import { attemptStatuses } from '#contracts/payments'
import { liveStatuses, recoveryStatuses } from '#contracts/payments-console'
import { sum } from '#kernel/money'
import { isWrong } from '#modules/audit/checks/audit-report'
import { balancesOf } from '#modules/audit/checks/balance.decide'
import { journalSums } from '#modules/audit/checks/journal-sums'
import { type MealSlot, evolve, freeSlot, readSlotEvent } from '#modules/ordering/slot/meal-slot'
import { liveLabel, parentStatus, recoveryStatus } from '#modules/payments/attempt/labels'
import { type StartedAttempt, isGivenUp } from '#modules/payments/attempt/payment-attempt'
import type { EventStore, Position, RecordedEvent } from '#platform/event-store/event-store'
import { after } from '../../ordering/lunches'
import type { CartBook } from './acts'
import type { Account } from './bank'
import type { ServiceProcess } from './process'
import type { Scene } from './scene'
import { eventsAfter } from './tables'

// Past the lease, the first checks, the time limit and its grace, the check half an hour later, the one a day later.
const minutesToPass = [0, 1, 3, 40, 40, 25 * 60, 10]
const maxRounds = 12

/**
 * Sweeps and jobs until nothing changes, then again as time passes, until nothing is due any more. Answers the faults
 * of the last round: what still fails then fails for ever. `onQuiet` looks around before much time has passed.
 */
export const drainQueues = async (
  { clock, worker, rowsNow, repeatPayouts }: Scene,
  process: ServiceProcess,
  onQuiet: () => Promise<void>,
): Promise<unknown[]> => {
  const round = async () => {
    const faults = await worker.run(process)
    for (const { run } of process.sweeps) await run().catch((fault: unknown) => faults.push(fault))
    return faults
  }
  await repeatPayouts(process)
  let faults: unknown[] = []
  for (const [step, minutes] of minutesToPass.entries()) {
    clock.now = after(clock.now, minutes)
    let before = ''
    for (let rounds = 0; rounds < maxRounds; rounds += 1) {
      faults = await round()
      const now = JSON.stringify(await rowsNow())
      if (now === before) break
      before = now
    }
    if (step === 2) await onQuiet()
  }
  return faults
}

/** The days that are held, now, for attempts that have been given up: there should be none. */
export const staleReservations = async (
  { attemptOf, clock }: Scene,
  store: EventStore,
  start: Position,
): Promise<string[]> => {
  const slots = new Map<string, MealSlot>()
  for (const event of await eventsAfter(store, start)) {
    const known = readSlotEvent(event)
    if (known) slots.set(event.stream, evolve(slots.get(event.stream) ?? freeSlot, known))
  }
  const dead: string[] = []
  for (const [stream, slot] of slots) {
    const held = slot.reservation
    if (!held || new Date(held.until) <= clock.now) continue
    const attempt = await attemptOf(held.attemptId)
    const isOver = attempt.status === 'none' || isGivenUp(attempt) || attempt.status === 'refunded'
    if (isOver) dead.push(`${stream} for ${attempt.status}`)
  }
  return dead
}

/** Where a cart's money is, in ngwee, told by the bank, the price list, the drawer and the lists people see. */
export type Reckoning = {
  id: string
  cameIn: number
  kept: number
  due: number
  back: number
  /** Given as credit: what an administrator's word alone has paid goes back so. */
  credit: number
  held: number
  fee: number
  shortfall: number
}

const keeps = (promise: string, isKept: boolean, about: unknown = '') => {
  if (!isKept) throw new Error(`Not kept: ${promise} ${JSON.stringify(about)}`)
}

/** Checks every promise of the machine at rest; answers the state of each attempt and where the money is. */
export const reckon = async (scene: Scene, store: EventStore, start: Position) => {
  const events = await eventsAfter(store, start)
  keepsDays(events)
  const paidOut = await scene.paidOut()
  const rows = await scene.rowsNow()
  const audit = audited(events, scene.clock.now)
  const reckonings: Reckoning[] = []
  const ends: string[] = []
  for (const cart of scene.carts) {
    const attempt = await scene.attemptOf(cart.attemptId)
    ends.push(attempt.status)
    if (attempt.status === 'none') continue
    const orders = rows.orders.filter(({ attempt_id }) => attempt_id === cart.attemptId)
    const refunds = rows.refunds.filter(({ attempt_id }) => attempt_id === cart.attemptId)
    const account = scene.provider.accounts.get(attempt.token?.token ?? '')
    keepsState(attempt, account)
    const ids = new Set(orders.map(({ id }) => id))
    const credit = rows.creditGiven.filter((row) => row.stands && ids.has(row.order_id ?? ''))
    const mine = reckoned(cart, attempt, account, orders, { refunds, credit }, paidOut, scene.asked.accept)
    const theirs = audit.get(cart.attemptId)!
    keeps('the audit finds nothing wrong', !isWrong(theirs), theirs)
    const { paidIn, kept, due, paidBack, creditGiven, creditTakenBack, held, fee, shortfall, toBeOwed } =
      theirs
    const told = {
      id: cart.attemptId,
      cameIn: paidIn,
      kept,
      due: due + toBeOwed,
      back: paidBack,
      credit: creditGiven - creditTakenBack,
      held,
      fee,
      shortfall,
    }
    keeps('the audit tells what the bank, the drawer and the lists tell', same(mine, told), {
      mine,
      told,
      attempt,
    })
    reckonings.push(mine)
  }
  keepsPayments(scene, rows.attempts)
  return { ends, reckonings }
}

const same = (one: Reckoning, other: Reckoning) =>
  (Object.keys(one) as (keyof Reckoning)[]).every((name) => one[name] === other[name])

type Rows = Awaited<ReturnType<Scene['rowsNow']>>

const reckoned = (
  cart: CartBook,
  { status, outcomes }: StartedAttempt,
  account: Account | undefined,
  orders: Rows['orders'],
  { refunds, credit: given }: { refunds: Rows['refunds']; credit: Rows['creditGiven'] },
  paidOut: Awaited<ReturnType<Scene['paidOut']>>,
  accepted: ReadonlySet<string>,
): Reckoning => {
  const stands = orders.filter((row) => row.status === 'pending' || row.status === 'completed')
  const kept = cart.price * stands.filter((row) => row.payment_status === 'confirmed').length
  const due = sum(refunds.map(({ owed }) => owed))
  const own = new Set(refunds.map(({ id }) => id))
  const back = sum(paidOut.filter(({ refundId }) => own.has(refundId)).map(({ amount }) => amount))
  const credit = sum(given.map(({ amount }) => amount))
  const fee = account?.way === 'with a fee' ? account.fee : 0
  const came = cameIn(cart, status, account, orders)
  // What a person has to decide about, as Order Recovery lists it: all of it, or the meals that are neither nor.
  const waiting = cart.lines.filter(
    (_line, index) => !orders.some((row) => row.line === index) && outcomes[index]?.kind !== 'waived',
  ).length
  const held = status === 'review' ? came - fee : status === 'blocked' ? waiting * cart.price : 0
  const missing = kept + due + back + credit + held + fee - came
  const mayMiss = accepted.has(cart.attemptId) && account?.way === 'too little' ? 100 : 0
  keeps('came in = kept + due + back + credit + held + fee', missing >= 0 && missing <= mayMiss, {
    cart,
    status,
    came,
    kept,
    due,
    back,
    credit,
    held,
    fee,
    account,
  })
  keeps('never more goes back than came in', due + back + credit + fee <= came, {
    cart,
    due,
    back,
    credit,
    came,
  })
  return { id: cart.attemptId, cameIn: came, kept, due, back, credit, held, fee, shortfall: missing }
}

/** By card what the bank took; otherwise what an administrator saw of it, order by order. */
const cameIn = (
  cart: CartBook,
  status: string,
  account: Account | undefined,
  orders: Rows['orders'],
): number => {
  if (!cart.isCard) return cart.price * orders.filter((row) => row.payment_status === 'confirmed').length
  if (account?.state !== 'paid') return 0
  // What the bank did not tell in kwacha is worth what a person says it is: the total.
  const taken = account.taken ?? (status === 'review' ? 0 : cart.total)
  return taken + account.fee
}

const atRest = [
  'create_failed',
  'fulfilled',
  'blocked',
  'review',
  'declined',
  'cancelled',
  'expired',
  'abandoned',
  'refund_due',
  'refunded',
  'refused',
]
const withMoney = ['fulfilled', 'blocked', 'review', 'refund_due', 'refunded']

const keepsState = (attempt: StartedAttempt, account: Account | undefined) => {
  const { status, checkout, outcomes } = attempt
  keeps('nothing is stuck under way', atRest.includes(status), { status, account })
  if (checkout.kind === 'card')
    keeps(
      'money is known where the bank took it, and nowhere else',
      withMoney.includes(status) === (account?.state === 'paid'),
      { status, account },
    )
  keeps(
    'the bank knows that we know',
    account?.state !== 'paid' || status === 'review' || account.acknowledged > 0,
    { status },
  )
  const parent = parentStatus(attempt)
  keeps(
    'labels',
    attemptStatuses.includes(parent) && liveStatuses.includes(liveLabel(attempt).status),
    attempt,
  )
  const recovery = recoveryStatus(attempt)
  keeps('labels of recovery', recovery === null || recoveryStatuses.includes(recovery), attempt)
  keeps(
    'money is not called failed',
    account?.state !== 'paid' || parent !== 'failed' || status === 'refunded',
  )
  keeps('fulfilled has an order', status !== 'fulfilled' || outcomes.some(({ kind }) => kind === 'ordered'))
}

/** Every payment the bank took belongs to one attempt. */
const keepsPayments = ({ provider }: Scene, attempts: Rows['attempts']) => {
  const known = new Set(attempts.map(({ token }) => token))
  for (const { state, token } of provider.accounts.values())
    keeps('every payment is known', state !== 'paid' || known.has(token), token)
  const references = attempts.flatMap(({ token }) => token ?? [])
  keeps('a token is of one attempt', new Set(references).size === references.length)
}

type SlotData = { orderId: string; attemptId: string; index: number }

/** Told from the bare events: at no time two orders of a day stand, and no line is ordered twice. */
const keepsDays = (events: readonly RecordedEvent[]) => {
  const standing = new Map<string, Set<string>>()
  const lines = new Set<string>()
  for (const { stream, type, data } of events) {
    const name = type.split('.')[1]
    if (!stream.startsWith('mealSlot-')) continue
    const { orderId, attemptId, index } = data as SlotData
    const active = standing.get(stream) ?? new Set()
    standing.set(stream, active)
    if (name === 'lunch-ordered') {
      keeps('a line is one order', !lines.has(`${attemptId}/${index}`), { attemptId, index })
      lines.add(`${attemptId}/${index}`)
    }
    if (name === 'lunch-ordered' || (name === 'order-reopened' && !active.has(orderId))) active.add(orderId)
    if (name === 'order-cancelled' || name === 'order-withdrawn') active.delete(orderId)
    keeps('one order a day', active.size <= 1, { stream, active: [...active] })
  }
}

const audited = (events: readonly RecordedEvent[], now: Date) => {
  const { add, sums } = journalSums()
  add(events)
  return new Map(balancesOf(sums, now).map((balance) => [balance.attemptId, balance]))
}
