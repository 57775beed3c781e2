import type { Knex } from 'knex'
import * as contract from '#contracts/cycles'
import type { QueryOf, Direction } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import { cycleOrders, type CycleOrder, type CycleOrderSort } from '#contracts/order-reports'
import { kwachaFromNgwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/paging'
import { route, withFeature, type Route } from '#platform/http/route'
import { changesFrom } from '../orders/order-batch.decide'
import type { OrderTotals } from '../orders/orders-where.rows'
import type { OrderingNeeds } from '../ports'
import type { OrderRow } from '../slot/order'

/** `orders` includes cancelled ones. */
type CycleTotals = Pick<OrderTotals, 'orders' | 'revenue'>

type TotalsOf = (cycleIds: readonly number[]) => Promise<ReadonlyMap<number, CycleTotals>>

const pageSize = 10

/** administrator.md section 2.5, with totals. */
export const cycleHistoryRoute = (door: OrderingNeeds['cycles'], totalsOf: TotalsOf) =>
  route(contract.cycleHistory, withFeature('cycles', 'history'), async ({ query }) => {
    const ids = await door.historyIds(query)
    const page = Math.max(1, query.page ?? 1)
    const { cycles, totals } = await pageOf(ids, (page - 1) * pageSize, query, door, totalsOf)
    return {
      data: cycles.map((cycle) => ({
        ...door.cycleReply(cycle),
        cycleId: cycle.id,
        totalOrders: totals.get(cycle.id)?.orders ?? 0,
        totalRevenue: kwachaFromNgwee(totals.get(cycle.id)?.revenue ?? 0),
      })),
      metadata: pageMetadataOf(ids.length, page, pageSize),
    }
  })

type KnownCycle = Awaited<ReturnType<OrderingNeeds['cycles']['historyPage']>>[number]

const pageOf = async (
  ids: number[],
  offset: number,
  { sort = 'created', direction = 'desc', ...filters }: QueryOf<typeof contract.cycleHistory>,
  door: OrderingNeeds['cycles'],
  totalsOf: TotalsOf,
): Promise<{ cycles: KnownCycle[]; totals: ReadonlyMap<number, CycleTotals> }> => {
  if (sort !== 'orders' && sort !== 'revenue') {
    const cycles = await door.historyPage(filters, { sort, direction, offset, limit: pageSize })
    return {
      cycles,
      totals: await totalsOf(cycles.map(({ id }) => id)),
    }
  }
  const totals = await totalsOf(ids)
  const wanted = byTotal(ids, direction, (id) => totals.get(id)?.[sort]).slice(offset, offset + pageSize)
  const found = await door.cyclesByIds(wanted)
  return { cycles: wanted.flatMap((id) => found.get(id) ?? []), totals }
}

/** Totals belong to ordering, so the cycle query cannot sort by them. */
const byTotal = (ids: number[], direction: Direction, totalOf: (id: number) => number | undefined) => {
  const ascending = ids.toSorted((one, other) => (totalOf(one) ?? 0) - (totalOf(other) ?? 0) || one - other)
  return direction === 'asc' ? ascending : ascending.toReversed()
}

const defaultPageSize = 10
const maxPageSize = 100

type Order = Pick<CycleOrderPage, 'sort' | 'direction'>
const usual: Order = { sort: 'date', direction: 'desc' }

const orderIn = ({ sort = usual.sort, direction = usual.direction }: Partial<Order>): Order => ({
  sort,
  direction,
})
const isUsual = ({ sort, direction }: Order) => sort === usual.sort && direction === usual.direction

/** administrator.md section 2.6. */
export const cycleOrderRoutes = ({ database: { knex }, cycles, identity }: OrderingNeeds): Route[] => [
  route(cycleOrders, withFeature('history'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const limit = query.limit ?? Math.min(Math.max(1, query.pageSize ?? defaultPageSize), maxPageSize)
    const onwards = query.after !== undefined
    const order = onwards ? usual : orderIn(query)
    const offset = onwards ? 0 : (page - 1) * limit
    const studentIds = query.class === undefined ? undefined : await identity.idsInClass(query.class)
    const filter = { ...query, studentIds }
    const { rows, total } = await cycleOrdersPage(knex, filter, { ...order, offset, limit })
    const found = await cycles.cyclesByIds([...new Set(rows.map(({ cycle_id }) => cycle_id))])
    const last = rows.length === limit && isUsual(order) ? rows.at(-1) : undefined
    return {
      data: rows.map((row) => cycleOrderReply(row, found.get(row.cycle_id)?.startDate ?? null)),
      metadata: {
        ...pageMetadataOf(total, page, limit),
        next: last ? placeOf(last) : null,
      },
    }
  }),
]

export const cycleOrderReply = (row: OrderRow, startDate: SchoolDate | null): CycleOrder => {
  const { category, side_dish: sideDish, item_name: name } = row
  const allowed = changesFrom(row.status)
  return {
    id: row.id,
    orderDate: new Date(row.placed_at).toISOString(),
    student: { name: row.student_name, grade: row.student_grade as Grade },
    menuItem: { id: row.item_id, name },
    cartItems: [{ menuItem: { name }, category, sideDish }],
    cycleId: row.cycle_id,
    cycle: { startDate },
    weekNumber: row.week,
    dayOfWeek: row.day,
    category,
    sideDish,
    comments: row.comments,
    originalPrice: kwachaFromNgwee(row.original_price),
    discountedPrice: kwachaFromNgwee(row.price),
    discountPercentage: row.discount_percentage,
    status: row.status,
    paymentStatus: row.payment_status,
    allowed,
    owedIfCancelled: kwachaFromNgwee(allowed.cancelled && row.payment_status === 'confirmed' ? row.price : 0),
  }
}

type CycleOrderFilter = Pick<
  QueryOf<typeof cycleOrders>,
  'cycleId' | 'weekNumber' | 'dayOfWeek' | 'status' | 'menuItemId' | 'grade' | 'after'
> & { studentIds: readonly number[] | undefined }
type CycleOrderPage = { sort: CycleOrderSort; direction: Direction; offset: number; limit: number }

const placeOf = ({ placed_at: at, week, day, id }: OrderRow): string =>
  [new Date(at).toISOString(), week, day, id].join('~')

const columns: Record<Exclude<CycleOrderSort, 'date'>, readonly string[]> = {
  student: ['lower(left(student_name, 100))'],
  item: ['lower(left(item_name, 100))'],
  day: ['week', 'day'],
  price: ['price'],
  status: ['status'],
}

/** By date, a checkout's meals follow their day; other ties follow placing. */
const orderBy = (sort: CycleOrderSort, direction: Direction): string => {
  const back = direction === 'asc' ? 'desc' : 'asc'
  return sort === 'date'
    ? `placed_at ${direction}, week ${back}, day ${back}, id ${back}`
    : [...columns[sort], 'placed_at', 'id'].map((column) => `${column} ${direction}`).join(', ')
}

const cycleOrdersPage = async (
  knex: Knex,
  { after, cycleId, weekNumber: week, dayOfWeek: day, status, menuItemId, ...children }: CycleOrderFilter,
  { sort, direction, offset, limit }: CycleOrderPage,
): Promise<{ rows: OrderRow[]; total: number }> => {
  const matching = knex<OrderRow>('ordering.orders')
  if (cycleId !== undefined) matching.where('cycle_id', cycleId)
  // Cast: an overlarge number finds nothing.
  if (week !== undefined) matching.whereRaw('week = ?::int', [week])
  if (day !== undefined) matching.whereRaw('day = ?::int', [day])
  if (status !== undefined) matching.where('status', status)
  if (menuItemId !== undefined) matching.where('item_id', menuItemId)
  if (children.grade !== undefined) matching.where('student_grade', children.grade)
  if (children.studentIds) matching.whereRaw('student_id = any(?::int[])', [[...children.studentIds]])
  const page = matching.clone().orderByRaw(orderBy(sort, direction)).offset(offset).limit(limit)
  if (after !== undefined) {
    const [at, ...behind] = after.split('~')
    // Redundant first half, for the index.
    page.whereRaw(
      'placed_at <= ?::timestamptz and (placed_at < ?::timestamptz or (week, day, id) > (?::int, ?::int, ?))',
      [at!, at!, ...behind],
    )
  }
  const [rows, counted] = await Promise.all([page, matching.clone().count({ total: '*' }).first()])
  return { rows, total: Number(counted?.total) }
}
