import { closureFor } from '#contracts/cycles'
import { forAnyAddress, type UserMessage } from '#kernel/meal-line'
import {
  addDays,
  cycleDate,
  cyclePlace,
  instantAt,
  longDay,
  mondayOf,
  schoolMoment,
  type CutoffOf,
  type SchoolDate,
} from '#kernel/school-time'
import type { ClosedDay, MenuFacts } from '../cart/line-policies.decide'
import type { CycleFacts } from '../ports'

const thursday = 4
const remindAt = { hour: 17, minute: 0 }
/** Late reminders are sent within a day or not at all. */
const remindForHours = 24

/** Monday of next week, from Thursday 17:00 school time; null otherwise. */
export const weekToRemindOf = (now: Date, zone: string): SchoolDate | null => {
  const monday = mondayOf(schoolMoment(now, zone).date)
  const from = instantAt(addDays(monday, thursday - 1), remindAt.hour, remindAt.minute, zone).getTime()
  const until = from + remindForHours * 3_600_000
  return now.getTime() >= from && now.getTime() < until ? addDays(monday, 7) : null
}

/** Those of the week on which one of a family's children can have lunch. */
export const openToAny = (
  dates: readonly SchoolDate[],
  closures: readonly ClosedDay[],
  children: readonly { grade: string; class: string | null }[],
): SchoolDate[] => dates.filter((date) => children.some((child) => !closureFor(closures, date, child)))

export const openDaysOf = (
  week: SchoolDate,
  { cycle, cutoffOf }: { cycle: CycleFacts | null; cutoffOf: CutoffOf },
  now: Date,
  menu: readonly Pick<MenuFacts, 'weekNumbers' | 'daysOfWeek' | 'leadDays' | 'isAvailable'>[] = [],
): SchoolDate[] => {
  if (!cycle) return []
  const blocked = new Set(cycle.blockedDays.map((place) => cycleDate(cycle.startDate, place.week, place.day)))
  const end = addDays(cycle.startDate, 7 * cycle.cycleLength)
  return [0, 1, 2, 3, 4]
    .map((days) => addDays(week, days))
    .filter((date) => date >= cycle.startDate && date < end && !blocked.has(date))
    .filter((date) => {
      const { weekNumber, dayOfWeek } = cyclePlace(cycle.startDate, date)
      const offered = menu.filter(
        (item) =>
          item.isAvailable && item.weekNumbers.includes(weekNumber) && item.daysOfWeek.includes(dayOfWeek),
      )
      const leads = offered.length > 0 ? offered.map(({ leadDays }) => leadDays) : [0]
      return cutoffOf(date, Math.min(...leads)) > now
    })
}

export const reminder = (firstDay: SchoolDate, stopLink: string): UserMessage => {
  const text =
    `no lunch is ordered for next week yet. The first day is ${longDay(firstDay)}.\n\n` +
    `If you do not want to be reminded any more: ${stopLink}`
  return forAnyAddress({
    subject: 'No lunch ordered for next week',
    text,
    short: `No lunch ordered for next week. No more reminders: ${stopLink}`,
  })
}
