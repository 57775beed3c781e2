import { addDays, cycleDate, mondayOf, weekdayOf, type SchoolDate } from '#kernel/school-time'
import type { CycleFacts } from '../cart/line-policies.decide'
import type { PlaceOf } from './kitchen-totals'

export type KitchenDays = { from: SchoolDate; to: SchoolDate }

const maxCycle = 6

export const kitchenWeeks = (cycle: CycleFacts | null): number => cycle?.cycleLength ?? maxCycle

const firstMonday = (cycle: CycleFacts | null, today: SchoolDate): SchoolDate =>
  cycle?.startDate ?? mondayOf(today)

/** Or one of them (days-and-changes.md section 1). */
export const daysOfWeek = (
  cycle: CycleFacts | null,
  today: SchoolDate,
  { week, day }: { week: number; day?: number | undefined },
): KitchenDays => {
  const first = firstMonday(cycle, today)
  return { from: cycleDate(first, week, day ?? 1), to: cycleDate(first, week, day ?? 5) }
}

/** Dates outside the cycle count from their own week. */
export const placeAmong =
  (cycle: CycleFacts | null, today: SchoolDate): PlaceOf =>
  (date) => {
    const isInside =
      !cycle || (date >= cycle.startDate && date < addDays(cycle.startDate, 7 * cycle.cycleLength))
    const first = isInside ? firstMonday(cycle, today) : mondayOf(date)
    const weeks = (Date.parse(mondayOf(date)) - Date.parse(first)) / (7 * 86_400_000)
    return { weekNumber: weeks + 1, dayOfWeek: weekdayOf(date) }
  }

export const nextSchoolDay = (cycle: CycleFacts | null, from: SchoolDate): SchoolDate | null => {
  if (!cycle) return null
  const blocked = new Set(cycle.blockedDays.map(({ week, day }) => cycleDate(cycle.startDate, week, day)))
  const dates = Array.from({ length: cycle.cycleLength * 5 }, (_, index) =>
    cycleDate(cycle.startDate, Math.floor(index / 5) + 1, (index % 5) + 1),
  )
  return dates.find((date) => date >= from && !blocked.has(date)) ?? null
}
