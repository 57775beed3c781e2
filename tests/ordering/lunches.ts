import { unknownDiets } from '#contracts/catalogue'
import type { CartLine, OrderingRules } from '#contracts/ordering'
import { type MealLine, lunchOf } from '#kernel/meal-line'
import { instantAt } from '#kernel/school-time'
import type { CartFacts } from '#modules/ordering/cart/cart.decide'
import type { MenuFacts } from '#modules/ordering/cart/line-policies.decide'
import { type FamilyTerms, mealDayOf } from '#modules/ordering/slot/deadlines.decide'
import { lunchOrdered } from '#modules/ordering/slot/events'

/** One family, one cycle, one menu: what the specs of ordering talk about. */
export const zone = 'Africa/Lusaka'
export const mary = 21
export const chanda = { id: 118, name: 'Chanda', grade: '4' }
export const bupe = { id: 119, name: 'Bupe', grade: '9' }
export const mrPhiri = { id: 120, name: 'Mr Phiri', grade: 'teacher' }
export const attempt = '0199c0de-0000-7000-8000-000000000001'
export const otherAttempt = '0199c0de-0000-7000-8000-000000000002'

/** Monday of week 1 is 14 September 2026; "now" is that Monday at seven, an hour before the cutoff. */
export const cycle = { id: 7, startDate: '2026-09-14', cycleLength: 4, blockedDays: [{ week: 2, day: 3 }] }
/** Orders close at eight on the day of the meal. */
export const cutoffOf = (date: string): Date => instantAt(date, 8, 0, zone)
export const monday7 = instantAt('2026-09-14', 7, 0, zone)
export const after = (start: Date, minutes: number, ms = 0): Date =>
  new Date(start.getTime() + minutes * 60_000 + ms)

/** The school's rules as they are until they are set. */
const hourRules: OrderingRules = {
  cancelUntil: 'hour',
  lateRemedy: 'credit',
  absence: 'none',
  absencePercent: 100,
  lowPortions: 10,
  plans: false,
}
/** What families may do by these rules. */
export const termsWith = (rules: Partial<OrderingRules> = {}): FamilyTerms => ({
  rules: { ...hourRules, ...rules },
  cutoffOf,
  zone,
})
export const hourTerms = async () => termsWith()
/** Tuesday of week 1 as it is by these rules. */
export const tuesdayBy = (rules: Partial<OrderingRules> = {}) => mealDayOf('2026-09-15', termsWith(rules))

export const nshima: MenuFacts = {
  id: 3,
  name: 'Nshima with relish',
  type: 'primary',
  price: 4550,
  categories: ['beef', 'chicken'],
  sideDishes: ['Cabbage', 'Beans'],
  weekNumbers: [1, 2, 3, 4, 5, 6],
  daysOfWeek: [1, 2, 3, 4, 5],
  portionLimit: null,
  soldOutDates: [],
  allergens: [],
  leadDays: 0,
  diets: unknownDiets,
  isAvailable: true,
  isArchived: false,
}
export const stew: MenuFacts = { ...nshima, id: 4, name: 'Stew', type: 'secondary' }

/** Chanda's Nshima with beef and cabbage on Tuesday of week 1. */
export const tuesdayNshima: CartLine = {
  menuItemId: nshima.id,
  studentId: chanda.id,
  weekNumber: 1,
  dayOfWeek: 2,
  category: 'beef',
  sideDish: 'Cabbage',
  comments: 'no salt',
  originalPrice: 45.5,
}

export const schoolFacts: CartFacts = {
  now: monday7,
  zone,
  attemptId: attempt,
  cycle,
  cutoffOf,
  closures: [],
  students: new Map([chanda, bupe, mrPhiri].map((student) => [student.id, student])),
  items: new Map([nshima, stew].map((item) => [item.id, item])),
  slots: new Map(),
  soldOut: new Map(),
  discountOf: () => ({ percentage: 0, sponsor: null }),
  needs: new Map(),
  allergyRule: 'block',
}

export const tuesday = { cycleId: cycle.id, studentId: chanda.id, week: 1, day: 2 }

/** The same line once the cart was checked. */
export const tuesdayMeal: MealLine = {
  index: 0,
  slot: tuesday,
  student: { name: 'Chanda', grade: '4' },
  item: { id: nshima.id, name: nshima.name, type: 'primary' },
  category: 'beef',
  sideDish: 'Cabbage',
  comments: 'no salt',
  originalPrice: 4550,
  price: 4550,
  discountPercentage: 0,
  mealDate: '2026-09-15',
  cutoffAt: '2026-09-15T06:00:00.000Z',
}

/** What the events about a reservation of it carry. */
export const tuesdayPlace = { slot: tuesday, mealDate: tuesdayMeal.mealDate }
export const tuesdayLunch = lunchOf(tuesdayMeal)

/** That meal as ordered by an attempt of Mary's, the `number`th order of its slot. */
export const ordered = (
  number: number,
  at: Date,
  more: { attemptId?: string; paymentStatus?: 'confirmed' | 'pending'; line?: Partial<MealLine> } = {},
) =>
  lunchOrdered({
    ...tuesdayMeal,
    ...more.line,
    orderId: `118.2026-09-15.${number}`,
    attemptId: more.attemptId ?? attempt,
    userId: mary,
    paymentStatus: more.paymentStatus ?? 'confirmed',
    at: at.toISOString(),
  })

/** What carts ask of children's health, where nobody is allergic to anything. */
export const nobodyAllergic = {
  acknowledge: async () => undefined,
}

/** A school where every child was entered once, and has one guardian: who orders for it. */
export const enteredOnce = {
  guardiansOf: async () => new Map<number, number[]>(),
  childrenNow: async () => new Map<number, never>(),
  otherIdsOf: async () => new Map<number, number[]>(),
}
