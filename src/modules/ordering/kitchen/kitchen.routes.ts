import type { Knex } from 'knex'
import type { Direction } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import {
  classList,
  kitchenChanges,
  kitchenPrints,
  kitchenToday,
  kitchenWeek,
  notePrint,
  type KitchenOrder,
  type KitchenReply,
  type ClassListEntry,
  type ClassListSort,
} from '#contracts/kitchen'
import { foldedName } from '#kernel/folded-name'
import { Refusal } from '#kernel/refusal'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, route, withFeature, type Route } from '#platform/http/route'
import {
  namesakesInOrder,
  withEaters,
  withClasses,
  byGrade,
  maxLunches,
  lunchesOn,
} from '../orders/orders.rows'
import type { OrderNeeds } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import { insertPrint, kitchenChangesSince, printOf, printsOf, kitchenEnds } from './kitchen-changes.rows'
import {
  daysOfWeek,
  kitchenWeeks,
  nextSchoolDay,
  placeAmong,
  kitchenHealth,
  namesakesToldApart,
  totalsOf,
  kitchenColumns,
  type KitchenDays,
  type EatenMeal,
  type KitchenRow,
  type PlaceOf,
  type AlikeOrders,
} from './kitchen.decide'

type Paging = { page?: number | undefined; pageSize?: number | undefined }

const defaultPageSize = 100
const maxPageSize = 500

/** Orders from any cycle (days-and-changes.md section 1). Without school "today" is the next date with orders or school. */
export const kitchenRoutes = (needs: OrderNeeds): Route[] => [
  route(kitchenToday, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const today = todayAt(needs)
    const [cycle, cooking] = await Promise.all([needs.cycles.activeCycle(), nextCookingDate(knex, today)])
    const school = nextSchoolDay(cycle, today)
    const date = [cooking, school].flatMap((one) => one ?? []).toSorted()[0] ?? today
    const reply = await kitchenReply(needs, { from: date, to: date }, placeAmong(cycle, today), query)
    return { ...reply, date }
  }),

  route(kitchenWeek, withFeature('kitchen'), async ({ params: { week }, query }) => {
    const cycle = await needs.cycles.activeCycle()
    const weeks = kitchenWeeks(cycle)
    if (week < 1 || week > weeks)
      throw new Refusal('week_outside_cycle', `The active order cycle has weeks 1 to ${weeks}`)
    const today = todayAt(needs)
    const days = daysOfWeek(cycle, today, { week, day: query.day })
    return kitchenReply(needs, days, placeAmong(cycle, today), query)
  }),

  route(kitchenChanges, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const { date } = query
    const [asked, until] = [query.since, query.until].map((at) =>
      at === undefined ? undefined : new Date(at),
    )
    const print = await printOf(knex, date, { at: asked, before: until })
    const from = print?.cut ?? asked ?? new Date(0)
    const to = until && ((await printOf(knex, date, { at: until }))?.cut ?? until)
    const { changes: found, end } = await kitchenChangesSince(knex, date, { from, to })
    const since = (asked ?? print?.at)?.toISOString() ?? found[0]?.at ?? needs.now().toISOString()
    const named = await withClasses(needs.identity, found, ({ orderId }) => orderId)
    const changes = named.map(({ tellApart, ...change }) => ({
      ...change,
      ...(tellApart !== null && { tellApart }),
    }))
    return { at: end.toISOString(), since, changes }
  }),

  route(
    notePrint,
    withFeature('kitchen'),
    async ({ body, user }) => {
      const at = needs.now()
      const shown = body.at === undefined ? null : new Date(body.at)
      await insertPrint(needs.database.knex, { date: body.date, at, by: user.userId, shown })
      return { at: at.toISOString() }
    },
    answeredOnce,
  ),

  route(kitchenPrints, withFeature('kitchen'), async ({ query }) => {
    const prints = await printsOf(needs.database.knex, query.date)
    const names = await needs.identity.usernamesOf([...new Set(prints.map(({ by }) => by))])
    return { data: prints.map(({ at, by }) => ({ at: at.toISOString(), by: names.get(by) ?? 'System' })) }
  }),

  route(classList, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const { date, sort = 'name', direction = 'asc', ...filters } = query
    const [lunches, grades] = await Promise.all([
      classListOf(knex, date, filters, { sort, direction }),
      gradesOn(knex, date),
    ])
    const eaters = await withEaters(needs, lunches, ({ id }) => id)
    const keyOf = ({ grade, menuItem, student }: ClassLunch) =>
      [grade, sort === 'meal' && menuItem, foldedName(student)].join('/')
    const data = namesakesInOrder(eaters, keyOf, direction)
    return { date, data, grades }
  }),
]

const todayAt = ({ now, zone }: OrderingNeeds) => schoolMoment(now(), zone).date

const kitchenReply = async (
  needs: OrderNeeds,
  days: KitchenDays,
  placeOf: PlaceOf,
  paging: Paging,
): Promise<KitchenReply> => {
  const page = Math.max(1, paging.page ?? 1)
  const pageSize = Math.min(Math.max(1, paging.pageSize ?? defaultPageSize), maxPageSize)
  const { knex } = needs.database
  const [{ rows, groups, shown }, eaten, planned] = await Promise.all([
    kitchenList(knex, days, { offset: (page - 1) * pageSize, limit: pageSize }),
    eatenMeals(needs, knex, days),
    needs.plannedMeals(days),
  ])
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  return {
    data: rows.map((row) => kitchenOrderReply(row, placeOf)),
    metadata: pageMetadataOf(total, page, pageSize),
    totals: totalsOf(namesakesToldApart(groups, eaten), placeOf),
    ...(shown.length > 0 && { shown }),
    ...kitchenHealth(eaten),
    planned,
  }
}

export const kitchenOrderReply = (row: KitchenRow, placeOf: PlaceOf): KitchenOrder => ({
  id: row.kitchen_id,
  ...placeOf(row.meal_date),
  mealDate: row.meal_date,
  menuItem: { id: row.item_id, name: row.item_name, type: row.item_type },
  category: row.category,
  sideDish: row.side_dish,
  comments: row.comments,
  status: row.status,
  paymentStatus: row.payment_status,
  cancelledLate: row.cancelled_late,
  absent: row.absent,
})

type Lunch = {
  id: string
  studentId: number
  mealDate: string
  student: string
  grade: Grade
  itemId: number
  menuItem: string
}

/** By date, grade and name; at most 10,000 a day. */
const eatenMeals = async (
  needs: OrderingNeeds,
  knex: Knex,
  { from, to }: KitchenDays,
): Promise<(EatenMeal & { id: string })[]> => {
  const lunches: Lunch[] = await knex('ordering.orders')
    .whereBetween('meal_date', [from, to])
    .whereIn('status', ['pending', 'completed'])
    .where('absent', false)
    .select({
      id: 'kitchen_id',
      studentId: 'student_id',
      mealDate: 'meal_date',
      student: 'student_name',
      grade: 'student_grade',
      itemId: 'item_id',
      menuItem: 'item_name',
    })
    .orderBy('meal_date')
    .orderByRaw(`${byGrade.sql}, lower(student_name), id`, byGrade.bindings)
    .limit(5 * maxLunches)
  const [contents, eaters] = await Promise.all([
    needs.catalogue.contentsOfItems(),
    withEaters(needs, lunches, ({ id }) => id),
  ])
  return eaters.map((lunch) => ({ ...lunch, allergens: contents.get(lunch.itemId)?.allergens ?? [] }))
}

type LunchFilters = {
  grade?: ClassListEntry['grade'] | undefined
  paymentStatus?: ClassListEntry['paymentStatus'] | undefined
}

type ClassLunch = Omit<ClassListEntry, 'class' | 'tellApart' | 'allergies' | 'diet' | 'medicalNote'>

const orders: Record<ClassListSort, readonly string[]> = {
  name: ['lower(student_name)'],
  meal: ['lower(item_name)', 'lower(student_name)'],
}

const classListOf = async (
  knex: Knex,
  date: SchoolDate,
  { grade, paymentStatus }: LunchFilters,
  { sort, direction }: { sort: ClassListSort; direction: Direction },
): Promise<ClassLunch[]> => {
  const query = lunchesOn(knex, date)
    .select('category', 'comments', 'status', 'absent', {
      id: 'kitchen_id',
      grade: 'student_grade',
      student: 'student_name',
      menuItem: 'item_name',
      sideDish: 'side_dish',
      paymentStatus: 'payment_status',
    })
    .orderByRaw(byGrade.sql, byGrade.bindings)
    .orderByRaw([...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', '))
    .limit(maxLunches)
  if (grade !== undefined) query.where('student_grade', grade)
  if (paymentStatus !== undefined) query.where('payment_status', paymentStatus)
  return query
}

const gradesOn = async (knex: Knex, date: SchoolDate): Promise<ClassListEntry['grade'][]> =>
  lunchesOn(knex, date)
    .groupBy('student_grade')
    .orderByRaw(byGrade.sql, byGrade.bindings)
    .pluck('student_grade')

const ordersToCook = (knex: Knex, { from, to }: KitchenDays) =>
  knex('ordering.orders')
    .whereBetween('meal_date', [from, to])
    .andWhere((either) => either.whereIn('status', ['pending', 'completed']).orWhere('cancelled_late', true))

const nextCookingDate = async (knex: Knex, from: SchoolDate): Promise<SchoolDate | null> => {
  const row = await knex('ordering.orders')
    .where('meal_date', '>=', from)
    .whereIn('status', ['pending', 'completed'])
    .min({ date: 'meal_date' })
    .first()
  return row?.date ?? null
}

type PageSlice = { offset: number; limit: number }

/** One snapshot: a page of orders, all orders grouped, and per day the instant up to which changes are included. */
export const kitchenList = (knex: Knex, days: KitchenDays, paging: PageSlice) =>
  knex.transaction(
    async (moment) => ({
      rows: await kitchenPage(moment, days, paging),
      groups: await orderGroups(moment, days),
      shown: await kitchenEnds(moment, days),
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  )

const kitchenPage = async (
  knex: Knex,
  days: KitchenDays,
  { offset, limit }: PageSlice,
): Promise<KitchenRow[]> =>
  ordersToCook(knex, days)
    .select(kitchenColumns)
    .orderBy(['meal_date', 'item_type', 'item_name', 'placed_at', 'id'])
    .offset(offset)
    .limit(limit)

const alike = [
  'meal_date',
  'item_type',
  'item_name',
  'item_id',
  'category',
  'side_dish',
  'status',
  'payment_status',
] as const

const orderGroups = async (knex: Knex, days: KitchenDays): Promise<AlikeOrders[]> =>
  ordersToCook(knex, days)
    .select(alike)
    .select(
      knex.raw(`count(*)::int as count, (count(*) filter (where absent))::int as absent,
        json_agg(kitchen_id) filter (where status = 'pending') as ids,
        json_agg(json_build_array(comments, student_name, kitchen_id)) filter (where comments <> '') as comments`),
    )
    .groupBy(alike)
    .orderBy([...alike])
