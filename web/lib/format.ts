const locale = 'en-ZM'

// A format takes a cheap phone 10 ms and more to make: each is made when it is first used.
const once = <Made>(make: () => Made) => {
  let made: Made | undefined
  return () => (made ??= make())
}

const twoPlaces = once(
  () => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
)
const noPlaces = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }))

/** Kwacha with two decimals in the Zambian locale: 1234.5 → "K1,234.50". Takes decimal text too. */
export const kwacha = (amount: number | string): string => `K${twoPlaces().format(Number(amount))}`

/** A whole number with its thousands apart: 30344 → "30,344". */
export const wholeNumber = (count: number): string => noPlaces().format(count)

/** "1 meal", "2 meals", "30,344 orders". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`

const onCalendar = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }))
const dayFormat = onCalendar({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const dateFormat = onCalendar({ day: 'numeric', month: 'long', year: 'numeric' })
const shortDayFormat = onCalendar({ weekday: 'short', day: 'numeric', month: 'short' })
const dayMonthFormat = onCalendar({ day: 'numeric', month: 'long' })

const calendarDay = (date: string) => new Date(`${date.slice(0, 10)}T00:00:00Z`)
const written = (format: Intl.DateTimeFormat, date: Date) =>
  Number.isNaN(date.getTime()) ? 'Invalid date' : format.format(date)

/** A school date written out with its weekday: "Wednesday, 16 September 2026". */
export const longDay = (date: string): string => written(dayFormat(), calendarDay(date))

/** A school date with its weekday for where there is little room: "Wed 16 Sept". */
export const shortDay = (date: string): string =>
  written(shortDayFormat(), calendarDay(date)).replace(',', '')

/** A school date written out: "16 September 2026". */
export const longDate = (date: string): string => written(dateFormat(), calendarDay(date))

/** A school date without the year: "16 September". */
export const dayAndMonth = (date: string): string => written(dayMonthFormat(), calendarDay(date))

/** Two school dates as one range: "14 – 18 September 2026". */
export const dateRange = (from: string, to: string): string =>
  dateFormat()
    .formatRange(calendarDay(from), calendarDay(to))
    .replaceAll(/\s*–\s*/g, ' – ')

/** Hours and minutes of a wall clock: 8, 5 → "08:05". */
export const clockTime = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** Proteins and sides as they are shown: "beef" → "Beef". */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** "Grade 4"; a staff account is "Staff Account". */
export const gradeLabel = (grade: string): string =>
  grade === 'teacher' ? 'Staff Account' : `Grade ${grade}`

/** The name of a child's class; where it has none, its grade. */
export const classLabel = (child: { class: string | null; grade: string }): string =>
  child.class ?? gradeLabel(child.grade)

/** How money goes back, in words: "mobile_money" → "Mobile money". */
export const methodLabel = (method: string): string =>
  method === 'bank' ? 'Bank transfer' : capitalised(method.replace('_', ' '))

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The English name of a day numbered from Monday 1 to Sunday 7. */
export const dayName = (day: number): string => dayNames[day - 1] ?? `Day ${day}`

/** As every screen names a diet. */
export const dietWords = {
  none: 'No special diet',
  vegetarian: 'Vegetarian',
  no_pork: 'No pork',
  no_beef: 'No beef',
  halal: 'Halal',
} as const

const labels: Record<string, string> = {
  card: 'Card',
  airtel: 'Airtel Money',
  mtn: 'MTN Money',
  bank: 'Bank transfer',
  other: 'Mobile money or bank',
}

/** How something is paid for, in words: "airtel" → "Airtel Money". */
export const payByLabel = (payBy: string): string => labels[payBy] ?? payBy

/** In the address of a list: children without a class. Longer than the name of any class can be. */
export const noClass = 'children-without-a-class'

/** The filter by class where the address asks for children without one; as a filter it is ''. */
export const classlessAsked = (address: URLSearchParams): { class?: '' } =>
  address.get('class') === noClass ? { class: '' } : {}

/** What there is to choose of a meal; the only one there is, is chosen. */
export const onlyOne = (names: readonly string[]): string => (names.length === 1 ? names[0]! : '')

/** What keeps a meal from being ordered, in words: "Choose a protein and a side dish first"; empty for nothing. */
export const stillToChoose = (missing: readonly (string | false | null | undefined)[]): string => {
  const names = missing.filter(Boolean)
  return names.length === 0 ? '' : `Choose ${names.join(' and ')} first`
}
