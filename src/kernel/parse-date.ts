import { addDays, dayAndMonth, instantAt, isSchoolDate, schoolMoment, type SchoolDate } from './school-time'

const dateOrders = ['day-first', 'month-first', 'year-first'] as const
type DateOrder = (typeof dateOrders)[number]

const numeric = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4}|\d{2})(?!\d)/
const yearFirst = /^(\d{4})[/.\- ](\d{1,2})[/.\- ](\d{1,2})(?!\d)/
const compact = /^(\d{4})(\d{2})(\d{2})(?=$|[ T]|\d{4}(?:\d{2})?$)/
const dayThenName =
  /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[ /\-.]?([a-z]{3,9})[ /\-.,]*(\d{4}|\d{2})(?!\d)/
const nameThenDay = /^(?:[a-z]{3,9},? )?([a-z]{3,9})[ \-.](\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNamed = (name: string): number => months.indexOf(name.slice(0, 3)) + 1

const plainText = (text: string) => text.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ')

const two = (number: number | string) => String(number).padStart(2, '0')

const places = {
  'day-first': [3, 2, 1],
  'month-first': [3, 1, 2],
  'year-first': [1, 2, 3],
} as const

const dateIn = (text: string, order: DateOrder): { date: SchoolDate; rest: string } | null => {
  const parts = (pattern: RegExp, [year, month, day]: readonly [number, number, number]) => {
    const match = pattern.exec(text)
    return match && { year: match[year]!, month: match[month]!, day: match[day]!, length: match[0].length }
  }
  const found =
    parts(yearFirst, [1, 2, 3]) ??
    parts(numeric, places[order]) ??
    parts(compact, [1, 2, 3]) ??
    parts(dayThenName, places[order === 'month-first' ? 'day-first' : order]) ??
    parts(nameThenDay, [3, 1, 2])
  if (!found || found.day.length > 2) return null
  const { year, month, day, length } = found
  const monthNumber = /^\d/.test(month) ? Number(month) : monthNamed(month)
  const date = `${year.length < 4 ? `20${two(year)}` : year}-${two(monthNumber)}-${two(day)}`
  if (!isSchoolDate(date) || date < '2000' || date > '2100') return null
  return { date, rest: text.slice(length) }
}

type ClockTime = { ms: number; offset: string | null }

const time =
  /^[t, ]*(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)? ?(a\.?m\.?|p\.?m\.?)? ?(z|[+-]\d{2}:?\d{2})?$/
const compactTime = /^[t ]*(\d{2})(\d{2})(\d{2})?()(z)?$/

/** `09:00 hrs`, `09:00 CAT` and ` - 09:00` as `09:00`; Central Africa Time is two hours ahead. */
const plainTime = (rest: string): string =>
  rest
    .replace(/^ - /, ' ')
    .replace(/ ?hrs$/, '')
    .replace(/ ?cat$/, '+02:00')

const timeIn = (text: string): ClockTime | null => {
  const rest = plainTime(text)
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

/** Reads "05/09/2026 06:39", "2026-09-05T06:39:12Z", "5 Sep 2026", "20260905" in `zone` unless an offset is given; null for no date. */
export const instantFromText = (text: string, order: DateOrder, zone: string): Date | null => {
  const found = dateIn(plainText(text), order)
  const clock = found && timeIn(found.rest)
  if (!found || !clock) return null
  const { date } = found
  if (clock.offset !== null) {
    const offset = clock.offset === 'z' ? 'Z' : clock.offset.replace(/^(.\d{2}):?/, '$1:')
    return new Date(Date.parse(`${date}T00:00:00${offset}`) + clock.ms)
  }
  const midnight = instantAt(date, 0, 0, zone)
  // Fast path: the clock jumps on few days, and zone arithmetic is slow.
  const isPlainDay = +instantAt(addDays(date, 1), 0, 0, zone) - +midnight === dayMs
  if (isPlainDay) return new Date(+midnight + clock.ms)
  const minutes = Math.floor(clock.ms / 60_000)
  return new Date(+instantAt(date, Math.floor(minutes / 60), minutes % 60, zone) + (clock.ms % 60_000))
}

/** Days since 1900, of the years 2009 to 2064. */
const serial = /^[45]\d{4}([.,]\d+)?$/

export type DateReader = (text: string) => Date | string

type Dates = { now: Date; zone: string }

/** Day first, unless more dates of the column are then impossible (after tomorrow, older than two years). */
export const dateReader = (texts: Iterable<string>, { now, zone }: Dates): DateReader => {
  const { oldest, canBe, order } = orderIn(texts, { now, zone })
  return (text) => {
    const found = order === null ? readings(text, zone) : [instantFromText(text, order, zone)]
    const possible = new Set(found.filter(canBe).map(Number))
    if (possible.size > 1) return `The date ${text} can be read in several ways`
    const [only] = possible
    if (only !== undefined) return new Date(only)
    const [at] = found.filter((one) => one !== null)
    if (!at && serial.test(text.trim()))
      return `The date ${text} is a spreadsheet's number of a day. Show that column as dates and save the file again.`
    if (!at) return `The date ${text} cannot be read`
    return `The date ${text} is ${+at < oldest ? 'older than two years' : 'after tomorrow'}`
  }
}

const orderNames = { 'day-first': 'day/month', 'month-first': 'month/day', 'year-first': 'year/month/day' }

/**
 * Tells the order of dates and the days that come of it where the month may stand first: each could be read so, the file shows it, or the
 * dates would lie closer together with days and months the other way round; null elsewhere.
 */
export const orderOfDates = (texts: Iterable<string>, { now, zone }: Dates): string | null => {
  const distinct = [...new Set(texts)]
  const inNumbers = distinct.filter((text) => numeric.test(plainText(text)))
  const { order, canBe } = orderIn(distinct, { now, zone })
  if (order === null || inNumbers.length === 0) return null
  const isEither = (text: string) => {
    const [dayFirst, monthFirst] = readings(text, zone)
    return dayFirst !== null && monthFirst !== null
  }
  const isPossible = (date: SchoolDate) => isSchoolDate(date) && canBe(instantAt(date, 12, 0, zone))
  const read = new Set(distinct.flatMap((text) => dateIn(plainText(text), order)?.date ?? []))
  const days = [...read].filter(isPossible).toSorted()
  if (days.length === 0) return null
  const turned = days.map((day) => [turnedRound(day)].find(isPossible) ?? day)
  const isTold = order === 'month-first' || inNumbers.every(isEither) || spanOf(turned) * 2 < spanOf(days)
  if (!isTold) return null
  const [first, last] = [days[0]!, days.at(-1)!].map(dayAndMonth)
  return `Dates are read as ${orderNames[order]}: first ${first}, last ${last}`
}

/** With day and month the other way round. */
const turnedRound = (date: SchoolDate): string => date.replace(/(\d\d)-(\d\d)$/, '$2-$1')

const spanOf = (dates: readonly SchoolDate[]): number => {
  const days = dates.map((date) => Date.parse(date))
  return Math.max(...days) - Math.min(...days)
}

const readings = (text: string, zone: string) => dateOrders.map((order) => instantFromText(text, order, zone))

/** Instants of what has happened: two years back at most, and not after tomorrow. */
export const possibleDates = ({ now, zone }: Dates) => {
  const { date: today } = schoolMoment(now, zone)
  const [oldest, end] = [addDays(today, -twoYears), addDays(today, 2)].map(
    (date) => +instantAt(date, 0, 0, zone),
  ) as [number, number]
  const canBe = (at: Date | null): at is Date => at !== null && +at >= oldest && +at < end
  return { oldest, canBe }
}

const orderIn = (texts: Iterable<string>, { now, zone }: Dates) => {
  const { oldest, canBe } = possibleDates({ now, zone })
  const order = orderOf(
    [...new Set(texts)].filter(hasOrder).map((text) => readings(text, zone)),
    canBe,
  )
  return { oldest, canBe, order }
}

const twoYears = 731

const hasOrder = (text: string): boolean => {
  const plain = plainText(text)
  return numeric.test(plain) || dayThenName.test(plain)
}

type Readings = readonly (Date | null)[]

const orderOf = (dates: readonly Readings[], canBe: (at: Date | null) => boolean): DateOrder | null => {
  const real = dates.filter((readings) => readings.some(canBe))
  const columns = dateOrders.map((order, place) => ({
    order,
    misses: real.filter((readings) => !canBe(readings[place]!)).length,
    latest: Math.max(...real.map((readings) => Number(readings[place]))),
  }))
  const least = Math.min(...columns.map(({ misses }) => misses))
  const [first, ...others] = columns.filter(({ misses }) => misses === least)
  if (least > 0 && others.length > 0) return null
  // Statements cover recent days: a younger reading with the year first is possible.
  const isDoubtful = others.some(({ order, latest }) => order === 'year-first' && latest > first!.latest)
  return isDoubtful ? null : first!.order
}
