import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { prepared, type Reader } from '#platform/database'
import type { OrderRow } from '../slot/order'
import type { OrderFacts } from '../slot/order-facts'
import { factsOf } from './orders.view'

const isActive = `status in ('pending', 'completed')`
export const isUnpaid = `payment_status = 'pending' and ${isActive}`

// As the partial indexes of ordering.orders say them.
const states = {
  active: isActive,
  pending: `status = 'pending'`,
  paid: `${isActive} and payment_status = 'confirmed'`,
  unpaid: isUnpaid,
  'paid-absent': `payment_status = 'confirmed' and ${isActive} and absence_credit > 0`,
  lapsing: `status = 'pending' and payment_status = 'pending' and price > credit and lapses_at is not null`,
  'cancelled-paid': `status = 'cancelled' and payment_status = 'confirmed' and price > 0`,
  ended: `status in ('cancelled', 'refunded') and price > 0`,
  'ended-as-credit': `status in ('cancelled', 'refunded') and price > 0
    and remedy = 'credit' and payment_status = 'confirmed'`,
}

/** All that is given must hold; a list holds for any of its values. Dates are of meals; `from`, `to` and instants are included. */
export type OrderFilter = {
  state?: keyof typeof states
  ids?: readonly string[]
  attemptIds?: readonly string[]
  userIds?: readonly number[]
  studentIds?: readonly number[]
  /** Of one of these children on that child's date. */
  lunches?: readonly { studentId: number; date: SchoolDate }[]
  cycleIds?: readonly number[]
  exceptCycleId?: number | null
  dates?: readonly SchoolDate[]
  from?: SchoolDate
  to?: SchoolDate
  notOnMenu?: OrderRow['item_type']
  placedSince?: Date
  lapsesFrom?: Date
  lapsesUntil?: Date
  lapsedSince?: Date
  /** Its portion is kept until then or earlier, and ordering closes later. */
  portionUntil?: Date
  /** Owes money: unpaid, or lapsed with a meal on or after this date. */
  payableOn?: SchoolDate
}

const conditions: { [Given in Exclude<keyof OrderFilter, 'state'>]-?: string } = {
  ids: 'id = any($::text[])',
  attemptIds: 'attempt_id = any($::uuid[])',
  userIds: 'user_id = any($::int[])',
  studentIds: 'student_id = any($::int[])',
  lunches: `(student_id, meal_date) in (select (one->>'studentId')::int, (one->>'date')::date
    from jsonb_array_elements($::jsonb) as one)`,
  cycleIds: 'cycle_id = any($::int[])',
  exceptCycleId: 'cycle_id is distinct from $::int',
  dates: 'meal_date = any($::date[])',
  from: 'meal_date >= $::date',
  to: 'meal_date <= $::date',
  notOnMenu: 'item_type <> $',
  placedSince: 'placed_at >= $',
  lapsesFrom: 'lapses_at >= $',
  lapsesUntil: 'lapses_at <= $',
  lapsedSince: `lapsed and lapses_at is not null
    and case when cancelled_late then lapses_at else portion_until end >= $`,
  portionUntil: 'portion_until <= $::timestamptz and cutoff_at > $::timestamptz',
  payableOn: `price > credit and ((${isUnpaid}) or (lapsed and meal_date >= $::date))`,
}

const whereOf = ({ state, ...given }: OrderFilter) => {
  const asked = (Object.keys(conditions) as (keyof typeof conditions)[]).filter(
    (name) => given[name] !== undefined,
  )
  const sql = asked.map((name, index) => conditions[name].replaceAll('$', () => `$${index + 1}`))
  return {
    where: [...(state ? [states[state]] : []), ...sql].join(' and ') || 'true',
    values: asked.map((name) => (name === 'lunches' ? JSON.stringify(given.lunches) : given[name])),
  }
}

const sorts = {
  id: 'id',
  date: 'meal_date, id',
  meal: 'meal_date, student_id, id',
  placed: 'placed_at, meal_date, id',
  newest: 'placed_at desc, meal_date desc, id',
}

/** By `meal` (date, then child) unless told otherwise; `limit` counts orders. */
export type OrdersShown = { sort?: keyof typeof sorts; limit?: number; at?: Reader }

export const ordersWhere = async (
  at: Reader,
  filter: OrderFilter,
  { sort = 'meal', limit }: Omit<OrdersShown, 'at'> = {},
): Promise<OrderFacts[]> => {
  const { where, values } = whereOf(filter)
  const { rows } = await at.query<OrderRow>(
    `select * from ordering.orders where ${where} order by ${sorts[sort]} limit $${values.length + 1}`,
    [...values, limit ?? null],
  )
  return rows.map(factsOf)
}

/** Reads no whole rows. In the order of ids where there is a limit. */
export const orderIdsWhere = async (at: Reader, filter: OrderFilter, limit?: number): Promise<string[]> => {
  const { where, values } = whereOf(filter)
  const first = limit === undefined ? '' : `order by id limit ${limit}`
  const { rows } = await at.query<{ id: string }>(
    `select id from ordering.orders where ${where} ${first}`,
    values,
  )
  return rows.map(({ id }) => id)
}

export type KeyBy = { user: number; attempt: string; student: number; date: SchoolDate; cycle: number }

const keys: Record<keyof KeyBy, string> = {
  user: 'user_id',
  attempt: 'attempt_id',
  student: 'student_id',
  date: 'meal_date::text',
  cycle: 'cycle_id',
}

/** `orders`, `paid` and `unpaid` are counts; `revenue` is the price of active orders, `toPay` of unpaid ones without credit. */
export type OrderTotals = {
  orders: number
  paid: number
  unpaid: number
  revenue: Ngwee
  completed: Ngwee
  toPay: Ngwee
}

/** Only keys that have such orders, in their order, at most `limit`. */
export const orderTotals = async <By extends keyof KeyBy>(
  at: Reader,
  filter: OrderFilter,
  by: By,
  limit?: number,
): Promise<Map<KeyBy[By], OrderTotals>> => {
  const { where, values } = whereOf(filter)
  const text = `select ${keys[by]} as key, count(*)::int as orders,
       (count(*) filter (where payment_status = 'confirmed'))::int as paid,
       (count(*) filter (where ${isUnpaid}))::int as unpaid,
       coalesce(sum(price) filter (where ${isActive}), 0)::float8 as revenue,
       coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as completed,
       coalesce(sum(price - credit) filter (where ${isUnpaid}), 0)::float8 as "toPay"
     from ordering.orders where ${where} group by 1 order by 1 limit $${values.length + 1}`
  const query = { ...prepared(text), values: [...values, limit ?? null] }
  const { rows } = await at.query<OrderTotals & { key: KeyBy[By] }>(query)
  return new Map(rows.map(({ key, ...totals }) => [key, totals]))
}

/** When each last placed an order; without those that never did. */
export const lastOrders = async (at: Reader, userIds: readonly number[]): Promise<Map<number, Date>> => {
  const { rows } = await at.query<{ userId: number; last: Date }>(
    'select user_id as "userId", max(placed_at) as last from ordering.orders where user_id = any($1) group by 1',
    [userIds],
  )
  return new Map(rows.map(({ userId, last }) => [userId, last]))
}
