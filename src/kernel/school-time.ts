/** A calendar date in the school's zone, `YYYY-MM-DD`. Compares as text. */
export type SchoolDate = string

/** What the school's wall clock and calendar show at an instant. `hour` 0–23, `weekday` 1 (Monday) to 7. */
export type SchoolMoment = { date: SchoolDate; hour: number; minute: number; weekday: number }

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

const formatFor = (zone: string) => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
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

const wallClock = (at: Date, zone: string) => {
  const parts: Record<string, string> = {}
  for (const part of formatFor(zone).formatToParts(at)) parts[part.type] = part.value
  return parts
}

/** The date, time and weekday in `zone` (IANA name) at the instant `at`. */
export const schoolMoment = (at: Date, zone: string): SchoolMoment => {
  const { year, month, day, hour, minute } = wallClock(at, zone)
  const date = `${year}-${month}-${day}`
  return { date, hour: Number(hour), minute: Number(minute), weekday: weekdayOf(date) }
}

/**
 * The instant at which the school's wall clock first shows `hour:minute` on `date`. Where the clock jumps over that
 * time (summer time begins) it is the instant of the jump; where it shows it twice, the first of the two.
 */
export const instantAt = (date: SchoolDate, hour: number, minute: number, zone: string): Date => {
  const asked = `${zone} ${date} ${hour}:${minute}`
  const known = instants.get(asked)
  if (known !== undefined) return new Date(known)
  if (instants.size >= rememberedInstants) instants.clear()
  const found = firstInstantAt(date, hour, minute, zone)
  instants.set(asked, found)
  return new Date(found)
}

// A checkout asks for the cutoffs of its days, and a cycle has only thirty; asking the calendar is dear.
const instants = new Map<string, number>()
const rememberedInstants = 1_000

const firstInstantAt = (date: SchoolDate, hour: number, minute: number, zone: string): number => {
  const wanted = Date.parse(`${date}T00:00:00Z`) + (hour * 60 + minute) * 60_000
  // The zone's offsets well before and well after: a change of the clock lies between them or nowhere near.
  const candidates = [wanted - dayMs, wanted + dayMs]
    .map((near) => wanted - (shownAs(near, zone) - near))
    .toSorted((one, other) => one - other) as [number, number]
  const shown = candidates.find((at) => shownAs(at, zone) === wanted)
  return shown ?? firstShowing(wanted, ...candidates, zone)
}

/** The first whole second after `early`, at the latest `late`, at which the clock shows `wanted` or more. */
const firstShowing = (wanted: number, early: number, late: number, zone: string): number => {
  let [before, after] = [early, late]
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (shownAs(middle, zone) < wanted) before = middle
    else after = middle
  }
  return after
}

const shownAs = (at: number, zone: string) => {
  const { year, month, day, hour, minute, second } = wallClock(new Date(at), zone)
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** The date `days` later (negative: earlier). */
export const addDays = (date: SchoolDate, days: number): SchoolDate =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (date: SchoolDate): number =>
  ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1

/** The Monday of the week that `date` lies in. */
export const mondayOf = (date: SchoolDate): SchoolDate => addDays(date, 1 - weekdayOf(date))

/** The date of day `day` (1–5) of week `week` (from 1) of a cycle: start + 7(w−1) + (d−1), DESIGN section 4. */
export const cycleDate = (startDate: SchoolDate, week: number, day: number): SchoolDate =>
  addDays(startDate, 7 * (week - 1) + (day - 1))

/** The week (from 1; less before the cycle) and the day of the week (1–7) of a date in a cycle that starts on this Monday. */
export const cyclePlace = (startDate: SchoolDate, date: SchoolDate) => ({
  weekNumber: Math.floor((Date.parse(date) - Date.parse(startDate)) / (7 * dayMs)) + 1,
  dayOfWeek: weekdayOf(date),
})

const writtenOut = new Intl.DateTimeFormat('en-ZM', { dateStyle: 'full', timeZone: 'UTC' })

/** A school date as people write it: "Wednesday, 16 September 2026". */
export const longDay = (date: SchoolDate): string => writtenOut.format(new Date(`${date}T00:00:00Z`))

const dayOfMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** A school date in few words: "16 September". */
export const dayAndMonth = (date: SchoolDate): string => dayOfMonth.format(new Date(`${date}T00:00:00Z`))

/** Hours and minutes of a wall clock: "08:05". */
export const clockTime = ({ hour, minute }: Pick<SchoolMoment, 'hour' | 'minute'>): string =>
  [hour, minute].map((part) => String(part).padStart(2, '0')).join(':')

/** An instant as people write it: "08:00 on Tuesday, 15 September 2026". */
export const timeInWords = (at: Date, zone: string): string => {
  const moment = schoolMoment(at, zone)
  return `${clockTime(moment)} on ${longDay(moment.date)}`
}

/** True for a real calendar date written `YYYY-MM-DD`. */
export const isSchoolDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
