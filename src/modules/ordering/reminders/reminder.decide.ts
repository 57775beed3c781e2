import type { UserMessage } from '#kernel/user-message'
import {
  addDays,
  cycleDate,
  instantAt,
  longDay,
  mondayOf,
  schoolMoment,
  type SchoolDate,
} from '#kernel/school-time'
import type { CycleFacts } from '../cart/line-facts'

const thursday = 4
const remindAt = { hour: 17, minute: 0 }
/** Who could not be reminded at once is reminded within a day, or not at all. */
const remindForHours = 24

/** The Monday of the week that families are reminded of now, from Thursday 17:00 of the school's clock; null otherwise. */
export const weekToRemindOf = (now: Date, zone: string): SchoolDate | null => {
  const monday = mondayOf(schoolMoment(now, zone).date)
  const from = instantAt(addDays(monday, thursday - 1), remindAt.hour, remindAt.minute, zone).getTime()
  const until = from + remindForHours * 3_600_000
  return now.getTime() >= from && now.getTime() < until ? addDays(monday, 7) : null
}

/** The days of that week on which lunch can still be ordered. */
export const openDaysOf = (
  week: SchoolDate,
  { cycle, cutoff }: { cycle: CycleFacts | null; cutoff: { hour: number; minute: number } },
  now: Date,
  zone: string,
): SchoolDate[] => {
  if (!cycle) return []
  const blocked = new Set(cycle.blockedDays.map((place) => cycleDate(cycle.startDate, place.week, place.day)))
  const end = addDays(cycle.startDate, 7 * cycle.cycleLength)
  return [0, 1, 2, 3, 4]
    .map((days) => addDays(week, days))
    .filter((date) => date >= cycle.startDate && date < end && !blocked.has(date))
    .filter((date) => instantAt(date, cutoff.hour, cutoff.minute, zone) > now)
}

/** Reminds a family; `stopLink` leads to the page on which one press ends reminders. */
export const reminder = (firstDay: SchoolDate, stopLink: string): UserMessage => {
  const text =
    `no lunch is ordered for next week yet. The first day is ${longDay(firstDay)}.\n\n` +
    `If you do not want to be reminded any more: ${stopLink}`
  return {
    subject: 'No lunch ordered for next week',
    text,
    bareText: text,
    short: `No lunch ordered for next week. No more reminders: ${stopLink}`,
  }
}
