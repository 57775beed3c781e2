import type { Pool } from 'pg'
import type { ReplyOf } from '#contracts/endpoint'
import { grades } from '#contracts/identity'
import { revenueStats } from '#contracts/order-reports'
import { kwachaFromNgwee } from '#kernel/money'
import { route, withFeature } from '#platform/http/route'
import type { OrderingNeeds } from '../ports'

const maxWeeks = 60
const maxItems = 20

export const revenueRoutes = ({ database: { pool }, cycles }: OrderingNeeds) => [
  route(revenueStats, withFeature('revenue'), async ({ query }) => {
    const cycleId = query.cycleId ?? null
    const [rows, students, everyCycle] = await Promise.all([
      soldIn(pool, cycleId),
      studentsServed(pool, cycleId),
      cycles.allCycles(),
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
}

const statsOf = (all: Sold, totalStudents: number): Reply['stats'] => ({
  totalOrders: all.orders,
  netRevenue: kwachaFromNgwee(all.completedNgwee),
  cancelledOrders: { count: all.cancelled, amount: kwachaFromNgwee(all.cancelledNgwee) },
  pendingOrders: { count: all.pending, amount: kwachaFromNgwee(all.pendingNgwee) },
  totalStudents,
})

const groupsOf = (rows: SoldRow[]): Pick<Reply, 'byWeek' | 'byItem' | 'others' | 'byGrade'> => {
  const ofKind = (wanted: SoldRow['kind']) => rows.filter(({ kind }) => kind === wanted)
  const items = ofKind('item').toSorted(bestSoldFirst)
  return {
    byWeek: ofKind('week')
      .toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1))
      .slice(-maxWeeks)
      .map((row) => ({ ...shareOf(row), cycleId: row.cycleId, week: row.week, firstDay: row.firstDay })),
    byItem: items.slice(0, maxItems).map((row) => ({ ...shareOf(row), id: row.itemId, name: row.itemName })),
    others: shareOf(summed(items.slice(maxItems))),
    byGrade: ofKind('grade')
      .toSorted((one, other) => placeOf(one.grade) - placeOf(other.grade))
      .map((row) => ({ ...shareOf(row), grade: row.grade })),
  }
}

const bestSoldFirst = (one: SoldRow, other: SoldRow) =>
  other.completedNgwee + other.pendingNgwee - (one.completedNgwee + one.pendingNgwee) ||
  other.orders - one.orders ||
  one.itemId - other.itemId

const placeOf = (grade: string) => (grades as readonly string[]).indexOf(grade)

type Share = Pick<Sold, 'orders' | 'completedNgwee' | 'pendingNgwee'>

const shareOf = ({ orders, completedNgwee, pendingNgwee }: Share) => ({
  orders,
  completed: kwachaFromNgwee(completedNgwee),
  pending: kwachaFromNgwee(pendingNgwee),
})

const summed = (rows: readonly Share[]): Share =>
  rows.reduce(
    (sum, row) => ({
      orders: sum.orders + row.orders,
      completedNgwee: sum.completedNgwee + row.completedNgwee,
      pendingNgwee: sum.pendingNgwee + row.pendingNgwee,
    }),
    { orders: 0, completedNgwee: 0, pendingNgwee: 0 },
  )

/** Counts and prices in ngwee. */
type Sold = {
  orders: number
  cancelled: number
  pending: number
  completedNgwee: number
  cancelledNgwee: number
  pendingNgwee: number
}

type SoldRow = Sold & {
  kind: 'all' | 'week' | 'item' | 'grade'
  cycleId: number
  week: number
  firstDay: string
  itemId: number
  itemName: string
  grade: string
}

const soldIn = async (pool: Pool, cycleId: number | null): Promise<SoldRow[]> => {
  const { rows } = await pool.query<SoldRow>(
    `select
       case grouping(cycle_id, week, item_id, student_grade)
         when 15 then 'all' when 3 then 'week' when 13 then 'item' else 'grade' end as kind,
       cycle_id as "cycleId", week, item_id as "itemId", student_grade as grade,
       min(meal_date) as "firstDay", max(item_name) as "itemName",
       count(*)::int as orders,
       (count(*) filter (where status in ('cancelled', 'refunded')))::int as cancelled,
       (count(*) filter (where status = 'pending'))::int as pending,
       coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as "completedNgwee",
       coalesce(sum(price) filter (where status in ('cancelled', 'refunded')), 0)::float8 as "cancelledNgwee",
       coalesce(sum(price) filter (where status = 'pending'), 0)::float8 as "pendingNgwee"
     from ordering.orders where $1::int is null or cycle_id = $1
     group by grouping sets ((), (cycle_id, week), (item_id), (student_grade))`,
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
