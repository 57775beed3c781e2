import type { CycleWeek, DayState } from '#contracts/cycles'
import { addDays, cycleDate, instantAt, schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { CycleDay, CyclePlan, Cutoff } from './cycle'

/** Today at the school, and whether its cutoff has come. */
export type Today = { date: SchoolDate; cutoffPassed: boolean }

const days = [1, 2, 3, 4, 5]

/** The instant from which meals of `date` can no longer be ordered. */
export const cutoffInstant = (date: SchoolDate, cutoff: Cutoff, zone: string): Date =>
  instantAt(date, cutoff.hour, cutoff.minute, zone)

/** Today at the school at the instant `at`; at the cutoff itself it has passed. */
export const todayAt = (at: Date, cutoff: Cutoff, zone: string): Today => {
  const { date } = schoolMoment(at, zone)
  return { date, cutoffPassed: at >= cutoffInstant(date, cutoff, zone) }
}

/** When a day's state next changes by itself: at today's cutoff or at midnight, by the school's clock. */
export const nextChangeAt = (at: Date, cutoff: Cutoff, zone: string): Date => {
  const { date } = schoolMoment(at, zone)
  const closing = cutoffInstant(date, cutoff, zone)
  return closing > at ? closing : instantAt(addDays(date, 1), 0, 0, zone)
}

/** A day inside the cycle: a past day is past even if it was blocked, a blocked day is blocked even after the cutoff. */
export const dayState = (cycle: CyclePlan, place: CycleDay, today: Today): DayState => {
  const date = cycleDate(cycle.startDate, place.week, place.day)
  if (date < today.date) return 'past'
  if (cycle.blockedDays.some((blocked) => blocked.week === place.week && blocked.day === place.day))
    return 'blocked'
  return date === today.date && today.cutoffPassed ? 'cutoff' : 'open'
}

/** A week is completed when its Friday has passed or is today after the cutoff (parent-and-teacher.md section 2). */
const weekCompleted = (friday: SchoolDate, today: Today) =>
  friday < today.date || (friday === today.date && today.cutoffPassed)

export type CycleDate = CycleDay & { date: SchoolDate; state: DayState }

/** Every day of the cycle as the school sees it today, in the order of their dates. */
export const datesOf = (cycle: CyclePlan, today: Today): CycleDate[] =>
  calendar(cycle, today).flatMap(({ week, days: inWeek }) => inWeek.map((place) => ({ week, ...place })))

/** Every week and day of the cycle as the school sees it today. */
export const calendar = (cycle: CyclePlan, today: Today): CycleWeek[] =>
  Array.from({ length: cycle.cycleLength }, (_, index) => index + 1).map((week) => ({
    week,
    startDate: cycleDate(cycle.startDate, week, 1),
    endDate: cycleDate(cycle.startDate, week, 5),
    completed: weekCompleted(cycleDate(cycle.startDate, week, 5), today),
    days: days.map((day) => ({
      day,
      date: cycleDate(cycle.startDate, week, day),
      state: dayState(cycle, { week, day }, today),
    })),
  }))

/** The cycle with the dates on it that are closed as blocked days beside its own, in their order. */
export const withClosedDates = <Plan extends CyclePlan>(
  cycle: Plan,
  closed: ReadonlySet<SchoolDate>,
): Plan => {
  const isBlocked = (place: CycleDay) =>
    cycle.blockedDays.some(({ week, day }) => week === place.week && day === place.day)
  return {
    ...cycle,
    blockedDays: placesOf(cycle).filter(
      (place) => isBlocked(place) || closed.has(cycleDate(cycle.startDate, place.week, place.day)),
    ),
  }
}

/** The dates of the cycle's own blocked days. */
export const blockedDates = ({ startDate, blockedDays }: CyclePlan): SchoolDate[] =>
  blockedDays.map(({ week, day }) => cycleDate(startDate, week, day))

/** Every day of the cycle, in the order of their dates. */
const placesOf = ({ cycleLength }: CyclePlan): CycleDay[] =>
  Array.from({ length: cycleLength }, (_, index) => index + 1).flatMap((week) =>
    days.map((day) => ({ week, day })),
  )

/** The Friday of the cycle's last week. */
export const endDate = (cycle: Pick<CyclePlan, 'startDate' | 'cycleLength'>): SchoolDate =>
  cycleDate(cycle.startDate, cycle.cycleLength, 5)
