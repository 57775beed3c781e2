import type { OrderingRules } from '#contracts/ordering'
import type { Remedy } from '#kernel/money'
import type { Denial } from '#kernel/refusal'
import {
  clockTime,
  instantAt,
  schoolMoment,
  weekdayName,
  type CutoffOf,
  type SchoolDate,
} from '#kernel/school-time'
import { denial } from '../refusals'
import type { OrderRow } from './order'

export type FamilyTerms = {
  rules: OrderingRules
  cutoffOf: CutoffOf
  zone: string
}

/** Deadlines of a meal's day by the school's clock. */
export type MealDay = {
  date: SchoolDate
  startsAt: Date
  cutoffAt: Date
  noonAt: Date
  lateRemedy: Remedy | null
  /** Percent of a paid price. */
  absencePercent: number
  zone: string
}

export const mealDayOf = (date: SchoolDate, { rules, cutoffOf, zone }: FamilyTerms): MealDay => ({
  date,
  startsAt: instantAt(date, 0, 0, zone),
  cutoffAt: cutoffOf(date),
  noonAt: instantAt(date, 12, 0, zone),
  lateRemedy: rules.cancelUntil === 'cutoff' ? rules.lateRemedy : null,
  absencePercent: rules.absence === 'credit' ? rules.absencePercent : 0,
  zone,
})

const hourOver = ({ placed_at }: OrderRow): number => new Date(placed_at).getTime() + 3_600_000

/** The end of the first hour counts, the cutoff does not. */
export const cancellableUntil = (order: OrderRow, { lateRemedy, cutoffAt }: MealDay): Date => {
  if (order.late) return new Date(order.placed_at)
  const isUntilCutoff = lateRemedy !== null || order.substituted
  return new Date(Math.max(hourOver(order), isUntilCutoff ? cutoffAt.getTime() : -Infinity))
}

const lastCancellable = (order: OrderRow, day: MealDay): number => {
  const until = cancellableUntil(order, day).getTime()
  return until > hourOver(order) ? until - 1 : until
}

export const lastAsPaid = (order: OrderRow, day: MealDay): number =>
  order.substituted ? lastCancellable(order, day) : hourOver(order)

/** Null: it goes back as it was paid. */
export const lateRemedyAt = (now: Date, order: OrderRow, day: MealDay): Remedy | null =>
  now.getTime() > lastAsPaid(order, day) ? day.lateRemedy : null

/** Up to and including an instant, or (`morning`, `uncancellable`) from it on. */
export type Limit = 'cancellable' | 'changeable' | 'movable' | 'cutoff' | 'noon' | 'morning' | 'uncancellable'

/** In ms since 1970. */
export const instantOf = (limit: Limit, order: OrderRow, day: MealDay): number => {
  switch (limit) {
    case 'cancellable':
    case 'changeable':
    case 'movable':
      return lastCancellable(order, day)
    case 'cutoff':
      return day.cutoffAt.getTime() - 1
    case 'noon':
      return day.noonAt.getTime() - 1
    case 'morning':
      return day.startsAt.getTime()
    case 'uncancellable':
      return order.status === 'pending' && !order.late ? lastCancellable(order, day) + 1 : -Infinity
  }
}

const untilCutoff = (what: string, { date, cutoffAt, zone }: MealDay): string => {
  const cutoff = schoolMoment(cutoffAt, zone)
  return `Meals of ${weekdayName(date)} could be ${what} until ${weekdayName(cutoff.date)} ${clockTime(cutoff)}`
}

export const denialOf = (limit: Limit, { substituted }: OrderRow, day: MealDay): Denial => {
  const weekday = weekdayName(day.date)
  switch (limit) {
    case 'cancellable':
      return day.lateRemedy !== null || substituted
        ? ['cancel_window_over', untilCutoff('cancelled', day)]
        : denial('cancel_window_over')
    case 'movable':
      return day.lateRemedy !== null || substituted
        ? ['cancel_window_over', untilCutoff('moved', day)]
        : ['cancel_window_over', 'Orders can only be moved within 1 hour of placing the order']
    case 'changeable':
      return ['cancel_window_over', 'Orders can only be changed within 1 hour of placing the order']
    case 'cutoff':
      return ['cutoff_passed', untilCutoff('changed', day)]
    case 'noon':
      return ['absence_over', `Absence for ${weekday} could be reported until 12:00`]
    case 'morning':
      return ['absence_too_early', `That a child is ill on ${weekday} can be said on that day until 12:00`]
    case 'uncancellable':
      return denial('absence_too_early')
  }
}
