const locale = 'en-ZM'

// Lazy: a format costs a cheap phone 10 ms or more.
const once = <Made>(make: () => Made) => {
  let made: Made | undefined
  return () => (made ??= make())
}

const twoPlaces = once(
  () => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
)
const noPlaces = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }))

/** 1234.5 → "K1,234.50", also from decimal text. */
export const kwacha = (amount: number | string): string => `K${twoPlaces().format(Number(amount))}`

/** The large figures of the office: 1234.2 → "K1,235", rounded up to whole kwacha. */
export const kwachaUp = (amount: number): string =>
  `K${noPlaces().format(Math.ceil(Math.round(amount * 100) / 100))}`

/** 30344 → "30,344". */
export const wholeNumber = (count: number): string => noPlaces().format(count)

/** Of amounts in kwacha, exact to the ngwee. */
export const kwachaSum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100

/** "1 meal", "2 meals", "30,344 orders". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`

const onCalendar = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }))
const dayFormat = onCalendar({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const weekdayFormat = onCalendar({ weekday: 'long' })
const dateFormat = onCalendar({ day: 'numeric', month: 'long', year: 'numeric' })
const shortDayFormat = onCalendar({ weekday: 'short', day: 'numeric', month: 'short' })
const monthFormat = onCalendar({ month: 'long', year: 'numeric' })
const shortDateFormat = onCalendar({ day: 'numeric', month: 'short', year: 'numeric' })
const dayMonthFormat = onCalendar({ day: 'numeric', month: 'long' })

const calendarDay = (date: string) => new Date(`${date.slice(0, 10)}T00:00:00Z`)
const written = (format: Intl.DateTimeFormat, date: Date) =>
  Number.isNaN(date.getTime()) ? 'Invalid date' : format.format(date)

/** "Wednesday, 16 September 2026". */
export const longDay = (date: string): string => written(dayFormat(), calendarDay(date))

/** "Wednesday". */
export const weekdayOf = (date: string): string => written(weekdayFormat(), calendarDay(date))

/** "Wed 16 Sept". */
export const shortDay = (date: string): string =>
  written(shortDayFormat(), calendarDay(date)).replace(',', '')

/** "16 Sept 2026". */
export const shortDate = (date: string): string => written(shortDateFormat(), calendarDay(date))

/** "16 September 2026". */
export const longDate = (date: string): string => written(dateFormat(), calendarDay(date))

/** "16 September". */
export const dayAndMonth = (date: string): string => written(dayMonthFormat(), calendarDay(date))

/** "2026-09" → "September 2026". */
export const monthName = (month: string): string => written(monthFormat(), calendarDay(`${month}-01`))

/** "14 – 18 September 2026". */
export const dateRange = (from: string, to: string): string =>
  dateFormat()
    .formatRange(calendarDay(from), calendarDay(to))
    .split('–')
    .map((part) => part.trim())
    .join(' – ')

const shortDaysFormat = onCalendar({ day: 'numeric', month: 'short' })

/** "23–27 Nov", "30 Nov – 4 Dec". */
export const shortRange = (from: string, to: string): string =>
  shortDaysFormat().formatRange(calendarDay(from), calendarDay(to))

/** Of a week's days, by date: "2026-09-16" → "2026-09-14". */
export const mondayOf = (date: string): string => {
  const day = calendarDay(date)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}

/** 8, 5 → "08:05". */
export const clockTime = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** "beef" → "Beef". */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** "Grade 4"; a staff account is "Staff Account". */
export const gradeLabel = (grade: string): string =>
  grade === 'teacher' ? 'Staff Account' : `Grade ${grade}`

/** The class, else the grade. */
export const classLabel = (child: { class: string | null; grade: string }): string =>
  child.class ?? gradeLabel(child.grade)

/** "mobile_money" → "Mobile money". */
export const methodLabel = (method: string): string =>
  method === 'bank' ? 'Bank transfer' : capitalised(method.replace('_', ' '))

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Monday is 1. */
export const dayName = (day: number): string => dayNames[day - 1] ?? `Day ${day}`

/** "Chipo Banda (2231)" where another child of the class has the name. */
export const namesakeApart = ({
  student,
  tellApart,
}: {
  student: string
  tellApart?: string | undefined
}): string => (tellApart ? `${student} (${tellApart})` : student)

/** Beside a name that two children of a class have. */
export const namesakeText = (tellApart: string): string => `Two of this name: ${tellApart}`

/** The same on every screen. */
export const dietText = {
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
  cash: 'Cash',
  other: 'Mobile money or bank',
  credit: 'Credit',
}

export const payByLabel = (payBy: string): string => labels[payBy] ?? payBy

/** "Paid from +260 97• ••• 456, not the family's number". */
export const paidFromText = (from: { phone: string; own: boolean } | null): string | null =>
  from && `Paid from ${from.phone}${from.own ? '' : ", not the family's number"}`

/** Longer than any class name. */
export const noClass = 'children-without-a-class'

/** As a filter, no class is ''. */
export const classlessFilter = (address: URLSearchParams): { class?: '' } =>
  address.get('class') === noClass ? { class: '' } : {}

/** A single option is chosen by default. */
export const onlyOne = (names: readonly string[]): string => (names.length === 1 ? names[0]! : '')

/** "Choose a protein and a side dish first"; empty for nothing missing. */
export const missingChoicesText = (missing: readonly (string | false | null | undefined)[]): string => {
  const names = missing.filter(Boolean)
  return names.length === 0 ? '' : `Choose ${names.join(' and ')} first`
}

/** Of a failed payment whose meals others have paid for since. */
export const paidWithText = (references: readonly string[]): string =>
  references.length > 0 ? `Paid since with ${references.join(', ')}` : 'Ordered again since'
