import type { CycleWeek, DayState } from '#contracts/cycles'
import { addDays, cycleDate, instantAt, schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { CycleDay, CyclePlan, Cutoff } from './cycle'

export type Today = { date: SchoolDate; cutoffPassed: boolean }

const days = [1, 2, 3, 4, 5]

/** Orders for `date` close at this instant. */
export const cutoffInstant = (date: SchoolDate, cutoff: Cutoff, zone: string): Date =>
  instantAt(date, cutoff.hour, cutoff.minute, zone)

/** At the cutoff itself it has passed. */
export const todayAt = (at: Date, cutoff: Cutoff, zone: string): Today => {
  const { date } = schoolMoment(at, zone)
  return { date, cutoffPassed: at >= cutoffInstant(date, cutoff, zone) }
}

/** Today's cutoff or midnight, by the school's clock. */
export const nextChangeAt = (at: Date, cutoff: Cutoff, zone: string): Date => {
  const { date } = schoolMoment(at, zone)
  const closing = cutoffInstant(date, cutoff, zone)
  return closing > at ? closing : instantAt(addDays(date, 1), 0, 0, zone)
}

/** Past wins over blocked, blocked over cutoff. */
export const dayState = (cycle: CyclePlan, place: CycleDay, today: Today): DayState => {
  const date = cycleDate(cycle.startDate, place.week, place.day)
  if (date < today.date) return 'past'
  if (cycle.blockedDays.some((blocked) => blocked.week === place.week && blocked.day === place.day))
    return 'blocked'
  return date === today.date && today.cutoffPassed ? 'cutoff' : 'open'
}

/** Friday passed, or is today after the cutoff (parent-and-teacher.md section 2). */
const weekCompleted = (friday: SchoolDate, today: Today) =>
  friday < today.date || (friday === today.date && today.cutoffPassed)

export type CycleDate = CycleDay & { date: SchoolDate; state: DayState }

export const datesOf = (cycle: CyclePlan, today: Today): CycleDate[] =>
  calendar(cycle, today).flatMap(({ week, days: inWeek }) => inWeek.map((place) => ({ week, ...place })))

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

/** Adds closed dates as blocked days, sorted. */
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

export const blockedDates = ({ startDate, blockedDays }: CyclePlan): SchoolDate[] =>
  blockedDays.map(({ week, day }) => cycleDate(startDate, week, day))

const placesOf = ({ cycleLength }: CyclePlan): CycleDay[] =>
  Array.from({ length: cycleLength }, (_, index) => index + 1).flatMap((week) =>
    days.map((day) => ({ week, day })),
  )

export const endDate = (cycle: Pick<CyclePlan, 'startDate' | 'cycleLength'>): SchoolDate =>
  cycleDate(cycle.startDate, cycle.cycleLength, 5)
