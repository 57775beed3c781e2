import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { partOfAccount, type FamilyPart } from '#platform/family-data'
import { factsOf } from '../orders/orders.view'
import type { OrderFacts, OrderRow } from '../slot/order'

const isUnpaid = `payment_status = 'pending' and status in ('pending', 'completed')`

// Selects the few shown before reading whole rows.
const place = `id, placed_at, (${isUnpaid}) as is_unpaid`

type OrderQuestion = {
  users: readonly number[]
  children: readonly { userId: number; studentId: number }[]
  attemptIds: readonly string[]
  orderIds: readonly string[]
  price: Ngwee | null
}

export type FoundOrder = OrderFacts & { mealDate: SchoolDate }

/** By user, child, payment and price: unpaid first, then newest. Scans the newest `limit` of each, and the longest unpaid. */
export const ordersFound = async (
  at: Reader,
  { users, children, attemptIds, orderIds, price }: OrderQuestion,
  limit: number,
): Promise<FoundOrder[]> => {
  const { rows } = await at.query<OrderRow>(
    `with picked as (
       select o.* from unnest($1::int[]) as wanted (user_id) cross join lateral (
         (select ${place} from ordering.orders where user_id = wanted.user_id order by placed_at desc limit $6)
         union all
         (select ${place} from ordering.orders where user_id = wanted.user_id and ${isUnpaid}
          order by placed_at limit $6)) o
       union
       select o.* from unnest($2::int[], $3::int[]) as child (user_id, student_id) cross join lateral (
         select ${place} from ordering.orders where user_id = child.user_id and student_id = child.student_id
         order by placed_at desc limit $6) o
       union
       select ${place} from ordering.orders where attempt_id = any($4::uuid[])
       union
       select ${place} from ordering.orders where id = any($7::text[])
       union
       (select ${place} from ordering.orders where price = $5 order by placed_at desc limit $6)
       union
       (select ${place} from ordering.orders where price = $5 and ${isUnpaid} limit $6)),
     shown as (select id, is_unpaid from picked order by is_unpaid desc, placed_at desc, id limit $6)
     select orders.* from shown join ordering.orders using (id)
     order by is_unpaid desc, placed_at desc, id`,
    [
      users,
      children.map(({ userId }) => userId),
      children.map(({ studentId }) => studentId),
      attemptIds,
      price,
      limit,
      orderIds,
    ],
  )
  return rows.map((row) => ({ ...factsOf(row), mealDate: row.meal_date }))
}

export const attemptsOfOrders = async (at: Reader, orderIds: readonly string[]): Promise<string[]> => {
  const { rows } = await at.query<{ id: string }>(
    'select distinct attempt_id as id from ordering.orders where id = any($1::text[])',
    [orderIds],
  )
  return rows.map(({ id }) => id)
}

export type UnpaidAttempt = { attemptId: string; userId: number; toPay: Ngwee }

const maxUnpaid = 500

/** By user, id or unpaid amount, newest first, at most 500. */
export const unpaidAttempts = async (
  at: Reader,
  {
    users,
    attemptIds,
    amount,
  }: { users: readonly number[]; attemptIds: readonly string[]; amount: Ngwee | null },
): Promise<UnpaidAttempt[]> => {
  const { rows } = await at.query<UnpaidAttempt>(
    `select attempt_id as "attemptId", user_id as "userId", sum(price - credit)::int as "toPay"
     from ordering.orders
     where ${isUnpaid} and ($3::int is not null or user_id = any($1::int[]) or attempt_id = any($2::uuid[]))
     group by attempt_id, user_id
     having sum(price - credit) > 0
       and (user_id = any($1::int[]) or attempt_id = any($2::uuid[]) or sum(price - credit) = $3::int)
     order by max(placed_at) desc limit $4`,
    [users, attemptIds, amount, maxUnpaid],
  )
  return rows
}

const maxPerFamily = 500

export type FamilyOrder = FoundOrder & { absent: boolean; lapsed: boolean }

export const ordersOfFamily = async (at: Reader, userId: number): Promise<FamilyOrder[]> => {
  const { rows } = await at.query<OrderRow>(
    `select * from ordering.orders where user_id = $1 order by placed_at desc, meal_date desc, id limit $2`,
    [userId, maxPerFamily],
  )
  return rows.map((row) => ({
    ...factsOf(row),
    mealDate: row.meal_date,
    absent: row.absent,
    lapsed: row.lapsed,
  }))
}

export type UnpaidCounts = {
  families: number
  attempts: number
  amount: Ngwee
  today: number
  amountToday: Ngwee
}

export const unpaidCounts = async (at: Reader, today: SchoolDate): Promise<UnpaidCounts> => {
  const { rows } = await at.query<UnpaidCounts>(
    `select count(distinct user_id)::int as families, count(distinct attempt_id)::int as attempts,
       coalesce(sum(price - credit), 0)::float8 as amount,
       (count(*) filter (where meal_date = $1))::int as today,
       coalesce(sum(price - credit) filter (where meal_date = $1), 0)::float8 as "amountToday"
     from ordering.orders where ${isUnpaid}`,
    [today],
  )
  return rows[0]!
}

/** Attempts with an unpaid order, at most 10,000. */
export const attemptsNotPaid = async (at: Reader): Promise<string[]> => {
  const { rows } = await at.query<{ id: string }>(
    `select distinct attempt_id as id from ordering.orders where ${isUnpaid} limit 10000`,
  )
  return rows.map(({ id }) => id)
}

type MoneyOfAttempt = { id: string; isUnpaid: boolean; isPaid: boolean; unpaid: Ngwee }

/** Only of those that have orders. */
export const moneyOfAttempts = async (
  at: Reader,
  attemptIds: readonly string[],
): Promise<Map<string, MoneyOfAttempt>> => {
  const { rows } = await at.query<MoneyOfAttempt>(
    `select attempt_id as id, bool_or(${isUnpaid}) as "isUnpaid", bool_or(payment_status = 'confirmed') as "isPaid",
       coalesce(sum(price - credit) filter (where ${isUnpaid}), 0)::int as unpaid
     from ordering.orders where attempt_id = any($1::uuid[]) group by attempt_id`,
    [attemptIds],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

type Lunch = { studentId: number; date: SchoolDate }

/** Active orders that are paid for these lunches, with the attempt that ordered each. */
export const paidLunches = async (
  at: Reader,
  lunches: readonly Lunch[],
): Promise<(Lunch & { attemptId: string })[]> => {
  const { rows } = await at.query<Lunch & { attemptId: string }>(
    `select student_id as "studentId", meal_date::text as date, attempt_id as "attemptId"
     from unnest($1::int[], $2::date[]) as lunch (student_id, meal_date)
     join ordering.orders using (student_id, meal_date)
     where status in ('pending', 'completed') and payment_status = 'confirmed'`,
    [lunches.map(({ studentId }) => studentId), lunches.map(({ date }) => date)],
  )
  return rows
}

export const orderParts: FamilyPart[] = [
  partOfAccount(
    'orders',
    `select id, placed_at as "orderedAt", meal_date::text as "mealDate", student_id as "studentId", student_name as student,
       student_grade as grade, item_name as "menuItem", category, side_dish as "sideDish", comments,
       original_price / 100.0::float8 as "originalPrice", price / 100.0::float8 as price, credit / 100.0::float8 as credit,
       discount_percentage as "discountPercentage", status, payment_status as "paymentStatus", pay_by as "payBy",
       absent, given_at as "givenAt"
     from ordering.orders where user_id = $1 order by placed_at desc, id limit $2`,
  ),
  partOfAccount(
    'discountCodes',
    `select code, percentage::float8 as percentage, is_active as "isActive", created_at as "createdAt"
     from ordering.discount_codes where user_id = $1 order by created_at desc limit $2`,
  ),
]
