import { allergenKeys, allergensMet } from '#contracts/allergens'
import type { Diet } from '#contracts/health'
import type { KitchenTotal, AllergyOfDay, DietOfDay, KitchenReply, NoteOfDay } from '#contracts/kitchen'
import { groupedBy } from '#kernel/grouped-by'
import { addDays, cycleDate, mondayOf, weekdayOf, type SchoolDate } from '#kernel/school-time'
import type { CycleFacts } from '../ports'
import type { OrderRow } from '../slot/order'

export type KitchenDays = { from: SchoolDate; to: SchoolDate }

const maxCycle = 6

export const kitchenWeeks = (cycle: CycleFacts | null): number => cycle?.cycleLength ?? maxCycle

const firstMonday = (cycle: CycleFacts | null, today: SchoolDate): SchoolDate =>
  cycle?.startDate ?? mondayOf(today)

/** The whole week, or one of its days (days-and-changes.md section 1). */
export const daysOfWeek = (
  cycle: CycleFacts | null,
  today: SchoolDate,
  { week, day }: { week: number; day?: number | undefined },
): KitchenDays => {
  const first = firstMonday(cycle, today)
  return { from: cycleDate(first, week, day ?? 1), to: cycleDate(first, week, day ?? 5) }
}

/** Dates outside the cycle count from their own week. */
export const placeAmong =
  (cycle: CycleFacts | null, today: SchoolDate): PlaceOf =>
  (date) => {
    const isInside =
      !cycle || (date >= cycle.startDate && date < addDays(cycle.startDate, 7 * cycle.cycleLength))
    const first = isInside ? firstMonday(cycle, today) : mondayOf(date)
    const weeks = (Date.parse(mondayOf(date)) - Date.parse(first)) / (7 * 86_400_000)
    return { weekNumber: weeks + 1, dayOfWeek: weekdayOf(date) }
  }

export const nextSchoolDay = (cycle: CycleFacts | null, from: SchoolDate): SchoolDate | null => {
  if (!cycle) return null
  const blocked = new Set(cycle.blockedDays.map(({ week, day }) => cycleDate(cycle.startDate, week, day)))
  const dates = Array.from({ length: cycle.cycleLength * 5 }, (_, index) =>
    cycleDate(cycle.startDate, Math.floor(index / 5) + 1, (index % 5) + 1),
  )
  return dates.find((date) => date >= from && !blocked.has(date)) ?? null
}

export const kitchenColumns = [
  'kitchen_id',
  'meal_date',
  'item_id',
  'item_name',
  'item_type',
  'category',
  'side_dish',
  'comments',
  'status',
  'payment_status',
  'cancelled_late',
  'absent',
] as const
export type KitchenRow = Pick<OrderRow, (typeof kitchenColumns)[number]>

export type PlaceOf = (date: SchoolDate) => { weekNumber: number; dayOfWeek: number }

type Comment = readonly [text: string, student: string, orderId?: string]

/** Groups orders equal in all the kitchen counts; `ids` of pending ones, `absent` of ill children. */
export type AlikeOrders = Omit<KitchenRow, 'kitchen_id' | 'comments' | 'cancelled_late' | 'absent'> & {
  count: number
  absent: number
  ids: readonly string[] | null
  comments: readonly Comment[] | null
}

export const namesakesToldApart = (
  groups: readonly AlikeOrders[],
  eaten: readonly (Pick<EatenMeal, 'tellApart'> & { id: string })[],
): AlikeOrders[] => {
  const told = new Map(eaten.map(({ id, tellApart }) => [id, tellApart]))
  const named = ([text, student, orderId = '']: Comment): Comment => {
    const tellApart = told.get(orderId)
    return [text, tellApart ? `${student} (${tellApart})` : student]
  }
  return groups.map((group) => ({ ...group, comments: group.comments?.map(named) ?? null }))
}

export const totalsOf = (groups: readonly AlikeOrders[], placeOf: PlaceOf): KitchenTotal[] => {
  const items = groupedBy(groups, ({ meal_date, item_id, item_name, item_type }) =>
    JSON.stringify([meal_date, item_id, item_name, item_type]),
  )
  return [...items.values()].map((alike) => totalOf(alike, placeOf))
}

const totalOf = (groups: readonly AlikeOrders[], placeOf: PlaceOf): KitchenTotal => {
  const item = groups[0]!
  const cooked = groups.filter(({ status }) => status === 'pending' || status === 'completed')
  const absent = cooked.reduce((sum, group) => sum + group.absent, 0)
  const count = (counted: readonly AlikeOrders[]) => counted.reduce((sum, group) => sum + group.count, 0)
  return {
    ...placeOf(item.meal_date),
    mealDate: item.meal_date,
    menuItemId: item.item_id,
    menuItem: item.item_name,
    type: item.item_type,
    total: count(cooked),
    unpaid: count(cooked.filter(({ payment_status: payment }) => payment === 'pending')),
    completed: count(cooked.filter(({ status }) => status === 'completed')),
    cancelledLate: count(groups) - count(cooked),
    ...(absent > 0 && { absent }),
    proteins: portionsOf(cooked, ({ category }) => category),
    sides: portionsOf(cooked, ({ side_dish: side }) => side),
    plates: platesOf(cooked),
    pendingOrderIds: cooked.flatMap(({ ids }) => ids ?? []).toSorted(),
  }
}

const portionsOf = (
  groups: readonly AlikeOrders[],
  chosenIn: (group: AlikeOrders) => string | null,
): KitchenTotal['proteins'] => {
  const portions = new Map<string, number>()
  for (const group of groups) {
    const chosen = chosenIn(group)
    if (chosen !== null) portions.set(chosen, (portions.get(chosen) ?? 0) + group.count)
  }
  return [...portions]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => compare(one.name, other.name))
}

type Plate = KitchenTotal['plates'][number]

const platesOf = (groups: readonly AlikeOrders[]): Plate[] => {
  const plates = new Map<string, AlikeOrders[]>()
  for (const group of groups) {
    const plate = JSON.stringify([group.category, group.side_dish])
    plates.set(plate, [...(plates.get(plate) ?? []), group])
  }
  return [...plates.values()]
    .map((alike) => ({
      category: alike[0]!.category,
      sideDish: alike[0]!.side_dish,
      count: alike.reduce((sum, { count }) => sum + count, 0),
      comments: remarksOf(alike.flatMap(({ comments }) => comments ?? [])),
    }))
    .toSorted(
      (one, other) =>
        other.count - one.count ||
        compare(one.category ?? '', other.category ?? '') ||
        compare(one.sideDish ?? '', other.sideDish ?? ''),
    )
}

const remarksOf = (comments: readonly Comment[]): Plate['comments'] => {
  const remarks = new Map<string, { text: string; students: string[] }>()
  for (const [text, student] of comments.toSorted(([one], [other]) => compare(one, other))) {
    const words = text.toLowerCase()
    const known = remarks.get(words)
    if (known) known.students.push(student)
    else remarks.set(words, { text, students: [student] })
  }
  return [...remarks.values()]
    .map(({ text, students }) => ({ text, count: students.length, students: students.toSorted(compare) }))
    .toSorted((one, other) => other.count - one.count || compare(one.text, other.text))
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

export type EatenMeal = Omit<NoteOfDay, 'medicalNote' | 'tellApart'> & {
  studentId: number
  menuItem: string
  allergies: readonly string[] | null
  diet: Diet
  medicalNote: string | null
  tellApart?: string | null
  allergens: readonly string[]
}

type Meals = Map<string, number>
type Child = AllergyOfDay['who'][number]
type Group<Name> = { mealDate: string; name: Name; children: Map<number, Child>; meals: Meals }

const grouped = <Name extends string>(
  eaten: readonly EatenMeal[],
  namesOf: (meal: EatenMeal) => readonly { name: Name; inMeal: boolean }[],
): Group<Name>[] => {
  const groups = new Map<string, Group<Name>>()
  for (const meal of eaten)
    for (const { name, inMeal } of namesOf(meal)) {
      const key = JSON.stringify([meal.mealDate, allergenKeys(name)])
      const group = groups.get(key) ?? {
        mealDate: meal.mealDate,
        name,
        children: new Map(),
        meals: new Map(),
      }
      groups.set(key, group)
      group.children.set(meal.studentId, childOf(meal, inMeal))
      if (inMeal) group.meals.set(meal.menuItem, (group.meals.get(meal.menuItem) ?? 0) + 1)
    }
  return [...groups.values()].toSorted(
    (one, other) =>
      one.mealDate.localeCompare(other.mealDate) ||
      other.children.size - one.children.size ||
      one.name.localeCompare(other.name),
  )
}

const childOf = ({ student, grade, class: inClass, tellApart }: EatenMeal, inMeal: boolean): Child => ({
  student,
  grade,
  class: inClass,
  ...(tellApart && { tellApart }),
  inMeal,
})

const counted = <Name>({ mealDate, children, meals }: Group<Name>) => ({
  mealDate,
  children: children.size,
  meals: [...meals].map(([menuItem, count]) => ({ menuItem, count })),
})

const allergiesOf = (eaten: readonly EatenMeal[]): AllergyOfDay[] =>
  grouped(eaten, ({ allergies, allergens }) =>
    (allergies ?? []).map((name) => ({ name, inMeal: allergensMet([name], allergens).length > 0 })),
  ).map((group) => ({ name: group.name, ...counted(group), who: [...group.children.values()] }))

const dietsOf = (eaten: readonly EatenMeal[]): DietOfDay[] =>
  grouped<Diet>(eaten, ({ diet }) => (diet === 'none' ? [] : [{ name: diet, inMeal: true }])).map(
    (group) => ({ diet: group.name, ...counted(group) }),
  )

const notesOf = (eaten: readonly EatenMeal[]): NoteOfDay[] =>
  eaten.flatMap(({ mealDate, student, grade, class: inClass, medicalNote, tellApart }) =>
    medicalNote === null
      ? []
      : [{ mealDate, student, grade, class: inClass, medicalNote, ...(tellApart && { tellApart }) }],
  )

export const kitchenHealth = (
  eaten: readonly EatenMeal[],
): Pick<KitchenReply, 'allergies' | 'diets' | 'medicalNotes'> => {
  const diets = dietsOf(eaten)
  const medicalNotes = notesOf(eaten)
  return {
    allergies: eaten.some(({ allergies }) => allergies !== null) ? allergiesOf(eaten) : null,
    ...(diets.length > 0 && { diets }),
    ...(medicalNotes.length > 0 && { medicalNotes }),
  }
}
