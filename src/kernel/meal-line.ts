import { z } from 'zod'
import { rowId, slotKey, type Lunch } from './id'
import { ngwee, type Ngwee } from './money'
import { longDay, type SchoolDate } from './school-time'

/** One meal as it was at checkout; it wins over later names and prices (payments.md section 8 rule 15). */
export const mealLine = z.strictObject({
  index: z.int().nonnegative(),
  slot: slotKey,
  /** `class` is absent for a child in no class. */
  student: z.strictObject({ name: z.string(), grade: z.string(), class: z.string().optional() }),
  item: z.strictObject({ id: rowId, name: z.string(), type: z.enum(['primary', 'secondary']) }),
  category: z.string().nullable(),
  sideDish: z.string().nullable(),
  comments: z.string().max(500),
  originalPrice: ngwee,
  price: ngwee,
  credit: z.optional(ngwee),
  discountPercentage: z.number().min(0).max(100),
  /** Who pays the discount; for the office alone. */
  sponsor: z.string().optional(),
  /** The buyer confirmed an allergen of the child; which one is not stored. */
  acknowledged: z.literal(true).optional(),
  /** The item has a portion limit: an unpaid portion is released after a while. */
  limited: z.literal(true).optional(),
  /** The office ordered it after the cutoff. */
  late: z.literal(true).optional(),
  mealDate: z.iso.date(),
  cutoffAt: z.iso.datetime(),
  /** The date's own, for a dish with lead days. */
  dayCutoffAt: z.iso.datetime().optional(),
})
export type MealLine = z.infer<typeof mealLine>

export const moneyOf = ({ price, credit = 0 }: Pick<MealLine, 'price' | 'credit'>): Ngwee => price - credit

/** Where a payment that began before the cutoff and is under way has `graceMinutes` after it. */
export const graceEnd = ({ cutoffAt }: Pick<MealLine, 'cutoffAt'>, graceMinutes: number): Date =>
  new Date(Date.parse(cutoffAt) + graceMinutes * 60_000)

/** How long an unpaid portion of a limited item is kept outside the card provider. */
export const unpaidPortionMinutes = 30

/** Null without a limit, or when ordering closes earlier. */
export const portionKeptUntil = (
  { limited, cutoffAt }: Pick<MealLine, 'limited' | 'cutoffAt'>,
  since: string,
): string | null => {
  const until = Date.parse(since) + unpaidPortionMinutes * 60_000
  return limited && until < Date.parse(cutoffAt) ? new Date(until).toISOString() : null
}

export const lunchOf = ({ slot, mealDate }: Pick<MealLine, 'slot' | 'mealDate'>): Lunch => ({
  studentId: slot.studentId,
  date: mealDate,
})

/**
 * `bareSubject` and `bareText` are for an address that nobody verified, so perhaps a stranger's: amounts, dates and references, no word that
 * a person typed, and no health. Nor are any in `short`.
 */
export type UserMessage = {
  subject: string
  bareSubject?: string
  text: string
  bareText: string
  short?: string
}

/** For a text in which nobody typed a word. */
export const forAnyAddress = (message: Omit<UserMessage, 'bareText' | 'bareSubject'>): UserMessage => ({
  ...message,
  bareText: message.text,
})

type EatenMeal = { student: { name: string }; mealDate: SchoolDate }
type NamedMeal = EatenMeal & { item: { name: string } }

type ToldMeals<Meal> = {
  /** "Ordered" makes the subject "Ordered for Luyando and Thabo, 30 Nov to 3 Dec". */
  what: string
  why?: string
  meals: readonly Meal[]
  start: string
  bareStart?: string
  /** What follows the dish, with its comma. */
  more?: (meal: Meal, isBare: boolean) => string
  end?: readonly string[]
  bareEnd?: readonly string[]
  short: (meals: string) => string
}

/** One block a child, one line a meal, in order of their days. */
export const mealMessage = <Meal extends NamedMeal>(told: ToldMeals<Meal>): UserMessage => {
  const { meals, start, bareStart = start, more = () => '', end = [], bareEnd = end, short } = told
  const linesOf = (some: readonly Meal[], lineOf: (meal: Meal) => string) =>
    some
      .toSorted((one, other) => one.mealDate.localeCompare(other.mealDate))
      .map((meal) => `- ${lineOf(meal)}`)
  const blocks = namesOf(meals).map((name) =>
    [
      name,
      ...linesOf(
        meals.filter(({ student }) => student.name === name),
        (meal) => `${longDay(meal.mealDate)}: ${meal.item.name}${more(meal, false)}`,
      ),
    ].join('\n'),
  )
  const bareLines = linesOf(meals, (meal) => `${longDay(meal.mealDate)}: a meal${more(meal, true)}`)
  return {
    ...mealSubject(told),
    text: [start, ...blocks, ...end].join('\n\n'),
    bareText: [`${bareStart}\n${bareLines.join('\n')}`, ...bareEnd].join('\n\n'),
    short: short(mealsInShort(meals.map(({ mealDate }) => mealDate))),
  }
}

/** "Ordered for Luyando and Thabo, 30 Nov to 3 Dec"; `bareSubject` is "Ordered, 30 Nov to 3 Dec". */
export const mealSubject = ({
  what,
  why = '',
  meals,
}: {
  what: string
  why?: string
  meals: readonly EatenMeal[]
}): Required<Pick<UserMessage, 'subject' | 'bareSubject'>> => {
  const days = daysInShort(meals.map(({ mealDate }) => mealDate))
  return {
    subject: `${what} for ${childrenInShort(namesOf(meals))}, ${days}${why}`,
    bareSubject: `${what}, ${days}${why}`,
  }
}

const namesOf = (meals: readonly EatenMeal[]) => [...new Set(meals.map(({ student }) => student.name))]

const maxChildren = 3

/** First names where they differ. */
export const childrenInShort = (names: readonly string[]): string => {
  if (names.length > maxChildren) return `${names.length} children`
  const firsts = names.map((name) => name.trim().split(/\s+/)[0]!)
  const shown =
    new Set(firsts).size === names.length ? firsts : names.map((name) => name.replaceAll(/\s+/g, ' '))
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

const shortDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const inShort = (date: SchoolDate) => shortDay.format(new Date(`${date}T00:00:00Z`)).replace(',', '')
const dayInShort = (date: SchoolDate) => inShort(date).slice('Mon '.length)

const daysInShort = (dates: readonly SchoolDate[]): string => {
  const days = [...new Set(dates)].toSorted()
  const [first, last] = [days[0]!, days.at(-1)!]
  if (first === last) return dayInShort(first)
  const from = first.slice(0, 7) === last.slice(0, 7) ? String(Number(first.slice(8))) : dayInShort(first)
  return `${from} ${days.length === 2 ? 'and' : 'to'} ${dayInShort(last)}`
}

/** "Nshima for Chanda on Wednesday, 16 September 2026". */
export const mealText = ({ item, student, mealDate }: NamedMeal): string =>
  `${item.name} for ${student.name} on ${longDay(mealDate)}`

const maxDates = 3
export const mealsInShort = (dates: readonly SchoolDate[]): string => {
  const days = [...new Set(dates)].toSorted()
  const named = days.slice(0, maxDates).map(inShort).join(', ')
  const more = days.length > maxDates ? `, ${days.length - maxDates} more` : ''
  return `${dates.length === 1 ? '1 meal' : `${dates.length} meals`} (${named}${more})`
}
