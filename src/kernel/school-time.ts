import { clockTime, onDayOfMeal } from './deadline'

export { clockTime }

/** `YYYY-MM-DD` in the school's zone; compares as text. */
export type SchoolDate = string

/** `hour` 0–23, `weekday` 1 (Monday) to 7. */
export type SchoolMoment = { date: SchoolDate; hour: number; minute: number; weekday: number }

/** The instant from which lunches of a date can no longer be ordered, `leadDays` (default 0) school days earlier for some dishes. */
export type CutoffOf = (date: SchoolDate, leadDays?: number) => Date

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

const formatFor = (zone: string) => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, made)
  return made
}

/** Swedish spells an instant `2026-09-16 08:05:00`; parts would take three times as long. */
const wallClock = (at: Date, zone: string): string => formatFor(zone).format(at)

export const schoolMoment = (at: Date, zone: string): SchoolMoment => {
  const [date = '', time = ''] = wallClock(at, zone).split(' ')
  const [hour, minute] = time.split(':')
  return { date, hour: Number(hour), minute: Number(minute), weekday: weekdayOf(date) }
}

/** When the clock first shows `hour:minute`; a time that a jump forward skips is the instant of the jump. */
export const instantAt = (date: SchoolDate, hour: number, minute: number, zone: string): Date => {
  const asked = `${zone} ${date} ${hour}:${minute}`
  const known = instants.get(asked)
  if (known !== undefined) return new Date(known)
  if (instants.size >= rememberedInstants) instants.clear()
  const found = firstInstantAt(date, hour, minute, zone)
  instants.set(asked, found)
  return new Date(found)
}

// Cached: time zone arithmetic is slow, and a cycle has only thirty cutoffs.
const instants = new Map<string, number>()
const rememberedInstants = 1_000

const firstInstantAt = (date: SchoolDate, hour: number, minute: number, zone: string): number => {
  const wanted = Date.parse(`${date}T00:00:00Z`) + (hour * 60 + minute) * 60_000
  // Offsets a day before and after bracket any clock change.
  const candidates = [wanted - dayMs, wanted + dayMs]
    .map((near) => wanted - (shownAs(near, zone) - near))
    .toSorted((one, other) => one - other) as [number, number]
  const shown = candidates.find((at) => shownAs(at, zone) === wanted)
  return shown ?? firstShowing(wanted, ...candidates, zone)
}

const firstShowing = (wanted: number, early: number, late: number, zone: string): number => {
  let [before, after] = [early, late]
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (shownAs(middle, zone) < wanted) before = middle
    else after = middle
  }
  return after
}

const shownAs = (at: number, zone: string): number =>
  Date.parse(`${wallClock(new Date(at), zone).replace(' ', 'T')}Z`)

export const addDays = (date: SchoolDate, days: number): SchoolDate =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export const weekdayOf = (date: SchoolDate): number =>
  ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1

export const mondayOf = (date: SchoolDate): SchoolDate => addDays(date, 1 - weekdayOf(date))

/** Start + 7(w−1) + (d−1), DESIGN section 4. */
export const cycleDate = (startDate: SchoolDate, week: number, day: number): SchoolDate =>
  addDays(startDate, 7 * (week - 1) + (day - 1))

/** Inverse of `cycleDate`; the week is below 1 before the cycle. */
export const cyclePlace = (startDate: SchoolDate, date: SchoolDate) => ({
  weekNumber: Math.floor((Date.parse(date) - Date.parse(startDate)) / (7 * dayMs)) + 1,
  dayOfWeek: weekdayOf(date),
})

const writtenOut = new Intl.DateTimeFormat('en-ZM', { dateStyle: 'full', timeZone: 'UTC' })

export const longDay = (date: SchoolDate): string => writtenOut.format(new Date(`${date}T00:00:00Z`))

/** "Monday". */
export const weekdayName = (date: SchoolDate): string => longDay(date).split(',')[0]!

const dayOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

export const dayAndMonth = (date: SchoolDate): string => dayOfMonth.format(new Date(`${date}T00:00:00Z`))

export const timeText = (at: Date, zone: string): string => {
  const moment = schoolMoment(at, zone)
  return `${clockTime(moment)} on ${longDay(moment.date)}`
}

/** Of a meal's date: "08:00 on the day of the meal", or with the day where it is another. */
const deadlineText = (at: Date, mealDate: SchoolDate, zone: string): string => {
  const moment = schoolMoment(at, zone)
  return moment.date === mealDate ? onDayOfMeal(clockTime(moment)) : timeText(at, zone)
}

/** Each deadline once, with its days where there are several. */
export const deadlinesText = (
  meals: readonly { mealDate: SchoolDate; until: Date }[],
  zone: string,
): string => {
  const days = new Map<string, SchoolDate[]>()
  for (const { mealDate, until } of meals) {
    const deadline = `until ${deadlineText(until, mealDate, zone)}`
    days.set(deadline, [...(days.get(deadline) ?? []), mealDate])
  }
  if (days.size === 1) return [...days.keys()].join('')
  return [...days]
    .map(([deadline, dates]) => `${deadline} (${[...new Set(dates)].toSorted().map(weekdayName).join(', ')})`)
    .join('; ')
}

export const isSchoolDate = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  // A 30 February is read as 2 March.
  return !Number.isNaN(at) && new Date(at).getUTCDate() === Number(text.slice(8))
}
