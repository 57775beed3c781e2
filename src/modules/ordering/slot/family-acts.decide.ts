import type { Order, OrderingRules } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { Remedy } from '#kernel/remedy'
import { clockTime, instantAt, longDay, schoolMoment, type SchoolDate } from '#kernel/school-time'
import { refusal } from '../refusals'

/** What says until when families may cancel, change and be absent: the rules and the cutoff as they are set now. */
export type FamilyTerms = {
  rules: OrderingRules
  cutoff: { hour: number; minute: number }
  /** IANA name of the school's time zone. */
  zone: string
}

/** The instants of a meal's day that end what its family may do, by the school's clock. */
export type MealDay = {
  date: SchoolDate
  startsAt: Date
  cutoffAt: Date
  /** The cutoff as the school's clock shows it. */
  cutoffClock: string
  noonAt: Date
  /** How the money goes back for a meal cancelled after its first hour; null where that cannot be done any more then. */
  lateRemedy: Remedy | null
  /** How much of the price of a paid meal an absence gives back as credit, in percent. */
  absencePercent: number
  /** IANA name of the school's time zone. */
  zone: string
}

export const mealDayOf = (date: SchoolDate, { rules, cutoff, zone }: FamilyTerms): MealDay => {
  const { hour, minute } = cutoff
  return {
    date,
    startsAt: instantAt(date, 0, 0, zone),
    cutoffAt: instantAt(date, hour, minute, zone),
    cutoffClock: clockTime(cutoff),
    noonAt: instantAt(date, 12, 0, zone),
    lateRemedy: rules.cancelUntil === 'cutoff' ? rules.lateRemedy : null,
    absencePercent: rules.absence === 'credit' ? rules.absencePercent : 0,
    zone,
  }
}

/** An order as far as its family's acts depend on it. */
type FamilyOrder = {
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  placedAt: Date
  /** The office gave it another meal: until the cutoff it can be cancelled with all of its money back as it was paid. */
  substituted: boolean
}

const hourMs = 3_600_000

/** The last instant of an order's first hour. */
const hourOver = ({ placedAt }: Pick<FamilyOrder, 'placedAt'>): Date => new Date(placedAt.getTime() + hourMs)

/** When cancelling ends. The end of the first hour still counts, the cutoff of the day does not. */
export const cancellableUntil = (
  order: Pick<FamilyOrder, 'placedAt' | 'substituted'>,
  day: MealDay,
): Date => {
  const hour = hourOver(order)
  return (day.lateRemedy || order.substituted) && day.cutoffAt > hour ? day.cutoffAt : hour
}

/** The last moment at which a pending order can be cancelled, in ms since 1970. */
const lastCancellable = (order: FamilyOrder, day: MealDay): number => {
  const late = day.lateRemedy || order.substituted ? day.cutoffAt.getTime() - 1 : -Infinity
  return Math.max(hourOver(order).getTime(), late)
}

/** For how many ms from `now` on the order can be cancelled, the last one included; negative when it is over. */
const cancellableFor = (order: FamilyOrder, day: MealDay, now: Date): number =>
  lastCancellable(order, day) - now.getTime()

/** How the money of an order goes back that its family cancels now: as it was paid, as credit after the first hour. */
export const remedyAt = (order: FamilyOrder, day: MealDay, now: Date): Remedy | undefined =>
  now > hourOver(order) && !order.substituted ? (day.lateRemedy ?? undefined) : undefined

/** Why an order is not to be eaten any more, or already was; null while it is pending. */
const notPending = ({ status }: FamilyOrder): Refusal | null => {
  if (status === 'pending') return null
  return refusal(status === 'completed' ? 'already_completed' : 'already_cancelled')
}

/** Why a family may not cancel its order now; null when it may. */
export const cancelRefusal = (order: FamilyOrder, day: MealDay, now: Date): Refusal | null => {
  const refused = notPending(order)
  if (refused) return refused
  if (cancellableFor(order, day, now) >= 0) return null
  return day.lateRemedy || order.substituted
    ? new Refusal('cancel_window_over', untilCutoff('cancelled', day))
    : refusal('cancel_window_over')
}

/** What the absence of the child gives back of the price, half a ngwee up. */
export const absenceShare = (price: Ngwee, { absencePercent }: MealDay): Ngwee =>
  Math.floor((price * absencePercent + 50) / 100)

const maxChanges = 20
const maxAbsences = 20

/** What an order keeps of what its family does with it again and again is bounded. */
export const tooManyChanges = (changes: number): Refusal | null =>
  changes >= maxChanges ? refusal('too_many_changes') : null

export const tooManyAbsences = (told: number): Refusal | null =>
  told >= maxAbsences
    ? new Refusal('too_many_changes', `Ill was set and taken back ${maxAbsences} times. Ask the office.`)
    : null

/** Whether the family said that the child is ill; `given`: when the lunch was handed out, and to whom. */
type OfAbsence = { absent: boolean; given?: { student: string; at: Date } | null }

/** Why the family may not say now that the child is absent, or take that back; null when it may. */
export const absenceRefusal = (order: FamilyOrder & OfAbsence, day: MealDay, now: Date): Refusal | null => {
  const on = weekday(day.date)
  if (order.status !== 'pending' && order.status !== 'completed') return refusal('already_cancelled')
  if (!order.absent && order.given) return new Refusal('meal_given', givenInWords(order.given, day))
  if (now >= day.noonAt)
    return new Refusal('absence_over', `That a child is ill on ${on} could be said until ${on} 12:00`)
  if (order.absent) return null
  if (now < day.startsAt)
    return new Refusal(
      'absence_too_early',
      `That a child is ill on ${on} can be said on that day until 12:00`,
    )
  return cancelRefusal(order, day, now) ? null : refusal('absence_too_early')
}

/** Why a family may not change its order now; null when it may: while it may be cancelled, before the day's cutoff. */
export const changeRefusal = (order: FamilyOrder, day: MealDay, now: Date): Refusal | null => {
  const refused = notPending(order)
  if (refused) return refused
  if (now >= day.cutoffAt) return new Refusal('cutoff_passed', untilCutoff('changed', day))
  if (cancellableFor(order, day, now) >= 0) return null
  return new Refusal('cancel_window_over', 'Orders can only be changed within 1 hour of placing the order')
}

const givenInWords = ({ student, at }: { student: string; at: Date }, { zone }: MealDay) =>
  `${student}'s lunch was handed out at ${clockTime(schoolMoment(at, zone))}.`

const changeableFor = (order: FamilyOrder, day: MealDay, now: Date): number =>
  Math.min(cancellableFor(order, day, now), day.cutoffAt.getTime() - 1 - now.getTime())

const untilCutoff = (what: string, { date, cutoffClock }: MealDay) =>
  `Meals of ${weekday(date)} could be ${what} until ${weekday(date)} ${cutoffClock}`

const weekday = (date: SchoolDate): string => longDay(date).split(',')[0]!

/** For how long yet the money of a cancelled order goes back as it was paid; undefined when that is over. */
const asPaidFor = (order: FamilyOrder, day: MealDay, now: Date): number | undefined => {
  const last = order.substituted ? lastCancellable(order, day) : hourOver(order).getTime()
  return last < now.getTime() ? undefined : last - now.getTime()
}

/** In how long the absence of the child can be told, where it cannot yet, and for how long; empty when it is over. */
const absenceTimes = (
  order: FamilyOrder & OfAbsence,
  day: MealDay,
  now: Date,
): Pick<Order['allowed'], 'absentInMs' | 'absentForMs'> => {
  if (order.status !== 'pending' && order.status !== 'completed') return {}
  if (!order.absent && order.given) return {}
  const cancelled = order.status === 'pending' ? lastCancellable(order, day) + 1 : -Infinity
  const from = order.absent ? -Infinity : Math.max(day.startsAt.getTime(), cancelled)
  const last = day.noonAt.getTime() - 1
  if (last < Math.max(from, now.getTime())) return {}
  const inMs = from - now.getTime()
  return { ...(inMs > 0 && { absentInMs: inMs }), absentForMs: last - now.getTime() }
}

/** What the family may do with its order now, and of what it may not, why. */
export const allowedNow = (
  order: FamilyOrder & OfAbsence & { paidByHand: boolean; changes: number; absencesTold: number },
  day: MealDay,
  now: Date,
): Pick<Order, 'allowed' | 'why'> => {
  const cancel = cancelRefusal(order, day, now)
  const change = changeRefusal(order, day, now) ?? tooManyChanges(order.changes)
  const absent = absenceRefusal(order, day, now) ?? tooManyAbsences(order.absencesTold)
  const asPaidForMs = cancel || order.paidByHand ? undefined : asPaidFor(order, day, now)
  return {
    allowed: {
      cancel: !cancel,
      ...(!cancel && { cancelForMs: cancellableFor(order, day, now) }),
      ...(asPaidForMs !== undefined && { asPaidForMs }),
      change: !change,
      ...(!change && { changeForMs: changeableFor(order, day, now) }),
      absent: !absent,
      ...(!tooManyAbsences(order.absencesTold) && absenceTimes(order, day, now)),
    },
    why: {
      ...(cancel && { cancel: cancel.message }),
      ...(change && { change: change.message }),
      ...(absent && { absent: absent.message }),
    },
  }
}
