import type { Order as OrderReply } from '#contracts/ordering'
import { isUnproven } from '#kernel/money'
import { Refusal, type Denial } from '#kernel/refusal'
import { clockTime, schoolMoment } from '#kernel/school-time'
import { denial, refusal } from '../refusals'
import { denialOf, instantOf, lastAsPaid, type Limit, type MealDay } from './deadlines.decide'
import {
  isActive,
  isAway,
  latestOrder,
  orderOf,
  ownOrder,
  slotConflict,
  type FamilyMember,
  type MealSlot,
  type SlotEvent,
} from './meal-slot'
import type { OrderRow } from './order'
import * as happens from './order-acts.decide'
import type { AnotherMeal, KnownOrder, OnOrder, Reason } from './order-acts.decide'

type ByFamily = OnOrder & FamilyMember & { day: MealDay }
type At = Pick<ByFamily, 'day' | 'now'>
type Asked = {
  'cancel-own': ByFamily
  change: Parameters<typeof happens.changed>[1] & ByFamily
  'move-own': happens.AnotherDay & ByFamily
  absent: ByFamily
  'not-absent': ByFamily
  cancel: OnOrder & Reason
  move: happens.AnotherDay & At
  close: OnOrder & Reason
  lapse: happens.Lapse
  substitute: AnotherMeal
  complete: OnOrder
  reopen: OnOrder
  'undo-status': OnOrder
  restore: OnOrder & { closureId: string; cutoffAt: Date }
}
export type OrderAct = { [Kind in keyof Asked]: { kind: Kind } & Asked[Kind] }[keyof Asked]

type Rule<Asked> = (order: KnownOrder, asked: Asked, slot: MealSlot) => Denial | null
/** Knows no more of an order than its row in the list: replies ask it too. */
type FamilyRule = (order: OrderRow, at: At) => Denial | null
/** `may`: the rules decide. `so`: it is so already, nothing happens. Otherwise the refusal. */
type Answer = 'may' | 'so' | Parameters<typeof denial>[0]

type Act<Asked> = {
  who: 'family' | 'office'
  of: Readonly<Record<OrderRow['status'], Answer>>
  isSo?: (order: KnownOrder, asked: Asked) => boolean
  /** The first that refuses is told, then what is over, what is too early, and `often` where anything would happen. */
  rules?: readonly Rule<Asked>[]
  until?: readonly Limit[]
  from?: readonly Limit[]
  often?: FamilyRule
  after: (order: KnownOrder, asked: Asked) => SlotEvent[]
}

const notLate: FamilyRule = ({ late }) => (late ? denial('late_order') : null)

/** Whoever moves it: the hatch handed it out on the day it would leave. */
const notGiven: FamilyRule = ({ given_at, student_name }, { day: { zone } }) => {
  if (given_at === null) return null
  const at = clockTime(schoolMoment(new Date(given_at), zone))
  return ['meal_given', `${student_name}'s lunch was handed out at ${at}.`]
}

const max = 20

/** Bounds the history of one order. */
const changedTooOften = ({ changes }: OrderRow): Denial | null =>
  changes < max ? null : denial('too_many_changes')
const toldTooOften: FamilyRule = ({ absences_told: told }) =>
  told < max ? null : ['too_many_changes', `Ill was set and taken back ${max} times. Ask the office.`]

const notGivenSince: Rule<OnOrder> = ({ status, marks }) =>
  status === 'completed' && marks.given ? denial('changed_since') : null

const isRestorable: Rule<Asked['restore']> = (order, { closureId, cutoffAt, now }) => {
  if (order.closure_id !== closureId) return denial('already_cancelled')
  const isEarly = happens.closesEarly(order) && now >= new Date(order.cutoff_at)
  return now < cutoffAt && !isEarly ? null : denial('cutoff_passed')
}

const standsAgain: Rule<OnOrder> = (order, { now }, slot) => {
  const { id, status, refundBegun } = order
  if (refundBegun) return denial('refund_under_way')
  // The day that it was moved to is asked beside the slot.
  if (isAway(order)) return null
  if (status === 'cancelled' && slotConflict(slot, '', now)) return denial('slot_taken')
  return latestOrder(slot)?.id === id ? null : denial('newer_order')
}

const of = (pending: Answer, completed: Answer, cancelled: Answer, refunded = cancelled) => ({
  pending,
  completed,
  cancelled,
  refunded,
})
const gone = ['already_cancelled', 'already_refunded'] as const

/** One of several concurrent acts counts; the others are refused as too late. */
const isClosedSo = (order: KnownOrder, { actId }: Reason) =>
  !isActive(order) && (actId === undefined || order.actId === actId)

const isThere = ({ meal_date }: KnownOrder, { to }: happens.AnotherDay) => meal_date === to.mealDate

/** Act × who × of which (pending, completed, cancelled, refunded) × until when × what happens after. */
export const acts = {
  'cancel-own': {
    who: 'family',
    of: of('may', 'already_completed', 'so'),
    rules: [notLate],
    until: ['cancellable'],
    after: happens.cancelled,
  },
  change: {
    who: 'family',
    of: of('may', 'already_completed', 'already_cancelled'),
    rules: [notLate],
    until: ['cutoff', 'changeable'],
    often: changedTooOften,
    after: happens.changed,
  },
  'move-own': {
    who: 'family',
    of: of('may', 'already_completed', 'already_cancelled'),
    isSo: isThere,
    rules: [notLate],
    until: ['movable'],
    often: changedTooOften,
    after: happens.moved,
  },
  absent: {
    who: 'family',
    of: of('may', 'may', 'already_cancelled'),
    isSo: (order) => isActive(order) && order.absent,
    rules: [notGiven],
    until: ['noon'],
    from: ['morning', 'uncancellable'],
    often: toldTooOften,
    after: happens.absent,
  },
  'not-absent': {
    who: 'family',
    of: of('may', 'may', 'already_cancelled'),
    isSo: (order) => isActive(order) && !order.absent,
    until: ['noon'],
    often: toldTooOften,
    after: happens.eats,
  },
  cancel: { who: 'office', of: of('may', 'may', 'so'), after: happens.cancelled },
  move: {
    who: 'office',
    of: of('may', 'already_completed', ...gone),
    isSo: isThere,
    rules: [notGiven, changedTooOften],
    after: happens.moved,
  },
  close: {
    who: 'office',
    of: of('may', 'already_completed', ...gone),
    isSo: isClosedSo,
    after: happens.cancelled,
  },
  substitute: { who: 'office', of: of('may', 'already_completed', ...gone), after: happens.substituted },
  complete: { who: 'office', of: of('may', 'so', ...gone), after: happens.completed },
  reopen: {
    who: 'office',
    of: of('so', 'may', 'may', gone[1]),
    rules: [standsAgain],
    after: happens.reopened,
  },
  'undo-status': {
    who: 'office',
    of: of('so', 'may', 'may', gone[1]),
    rules: [notGivenSince, standsAgain],
    after: happens.reopened,
  },
  restore: {
    who: 'office',
    of: of('so', 'so', 'may', gone[1]),
    rules: [isRestorable, standsAgain],
    after: happens.reopened,
  },
  lapse: { who: 'office', of: of('may', 'so', 'so'), after: happens.lapsed },
} satisfies { [Kind in keyof Asked]: Act<Asked[Kind]> }

/** Asking again for what is already so decides nothing. */
export const decideAct = (asked: OrderAct, slot: MealSlot): SlotEvent[] => {
  const act = acts[asked.kind] as Act<OrderAct>
  const family = act.who === 'family' ? (asked as ByFamily) : null
  const order = family ? ownOrder(slot, asked.orderId, family) : orderOf(slot, asked.orderId)
  const answer = act.of[order.status]
  if (answer === 'so' || act.isSo?.(order, asked)) return []
  if (answer !== 'may') throw refusal(answer)
  for (const rule of act.rules ?? []) refuse(rule(order, asked, slot))
  if (family) refuse(untimely(act, order, family))
  const happened = act.after(order, asked)
  if (family && happened.length > 0) refuse(act.often?.(order, family) ?? null)
  return happened
}

const refuse = (denied: Denial | null): void => {
  if (denied) throw new Refusal(...denied)
}

type Limits = Pick<Act<never>, 'until' | 'from'>

const untimely = ({ until = [], from = [] }: Limits, order: OrderRow, { day, now }: At): Denial | null => {
  const missed =
    until.find((limit) => now.getTime() > instantOf(limit, order, day)) ??
    from.find((limit) => now.getTime() < instantOf(limit, order, day))
  return missed ? denialOf(missed, order, day) : null
}

type FamilyAct = Limits & Pick<Act<never>, 'of' | 'often'> & { rules?: readonly FamilyRule[] }

const shown = (act: FamilyAct, order: OrderRow, at: At) => {
  const { of: answers, rules = [], until = [], from = [], often } = act
  const answer = answers[order.status]
  const never =
    answer === 'may'
      ? rules.reduce<Denial | null>((denied, rule) => denied ?? rule(order, at), null)
      : denial(answer === 'so' ? 'already_cancelled' : answer)
  const tooOften = often?.(order, at) ?? null
  const why = (never ?? untimely(act, order, at) ?? tooOften)?.[1]
  const now = at.now.getTime()
  const start = Math.max(now, ...from.map((limit) => instantOf(limit, order, at.day)))
  const last = Math.min(...until.map((limit) => instantOf(limit, order, at.day)))
  if (never || tooOften || last < start) return { why }
  return { why, inMs: start > now ? start - now : undefined, forMs: last - now }
}

export const allowedNow = (order: OrderRow, day: MealDay, now: Date): Pick<OrderReply, 'allowed' | 'why'> => {
  const at = { day, now }
  const cancel = shown(acts['cancel-own'], order, at)
  const change = shown(acts.change, order, at)
  const move = shown(acts['move-own'], order, at)
  const absent = shown(acts[order.absent ? 'not-absent' : 'absent'], order, at)
  const asPaidForMs = lastAsPaid(order, day) - now.getTime()
  return {
    allowed: {
      cancel: !cancel.why,
      cancelForMs: cancel.forMs,
      asPaidForMs: cancel.why || isUnproven(order.proof) || asPaidForMs < 0 ? undefined : asPaidForMs,
      ...(!cancel.why && isUnproven(order.proof) && { asCredit: true as const }),
      change: !change.why,
      changeForMs: change.forMs,
      move: !move.why,
      moveForMs: move.forMs,
      absent: !absent.why,
      absentInMs: absent.inMs,
      absentForMs: absent.forMs,
    },
    why: { cancel: cancel.why, change: change.why, move: move.why, absent: absent.why },
  }
}
