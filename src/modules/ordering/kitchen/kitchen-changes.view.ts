import type { Knex } from 'knex'
import type { Grade } from '#contracts/identity'
import type { KitchenChange } from '#contracts/kitchen'
import type { EventOf } from '#kernel/event'
import { parseOrderId } from '#kernel/id'
import type { SchoolDate } from '#kernel/school-time'
import { rowView } from '#platform/projections/row-view'
import {
  absenceMarked,
  absenceTakenBack,
  lunchOrdered,
  orderCancelled,
  orderChanged,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
} from '../slot/events'
import { lunchGiven } from '../slot/lunch-marks'
import type { OrderedMeal } from '../slot/order'
import { isSameMeal } from '../slot/order-permissions.decide'
import type { KitchenDays } from './kitchen.decide'

type CookedMeal = { itemId: number; name: string; category: string | null; sideDish: string | null }

/** `position` is the event's. */
type KitchenChangeRow = {
  event_id: string
  order_id: string
  date: string
  position: string
  at: string | Date
  kind: KitchenChange['kind']
  was: CookedMeal | null
  is_now: CookedMeal | null
  late: boolean
}

/** `completed_by`: who completed it, while it is complete. */
type KitchenMealRow = {
  order_id: string
  date: string
  to_cook: boolean
  meal: CookedMeal
  completed_by: 'kitchen' | 'hatch' | null
}

const cooked = ({
  item,
  category,
  sideDish,
}: Pick<OrderedMeal, 'item' | 'category' | 'sideDish'>): CookedMeal => ({
  itemId: item.id,
  name: item.name,
  category,
  sideDish,
})

const dateOf = (orderId: string): string => parseOrderId(orderId)!.lunch.date

/** `kitchenMealsView` adds changes of existing orders. */
export const kitchenChangesView = rowView({
  table: 'ordering.kitchen_changes',
  columns: {
    event_id: 'uuid',
    order_id: 'text',
    date: 'date',
    position: 'text',
    at: 'timestamptz',
    kind: 'text',
    was: 'jsonb',
    is_now: 'jsonb',
    late: 'boolean',
  },
  primaryKey: 'event_id',
  events: [lunchOrdered],
  key: ({ id }) => id,
  evolve: (_row: KitchenChangeRow | null, event): KitchenChangeRow =>
    changeRow(event, {
      kind: 'ordered',
      was: null,
      is_now: cooked(event.data),
      late: event.data.late ?? false,
    }),
})

type Recorded = { id: string; position: string; data: { orderId: string; at: string } }
type Change = Pick<KitchenChangeRow, 'kind' | 'was' | 'is_now'> & { late?: boolean }

const changeRow = ({ id, position, data: { orderId, at } }: Recorded, change: Change): KitchenChangeRow => ({
  event_id: id,
  order_id: orderId,
  date: dateOf(orderId),
  position,
  at,
  late: false,
  ...change,
})

const mealEvents = [
  lunchOrdered,
  orderChanged,
  orderCancelled,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
  absenceMarked,
  absenceTakenBack,
  lunchGiven,
] as const

/** Cooking and handing out are no changes; a withdrawn lunch has no row. */
export const kitchenMealsView = rowView({
  table: 'ordering.kitchen_meals',
  columns: { order_id: 'text', date: 'date', to_cook: 'boolean', meal: 'jsonb', completed_by: 'text' },
  primaryKey: 'order_id',
  events: mealEvents,
  key: ({ data }) => data.orderId,
  evolve: (row: KitchenMealRow | null, { type, data }): KitchenMealRow | null => {
    if (type === lunchOrdered.type) {
      const { orderId } = data
      return {
        order_id: orderId,
        date: dateOf(orderId),
        to_cook: true,
        meal: cooked(data),
        completed_by: null,
      }
    }
    if (!row || type === orderWithdrawn.type) return null
    switch (type) {
      case orderChanged.type:
        return { ...row, meal: cooked(data.meal) }
      case orderCancelled.type:
        return { ...row, to_cook: false }
      case orderReopened.type:
        return { ...row, to_cook: true, completed_by: null }
      // The hatch's mark comes before the completion that it causes.
      case lunchGiven.type:
        return { ...row, completed_by: row.completed_by ?? 'hatch' }
      case orderCompleted.type:
        return { ...row, completed_by: row.completed_by ?? 'kitchen' }
      default:
        return row
    }
  },
  posting: {
    to: kitchenChangesView,
    rowsOf: (before, after, event) => {
      const change = before && after && changeOf(before, after, event)
      return change ? [changeRow(event, change)] : []
    },
  },
})

const changeOf = (
  { to_cook: wasToCook, meal: was }: KitchenMealRow,
  { meal }: KitchenMealRow,
  { type, data }: EventOf<(typeof mealEvents)[number]>,
): Change | null => {
  switch (type) {
    case orderChanged.type:
      // Accepting an allergen changes nothing to cook.
      return isSameMeal(data.old, data.meal) ? null : { kind: 'changed', was, is_now: meal }
    case orderCancelled.type:
      return { kind: 'cancelled', was: meal, is_now: null }
    case orderReopened.type:
      return wasToCook ? null : { kind: 'ordered', was: null, is_now: meal }
    case absenceMarked.type:
      return { kind: 'absent', was: meal, is_now: null }
    case absenceTakenBack.type:
      return { kind: 'absent', was: null, is_now: meal }
    default:
      return null
  }
}

const maxChanges = 5_000

/** Ms, growing in log order: the time of the change, or 1 ms after the previous one, so that a late change never falls behind a reader. */
const toldSql = `
  with placed as (
    select *, row_number() over (partition by date order by position) as place
    from ordering.kitchen_changes where date between :from and :to
  ), told as (
    select *, (max(extract(epoch from at) * 1000 - place) over (partition by date order by place) + place)::bigint as told
    from placed
  )`

type Row = Pick<KitchenChangeRow, 'order_id' | 'kind' | 'was' | 'is_now' | 'late'> & {
  at: Date
  student_name: string
  student_grade: Grade | 'teacher'
  told: string
}
type Cooked = NonNullable<KitchenChangeRow['was']>

const nothingTold = new Date(0)

const endAfter = (told: string | null): Date => (told === null ? nothingTold : new Date(Number(told) + 1))

/** Oldest first, at most 5,000, with the instant to continue from: each change is read once. */
export const kitchenChangesSince = async (
  knex: Knex,
  date: SchoolDate,
  { from, to }: { from: Date; to?: Date | undefined },
): Promise<{ changes: Omit<KitchenChange, 'class'>[]; end: Date }> => {
  const { rows } = await knex.raw<{ rows: (Row & { last: string | null })[] }>(
    `${toldSql}
     select last, found.* from (select max(told) as last from told) as all_told left join (
       select order_id, kind, was, is_now, told.late, at, told, place, student_name, student_grade
       from told join ordering.orders on orders.id = order_id
       where told >= :since and (:until::bigint is null or told < :until)
       order by place limit :limit) as found on true
     order by place`,
    { from: date, to: date, since: from.getTime(), until: to?.getTime() ?? null, limit: maxChanges },
  )
  const found = rows.filter(({ order_id }) => order_id !== null)
  const last = found.length === maxChanges ? found.at(-1)!.told : rows[0]!.last
  const changes = found.map(({ order_id: orderId, kind, was, is_now: now, late, at, ...student }) => ({
    at: at.toISOString(),
    kind,
    orderId,
    student: student.student_name,
    grade: student.student_grade,
    from: was && mealText(was),
    to: now && mealText(now),
    ...(late && { late }),
  }))
  return { changes, end: endAfter(last) }
}

/** The kitchen has marked a meal of the day complete; what the hatch gives out does not count. */
export const isAnyCompleted = async (knex: Knex, date: SchoolDate): Promise<boolean> =>
  (await knex('ordering.kitchen_meals').where({ date, completed_by: 'kitchen' }).first('order_id')) !==
  undefined

const mealText = ({ name, category, sideDish }: Cooked): string =>
  [name, category, sideDish].filter((word) => word !== null).join(', ')

export const kitchenEnds = async (
  knex: Knex,
  { from, to }: KitchenDays,
): Promise<{ date: SchoolDate; at: string }[]> => {
  const { rows } = await knex.raw<{ rows: { date: SchoolDate; last: string }[] }>(
    `${toldSql} select date::text, max(told) as last from told group by date order by date`,
    { from, to },
  )
  return rows.map(({ date, last }) => ({ date, at: endAfter(last).toISOString() }))
}

/** The paper shows everything told before `cut`. */
type Print = { at: Date; cut: Date }

/** The last one, `at` an instant or `before` it. */
export const printOf = async (
  knex: Knex,
  date: SchoolDate,
  { at, before }: { at?: Date | undefined; before?: Date | undefined },
): Promise<Print | null> => {
  const row = await knex('ordering.kitchen_prints')
    .where({ date, ...(at && { at }) })
    .modify((prints) => before && prints.where('at', '<', before))
    .orderBy([{ column: 'at', order: 'desc' }, 'cut'])
    .first('at', 'cut')
  return row ?? null
}

/** Newest first. */
export const printsOf = (knex: Knex, date: SchoolDate): Promise<{ at: Date; by: number }[]> =>
  knex('ordering.kitchen_prints')
    .where({ date })
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(100)
    .select('at', 'by')

export const insertPrint = async (
  knex: Knex,
  { shown, ...print }: { date: SchoolDate; at: Date; by: number; shown: Date | null },
): Promise<void> => {
  const [end] = await kitchenEnds(knex, { from: print.date, to: print.date })
  const told = end ? new Date(end.at) : nothingTold
  await knex('ordering.kitchen_prints').insert({ ...print, cut: shown && shown < told ? shown : told })
}
