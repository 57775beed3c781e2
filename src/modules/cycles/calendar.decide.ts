import { maxLeadDays } from '#contracts/catalogue'
import type { CycleWeek, DayState } from '#contracts/cycles'
import {
  type CutoffOf,
  type SchoolDate,
  addDays,
  cycleDate,
  instantAt,
  schoolMoment,
  isSchoolDate,
  mondayOf,
  weekdayOf,
} from '#kernel/school-time'
import { refusedField } from './refusals'

/** `week` from 1, `day` 1 (Monday) to 5. */
type CycleDay = { week: number; day: number }

export type CyclePlan = { startDate: SchoolDate; cycleLength: number; blockedDays: CycleDay[] }

export type Cycle = CyclePlan & { id: number; isActive: boolean; createdAt: Date }

/** `hour`:`minute`, `daysBefore` (0 to 5) school days before the meal, or that many calendar days. */
export type Cutoff = { hour: number; minute: number; daysBefore: number; schoolDaysOnly: boolean }

export const defaultCycleLength = 4

const isInsideCycle = (cycle: Pick<Cycle, 'cycleLength'>, { week, day }: CycleDay): boolean =>
  week >= 1 && week <= cycle.cycleLength && day >= 1 && day <= 5

type Today = { date: SchoolDate; at: Date; cutoffOf: CutoffOf }

const days = [1, 2, 3, 4, 5]

/** The only computation of a cutoff. `closed`: dates without school for everybody. */
export const cutoffRule =
  (cutoff: Cutoff, closed: ReadonlySet<SchoolDate>, zone: string): CutoffOf =>
  (date, leadDays = 0) => {
    const { daysBefore, schoolDaysOnly } = cutoff
    const own = schoolDaysOnly ? schoolDaysBefore(date, daysBefore, closed) : addDays(date, -daysBefore)
    return instantAt(schoolDaysBefore(own, leadDays, closed), cutoff.hour, cutoff.minute, zone)
  }

const schoolDaysBefore = (date: SchoolDate, count: number, closed: ReadonlySet<SchoolDate>): SchoolDate =>
  count === 0 ? date : schoolDaysBefore(schoolDayBefore(date, closed), count - 1, closed)

const schoolDayBefore = (date: SchoolDate, closed: ReadonlySet<SchoolDate>): SchoolDate => {
  let before = addDays(date, -1)
  while (weekdayOf(before) > 5 || closed.has(before)) before = addDays(before, -1)
  return before
}

export const todayAt = (at: Date, cutoffOf: CutoffOf, zone: string): Today => ({
  date: schoolMoment(at, zone).date,
  at,
  cutoffOf,
})

/** At the cutoff itself it has passed. */
const isClosed = (date: SchoolDate, { at, cutoffOf }: Today): boolean => at >= cutoffOf(date)

/** The next cutoff of the cycle, those of dishes with lead days included, or midnight by the school's clock. */
export const nextChangeAt = (cycle: CyclePlan, { date, at, cutoffOf }: Today, zone: string): Date => {
  const midnight = instantAt(addDays(date, 1), 0, 0, zone)
  const cutoffs = placesOf(cycle).flatMap(({ week, day }) => {
    const place = cycleDate(cycle.startDate, week, day)
    return cutoffOf(place) > at ? [cutoffOf(place), ...earlierCutoffs(place, cutoffOf)] : []
  })
  return cutoffs.reduce((next, cutoff) => (cutoff > at && cutoff < next ? cutoff : next), midnight)
}

const earlierCutoffs = (date: SchoolDate, cutoffOf: CutoffOf): Date[] =>
  Array.from({ length: maxLeadDays }, (_, index) => cutoffOf(date, index + 1))

/** Past wins over blocked, blocked over cutoff. */
export const dayState = (cycle: CyclePlan, place: CycleDay, today: Today): DayState => {
  const date = cycleDate(cycle.startDate, place.week, place.day)
  if (date < today.date) return 'past'
  if (cycle.blockedDays.some((blocked) => blocked.week === place.week && blocked.day === place.day))
    return 'blocked'
  return isClosed(date, today) ? 'cutoff' : 'open'
}

/** Friday or its cutoff passed (parent-and-teacher.md section 2). */
const weekCompleted = (friday: SchoolDate, today: Today) => friday < today.date || isClosed(friday, today)

export type CycleDate = CycleDay & { date: SchoolDate; state: DayState }

export const datesOf = (cycle: CyclePlan, today: Today): CycleDate[] =>
  calendar(cycle, today).flatMap(({ week, days: inWeek }) =>
    inWeek.map(({ day, date, state }) => ({ week, day, date, state })),
  )

export const calendar = (cycle: CyclePlan, today: Today): CycleWeek[] =>
  Array.from({ length: cycle.cycleLength }, (_, index) => index + 1).map((week) => ({
    week,
    startDate: cycleDate(cycle.startDate, week, 1),
    endDate: cycleDate(cycle.startDate, week, 5),
    completed: weekCompleted(cycleDate(cycle.startDate, week, 5), today),
    days: days.map((day) => calendarDay(cycle, { week, day }, today)),
  }))

const calendarDay = (cycle: CyclePlan, place: CycleDay, today: Today): CycleWeek['days'][number] => {
  const date = cycleDate(cycle.startDate, place.week, place.day)
  const state = dayState(cycle, place, today)
  const earlier = state === 'open' ? earlierCutoffs(date, today.cutoffOf) : []
  return {
    day: place.day,
    date,
    state,
    cutoffAt: today.cutoffOf(date).toISOString(),
    ...(earlier.length > 0 && {
      earlierCutoffs: earlier.map((cutoff) => cutoff.toISOString()),
      openLeadDays: earlier.filter((cutoff) => today.at < cutoff).length,
    }),
  }
}

/** Dates that can still be ordered today, and no longer by another cutoff. */
export const closedByCutoff = (cycle: CyclePlan, today: Today, cutoffOf: CutoffOf): SchoolDate[] =>
  datesOf(cycle, today)
    .filter(({ date, state }) => state === 'open' && isClosed(date, { ...today, cutoffOf }))
    .map(({ date }) => date)

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

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
// Refuses typing slips such as year 0026 or 9999.
const plausible = /^2\d{3}-/

export const readStartDate = (text: string, zone: string): SchoolDate | null => {
  if (!plausible.test(text) || !isSchoolDate(text.slice(0, 10))) return null
  if (text.length === 10) return text
  if (!instant.test(text) || Number.isNaN(Date.parse(text))) return null
  return schoolMoment(new Date(text), zone).date
}

const inOrder = (one: CycleDay, other: CycleDay) => one.week - other.week || one.day - other.day

const foldedDays = (days: CycleDay[]): CycleDay[] =>
  [...new Map(days.map((place) => [`${place.week}.${place.day}`, place])).values()].toSorted(inOrder)

/** DESIGN section 7; throws a refusal of this context. */
export const planCycle = (
  wish: { startDate: string; cycleLength: number; blockedDays: CycleDay[] },
  facts: { today: SchoolDate; zone: string },
): CyclePlan => {
  const startDate = readStartDate(wish.startDate, facts.zone)
  if (startDate === null) throw refusedField('start_date_invalid', 'startDate', 'Start date must be a date')
  if (weekdayOf(startDate) !== 1)
    throw refusedField('start_not_monday', 'startDate', 'Cycle must start on a Monday')
  if (startDate < mondayOf(facts.today))
    throw refusedField('start_in_past', 'startDate', 'Cycle cannot start before the current week')
  const outside = wish.blockedDays.find((place) => !isInsideCycle(wish, place))
  if (outside)
    throw refusedField(
      'blocked_day_outside_cycle',
      'blockedDays',
      `Blocked day ${outside.day} of week ${outside.week} lies outside the cycle`,
    )
  return { startDate, cycleLength: wish.cycleLength, blockedDays: foldedDays(wish.blockedDays) }
}
