import type { ReplyOf } from '#contracts/endpoint'
import { revenueStats } from '#contracts/revenue'
import { grades } from '#contracts/identity'
import { kwachaFromNgwee } from '#kernel/money'
import { route, withFeature } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import { soldIn, studentsServed, type Sold, type SoldRow } from './revenue.rows'

const mostWeeks = 60
const mostItems = 20

/** Revenue Stats (administrator.md section 2.8), and what its charts show. */
export const revenueRoutes = ({ database: { pool }, cycles }: Pick<OrderingNeeds, 'database' | 'cycles'>) => [
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
      .slice(-mostWeeks)
      .map((row) => ({ ...shareOf(row), cycleId: row.cycleId, week: row.week, firstDay: row.firstDay })),
    byItem: items.slice(0, mostItems).map((row) => ({ ...shareOf(row), id: row.itemId, name: row.itemName })),
    others: shareOf(summed(items.slice(mostItems))),
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
