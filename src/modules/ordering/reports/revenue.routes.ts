import type { Pool } from 'pg'
import { classKey } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { grades } from '#contracts/identity'
import { classNamed } from '#contracts/names'
import { revenueStats } from '#contracts/order-reports'
import type { PayBy } from '#contracts/ordering'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { addDays, schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { ClassSize } from '#modules/identity/index'
import { route, withFeature } from '#platform/http/route'
import type { OrderingNeeds } from '../ports'

const maxWeeks = 60
const maxItems = 20

export const revenueRoutes = (needs: OrderingNeeds) => [
  route(revenueStats, withFeature('revenue'), async ({ query }) => {
    const { pool } = needs.database
    const cycleId = query.cycleId ?? null
    const [rows, students, everyCycle] = await Promise.all([
      soldIn(pool, cycleId),
      studentsServed(pool, cycleId),
      needs.cycles.allCycles(),
    ])
    return {
      stats: statsOf(rows.find(({ kind }) => kind === 'all') ?? nothing, students),
      cycles: everyCycle.map(({ id, startDate, cycleLength, isActive }) => ({
        id,
        startDate,
        cycleLength,
        isActive,
      })),
      ...groupsOf(rows),
      cycle: await cycleFigures(needs, everyCycle, cycleId),
    }
  }),
]

type Reply = ReplyOf<typeof revenueStats>

const nothing: Sold = {
  orders: 0,
  cancelled: 0,
  pending: 0,
  completedNgwee: 0,
  cancelledNgwee: 0,
  pendingNgwee: 0,
  creditNgwee: 0,
}

const statsOf = (all: Sold, totalStudents: number): Reply['stats'] => ({
  totalOrders: all.orders,
  netRevenue: kwachaFromNgwee(all.completedNgwee),
  cancelledOrders: { count: all.cancelled, amount: kwachaFromNgwee(all.cancelledNgwee) },
  pendingOrders: { count: all.pending, amount: kwachaFromNgwee(all.pendingNgwee) },
  totalStudents,
})

const groupsOf = (rows: SoldRow[]): Pick<Reply, 'byWeek' | 'byItem' | 'others' | 'byMethod'> => {
  const ofKind = (wanted: SoldRow['kind']) => rows.filter(({ kind }) => kind === wanted)
  const items = ofKind('item').toSorted(mostMealsFirst)
  return {
    byWeek: ofKind('week')
      .toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1))
      .slice(-maxWeeks)
      .map((row) => ({ ...shareOf([row]), cycleId: row.cycleId, week: row.week, firstDay: row.firstDay })),
    byItem: items
      .slice(0, maxItems)
      .map((row) => ({ ...shareOf([row]), id: row.itemId, name: row.itemName })),
    others: shareOf(items.slice(maxItems)),
    byMethod: methodsOf(ofKind('method')),
  }
}

const mealsIn = ({ orders, cancelled }: Sold): number => orders - cancelled

const mostMealsFirst = (one: SoldRow, other: SoldRow) =>
  mealsIn(other) - mealsIn(one) || other.orders - one.orders || one.itemId - other.itemId

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0)

const shareOf = (rows: readonly Sold[]) => ({
  meals: sumOf(rows, mealsIn),
  completed: kwachaFromNgwee(sumOf(rows, ({ completedNgwee }) => completedNgwee)),
  pending: kwachaFromNgwee(sumOf(rows, ({ pendingNgwee }) => pendingNgwee)),
})

const methodsOf = (rows: readonly SoldRow[]): Reply['byMethod'] => {
  const paid = rows.map(({ payBy, ...row }) => ({
    method: payBy,
    ngwee: row.completedNgwee + row.pendingNgwee - row.creditNgwee,
  }))
  const credit = { method: 'credit' as const, ngwee: sumOf(rows, ({ creditNgwee }) => creditNgwee) }
  return [...paid, credit]
    .filter(({ ngwee }) => ngwee > 0)
    .toSorted((one, other) => other.ngwee - one.ngwee)
    .map(({ method, ngwee }) => ({ method, amount: kwachaFromNgwee(ngwee) }))
}

type KnownCycle = { id: number; startDate: SchoolDate }

/** Of this cycle, else the latest. */
const cycleFigures = async (
  { database: { pool }, identity, now, zone }: OrderingNeeds,
  cycles: readonly KnownCycle[],
  cycleId: number | null,
): Promise<Reply['cycle']> => {
  const latestFirst = cycles.toSorted((one, other) => (one.startDate < other.startDate ? 1 : -1))
  const shown = latestFirst.find(({ id }) => cycleId === null || id === cycleId)
  if (!shown) return null
  const before = latestFirst.find(({ startDate }) => startDate < shown.startDate)
  const today = schoolMoment(now(), zone).date
  const [days, daysOfOther, classes, sizes] = await Promise.all([
    daysOf(pool, shown.id),
    before ? daysOf(pool, before.id) : [],
    mealsByClass(pool, shown.id, today),
    identity.childrenByClass(),
  ])
  const served = days.filter(({ date, meals }) => date <= today && meals > 0).length
  return {
    id: shown.id,
    byDay: dayFigures(days, before ? { daysOfOther, apart: daysBetween(before, shown) } : null, today),
    days: served,
    byClass: classFigures(classes, sizes, served),
  }
}

const dayMs = 86_400_000

const daysBetween = (before: KnownCycle, shown: KnownCycle): number =>
  Math.round((Date.parse(shown.startDate) - Date.parse(before.startDate)) / dayMs)

type DayRow = {
  date: SchoolDate
  meals: number
  ngwee: Ngwee
  ill: number
  given: number
  notGiven: number
}

const dayFigures = (
  days: readonly DayRow[],
  other: { daysOfOther: readonly DayRow[]; apart: number } | null,
  today: SchoolDate,
): NonNullable<Reply['cycle']>['byDay'] => {
  const sums = ({ meals, ngwee }: DayRow) => ({ meals, amount: kwachaFromNgwee(ngwee) })
  const before = new Map(other?.daysOfOther.map((day) => [addDays(day.date, other.apart), sums(day)]))
  const own = new Map(days.map((day) => [day.date, day]))
  return [...new Set([...own.keys(), ...before.keys()])].toSorted().map((date) => {
    const day = own.get(date) ?? { date, meals: 0, ngwee: 0, ill: 0, given: 0, notGiven: 0 }
    const isMarked = day.given > 0 && date < today
    return {
      date,
      ...sums(day),
      before: before.get(date) ?? null,
      ill: day.ill,
      notCollected: isMarked ? day.notGiven : null,
    }
  })
}

const daysOf = async (pool: Pool, cycleId: number): Promise<DayRow[]> => {
  const { rows } = await pool.query<DayRow>(
    `select meal_date::text as date, count(*)::int as meals, sum(price)::float8 as ngwee,
       (count(*) filter (where absent))::int as ill,
       (count(*) filter (where given_at is not null))::int as given,
       (count(*) filter (where given_at is null and not absent))::int as "notGiven"
     from ordering.orders where cycle_id = $1 and status in ('pending', 'completed') group by 1 order by 1`,
    [cycleId],
  )
  return rows
}

type ClassMeals = { class: string | null; grade: string; meals: number }

const mealsByClass = async (pool: Pool, cycleId: number, until: SchoolDate): Promise<ClassMeals[]> => {
  const { rows } = await pool.query<ClassMeals>(
    `select student_class as class, student_grade as grade, count(*)::int as meals
     from ordering.orders where cycle_id = $1 and meal_date <= $2 and status in ('pending', 'completed')
     group by 1, 2`,
    [cycleId, until],
  )
  return rows
}

const keyOf = (one: ClassMeals | ClassSize): string => (one.class === null ? one.grade : classKey(one.class))

/** A class, or a grade where a child has none; in the order of grades, with every class that has children. */
const classFigures = (
  meals: readonly ClassMeals[],
  sizes: readonly ClassSize[],
  days: number,
): NonNullable<Reply['cycle']>['byClass'] => {
  const all = new Map([...meals, ...sizes].map((one) => [keyOf(one), one]))
  return [...all]
    .toSorted(([, one], [, other]) => placeOf(one.grade) - placeOf(other.grade) || byName(one, other))
    .map(([key, one]) => {
      const eaten = sumOf(meals, (row) => (keyOf(row) === key ? row.meals : 0))
      const children = sumOf(sizes, (row) => (keyOf(row) === key ? row.children : 0))
      return {
        name: one.class === null ? one.grade : classNamed(one.class),
        meals: eaten,
        children,
        uptake: children * days === 0 ? null : Math.round((eaten / (children * days)) * 1000) / 10,
      }
    })
}

const byName = (one: ClassMeals | ClassSize, other: ClassMeals | ClassSize): number =>
  (one.class ?? '').localeCompare(other.class ?? '')

const placeOf = (grade: string) => (grades as readonly string[]).indexOf(grade)

/** Counts and prices in ngwee. */
type Sold = {
  orders: number
  cancelled: number
  pending: number
  completedNgwee: number
  cancelledNgwee: number
  pendingNgwee: number
  creditNgwee: number
}

type SoldRow = Sold & {
  kind: 'all' | 'week' | 'item' | 'method'
  cycleId: number
  week: number
  firstDay: string
  itemId: number
  itemName: string
  payBy: PayBy
}

const soldIn = async (pool: Pool, cycleId: number | null): Promise<SoldRow[]> => {
  const { rows } = await pool.query<SoldRow>(
    `select
       case grouping(cycle_id, week, item_id, pay_by)
         when 15 then 'all' when 3 then 'week' when 13 then 'item' else 'method' end as kind,
       cycle_id as "cycleId", week, item_id as "itemId", coalesce(pay_by, 'other') as "payBy",
       min(meal_date) as "firstDay", max(item_name) as "itemName",
       count(*)::int as orders,
       (count(*) filter (where status in ('cancelled', 'refunded')))::int as cancelled,
       (count(*) filter (where status = 'pending'))::int as pending,
       coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as "completedNgwee",
       coalesce(sum(price) filter (where status in ('cancelled', 'refunded')), 0)::float8 as "cancelledNgwee",
       coalesce(sum(price) filter (where status = 'pending'), 0)::float8 as "pendingNgwee",
       coalesce(sum(credit) filter (where status in ('pending', 'completed')), 0)::float8 as "creditNgwee"
     from ordering.orders where $1::int is null or cycle_id = $1
     group by grouping sets ((), (cycle_id, week), (item_id), (pay_by))`,
    [cycleId],
  )
  return rows.filter(({ orders }) => orders > 0)
}

const studentsServed = async (pool: Pool, cycleId: number | null): Promise<number> => {
  const { rows } = await pool.query<{ students: number }>(
    `select count(distinct student_id)::int as students from ordering.orders
     where $1::int is null or cycle_id = $1`,
    [cycleId],
  )
  return rows[0]!.students
}
