import { addDays, instantAt, isSchoolDate, type SchoolDate } from './school-time'

/** Whether 05/09/2026 is the fifth of September or the ninth of May. */
export type DayOrder = 'day-first' | 'month-first'

const numeric = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4}|\d{2})(?!\d)/
const yearFirst = /^(\d{4})[/.\- ](\d{1,2})[/.\- ](\d{1,2})(?!\d)/
const compact = /^(\d{4})(\d{2})(\d{2})(?=$|[ T]|\d{4}(?:\d{2})?$)/
const dayThenName =
  /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[ /\-.]?([a-z]{3,9})[ /\-.,]*(\d{4}|\d{2})(?!\d)/
const nameThenDay = /^(?:[a-z]{3,9},? )?([a-z]{3,9})[ \-.](\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNamed = (name: string): number => months.indexOf(name.slice(0, 3)) + 1

const plainText = (text: string) => text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** How the numbers of a file's dates are meant: day before month, unless one of them has no such month and none the other way. */
export const dayOrderOf = (texts: Iterable<string>): DayOrder => {
  let [dayFirst, monthFirst] = [false, false]
  for (const text of texts) {
    const [, first, second] = numeric.exec(plainText(text)) ?? []
    if (Number(first) > 12) dayFirst = true
    if (Number(second) > 12) monthFirst = true
  }
  return monthFirst && !dayFirst ? 'month-first' : 'day-first'
}

const two = (number: number | string) => String(number).padStart(2, '0')

const dateIn = (text: string, order: DayOrder): { date: SchoolDate; rest: string } | null => {
  const parts = (pattern: RegExp, [year, month, day]: readonly [number, number, number]) => {
    const match = pattern.exec(text)
    return match && { year: match[year]!, month: match[month]!, day: match[day]!, length: match[0].length }
  }
  const found =
    parts(yearFirst, [1, 2, 3]) ??
    parts(numeric, order === 'day-first' ? [3, 2, 1] : [3, 1, 2]) ??
    parts(compact, [1, 2, 3]) ??
    parts(dayThenName, [3, 2, 1]) ??
    parts(nameThenDay, [3, 1, 2])
  if (!found) return null
  const { year, month, day, length } = found
  const monthNumber = /^\d/.test(month) ? Number(month) : monthNamed(month)
  const date = `${year.length === 2 ? `20${year}` : year}-${two(monthNumber)}-${two(day)}`
  if (!isSchoolDate(date) || date < '2000' || date > '2100') return null
  return { date, rest: text.slice(length) }
}

type ClockTime = { ms: number; offset: string | null }

const time =
  /^[t, ]*(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)? ?(a\.?m\.?|p\.?m\.?)? ?(z|[+-]\d{2}:?\d{2})?$/
const compactTime = /^[t ]*(\d{2})(\d{2})(\d{2})?()(z)?$/

/** The time of day behind a date; midnight where there is none, null where it is no time. */
const timeIn = (rest: string): ClockTime | null => {
  if (/^[t, ]*$/.test(rest)) return { ms: 0, offset: null }
  const [, hourText, minute, second, half, offset] = time.exec(rest) ?? compactTime.exec(rest) ?? []
  if (hourText === undefined) return null
  const hour = half ? (Number(hourText) % 12) + (half.startsWith('p') ? 12 : 0) : Number(hourText)
  if (hour > 23 || Number(minute) > 59 || Number(second ?? 0) > 59 || (half && Number(hourText) > 12))
    return null
  return {
    ms: ((hour * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000,
    offset: offset ?? null,
  }
}

const dayMs = 86_400_000

/**
 * The instant that a statement's date, with or without a time, names on the wall clock of `zone`, unless it says its offset
 * itself; null for what is no date. "05/09/2026 06:39", "2026-09-05T06:39:12Z", "5 Sep 2026", "20260905".
 */
export const instantFromText = (text: string, order: DayOrder, zone: string): Date | null => {
  const found = dateIn(plainText(text), order)
  const clock = found && timeIn(found.rest)
  if (!found || !clock) return null
  const { date } = found
  if (clock.offset !== null) {
    const offset = clock.offset === 'z' ? 'Z' : clock.offset.replace(/^(.\d{2}):?/, '$1:')
    return new Date(Date.parse(`${date}T00:00:00${offset}`) + clock.ms)
  }
  const midnight = instantAt(date, 0, 0, zone)
  // Asking the calendar is dear; on nearly all days the clock does not jump.
  const isPlainDay = +instantAt(addDays(date, 1), 0, 0, zone) - +midnight === dayMs
  if (isPlainDay) return new Date(+midnight + clock.ms)
  const minutes = Math.floor(clock.ms / 60_000)
  return new Date(+instantAt(date, Math.floor(minutes / 60), minutes % 60, zone) + (clock.ms % 60_000))
}
