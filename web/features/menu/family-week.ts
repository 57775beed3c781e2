import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import type { Order } from '#contracts/ordering'
import { capitalised, kwacha, mondayOf, wholeNumber } from '../../lib/format'
import { schoolClock } from '../../lib/school-moment'
import {
  cartedOn,
  isActive,
  isFor,
  weekViews,
  type CartedMeal,
  type DayOrder,
  type DayView,
  type Eater,
} from './menu-week'

/** An order as far as a line of the week tells of it. */
type WeekOrder = DayOrder &
  Pick<Order, 'discountedPrice' | 'paymentStatus' | 'absent' | 'given' | 'orderedBy' | 'allergens' | 'diets'>

export type LineState =
  | 'choose'
  | 'carted'
  | 'toPay'
  | 'othersToPay'
  | 'paid'
  | 'free'
  | 'ill'
  | 'given'
  | 'missed'
  | 'cancelled'
  | 'closed'
  | 'empty'

/** One child on one day: the dish, and the word that is also the button. */
export type WeekLine = {
  eater: Eater
  /** The child's first name where it tells it apart. */
  name: string
  view: DayView
  state: LineState
  word: string
  dish: string
  /** Protein and side. */
  choices: string
  order: WeekOrder | null
  needsLook: boolean
}

export type WeekRow = { date: string; day: number; isToday: boolean; lines: WeekLine[] }

type WeekFacts = {
  cycle: OrderCycle
  week: CycleWeek
  eaters: readonly Eater[]
  items: readonly MenuItem[]
  orders: readonly WeekOrder[]
  cart: readonly CartedMeal[]
}

/** The first name where no other eater has it. */
const shortNames = (eaters: readonly Eater[]) => {
  const first = eaters.map(({ name }) => name.split(' ')[0]!)
  return eaters.map(({ name }, at) =>
    first.filter((other) => other === first[at]).length === 1 ? first[at]! : name,
  )
}

/** A row a day, a line a child, as the orders and the cart say. */
export const familyWeek = ({ cycle, week, eaters, items, orders, cart }: WeekFacts): WeekRow[] => {
  const views = eaters.map((eater) => weekViews({ ...cycle, weeks: [week] }, eater, items, orders)[0]!)
  const names = shortNames(eaters)
  return week.days.map(({ date, day }, at) => ({
    date,
    day,
    isToday: date === cycle.today,
    lines: eaters.map((eater, one) => ({
      ...lineOf(eater, views[one]![at]!, orders, cart),
      name: names[one]!,
    })),
  }))
}

const lineOf = (
  eater: Eater,
  view: DayView,
  orders: readonly WeekOrder[],
  cart: readonly CartedMeal[],
): Omit<WeekLine, 'name'> => {
  const ofDay = orders.filter((order) => order.mealDate === view.day.date && isFor(eater, order))
  const line = { eater, view, choices: '', order: null, needsLook: false }
  const order = ofDay.find(isActive)
  if (order) return { ...line, ...orderedLine(order, view.isToday) }
  const carted = cartedOn(view, eater, cart)
  if (carted && view.content.kind === 'meals')
    return {
      ...line,
      state: 'carted',
      word: 'In the cart',
      dish: view.content.items.find(({ id }) => id === carted.menuItemId)?.name ?? 'No longer offered',
      choices: choicesOf(carted),
    }
  return { ...line, ...emptyLine(view, ofDay[0]) }
}

const choicesOf = ({ category, sideDish }: Pick<DayOrder, 'category' | 'sideDish'>) =>
  [capitalised(category ?? ''), sideDish].filter(Boolean).join(' · ')

const orderedLine = (order: WeekOrder, isToday: boolean) => ({
  ...wordOf(order, isToday),
  dish: order.menuItem.name,
  choices: choicesOf(order),
  order,
  needsLook: [order.allergens, order.diets].some((found) => found?.length),
})

type Word = Pick<WeekLine, 'state' | 'word'>

const wordOf = (order: WeekOrder, isToday: boolean): Word => {
  const { absent, discountedPrice: price, paymentStatus, orderedBy, given } = order
  const isUnpaid = price > 0 && paymentStatus !== 'confirmed'
  if (absent) return { state: 'ill', word: isToday ? 'Ill today' : 'Ill' }
  if (isUnpaid && orderedBy === undefined) return { state: 'toPay', word: `${shortPrice(price)} to pay` }
  if (given?.state === 'given') return { state: 'given', word: `Given ${schoolClock(given.at)}` }
  if (given?.state === 'absent') return { state: 'missed', word: 'Not collected' }
  if (isUnpaid) return { state: 'othersToPay', word: `Ordered by ${orderedBy}` }
  return price === 0 ? { state: 'free', word: 'Free' } : { state: 'paid', word: 'Paid' }
}

/** "K42", "K38.50". */
const shortPrice = (price: number) => (Number.isInteger(price) ? `K${wholeNumber(price)}` : kwacha(price))

/** A cancelled lunch counts only once the day can no longer be ordered. */
const emptyLine = (
  { day, content }: DayView,
  cancelled: WeekOrder | undefined,
): Word & Pick<WeekLine, 'dish'> & Partial<WeekLine> => {
  if (content.kind === 'meals') return { state: 'choose', word: '+ Choose', dish: '' }
  if (content.kind !== 'closed') return { state: 'empty', word: 'No meal', dish: 'No meal available' }
  const isOver = day.state === 'past' || day.state === 'cutoff'
  if (isOver && cancelled)
    return { ...orderedLine(cancelled, false), state: 'cancelled', word: 'Cancelled', needsLook: false }
  return { state: 'closed', word: 'Closed', dish: day.state === 'past' ? 'No lunch' : content.why }
}

/** How many days at the beginning are over, while something of the week is to come; none that is still to pay. */
export const pastDays = (rows: readonly WeekRow[], today: string): number => {
  const isLeft = ({ date, lines }: WeekRow) => date >= today || lines.some(({ state }) => state === 'toPay')
  return Math.max(0, rows.findIndex(isLeft))
}

/** Days still to choose for a child, and meals in the cart. */
export const countLines = (rows: readonly WeekRow[]): { missing: number; carted: number } => {
  const states = rows.flatMap(({ lines }) => lines.map(({ state }) => state))
  const count = (wanted: LineState) => states.filter((state) => state === wanted).length
  return { missing: count('choose'), carted: count('carted') }
}

/** This week while something of it is to come, else the next that can be ordered; past the calendar its last. */
export const weekAtFirst = (
  { weeks = [], today = '' }: OrderCycle,
  orders: readonly DayOrder[],
): CycleWeek | undefined => {
  const isToCome = ({ startDate, endDate, completed }: CycleWeek) =>
    startDate <= today &&
    today <= endDate &&
    (!completed ||
      orders.some((order) => isActive(order) && today <= order.mealDate && order.mealDate <= endDate))
  return weeks.find(isToCome) ?? weeks.find(({ completed }) => !completed) ?? weeks.at(-1)
}

const weekMs = 7 * 86_400_000

/** "This week", or its number where it is further away. */
export const weekName = ({ week, startDate }: CycleWeek, today: string): string => {
  const away = (Date.parse(mondayOf(startDate)) - Date.parse(mondayOf(today))) / weekMs
  return ['Last week', 'This week', 'Next week'][away + 1] ?? `Week ${week}`
}

/** Nothing of the calendar can be ordered any more. */
export const isOver = ({ weeks = [] }: OrderCycle): boolean => weeks.every(({ completed }) => completed)
