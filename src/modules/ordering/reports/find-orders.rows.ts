import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import { maxFamilyRows, partOfAccount, type FamilyPart } from '#platform/family-data'
import { isUnpaid } from '../orders/orders-where.rows'
import { factsOf } from '../orders/orders.view'
import type { OrderRow } from '../slot/order'
import type { OrderFacts } from '../slot/order-facts'

// Selects the few shown before reading whole rows.
const place = `id, placed_at, (${isUnpaid}) as is_unpaid`

type OrderQuestion = {
  users: readonly number[]
  children: readonly { userId: number; studentId: number }[]
  attemptIds: readonly string[]
  orderIds: readonly string[]
  price: Ngwee | null
}

/** By user, child, payment and price: unpaid first, then newest. Scans the newest `limit` of each, and the longest unpaid. */
export const ordersFound = async (
  at: Reader,
  { users, children, attemptIds, orderIds, price }: OrderQuestion,
  limit: number,
): Promise<OrderFacts[]> => {
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
  return rows.map(factsOf)
}

type UnpaidAttempt = { attemptId: string; userId: number; toPay: Ngwee }

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
  {
    name: 'discountCodes',
    read: async (at, { userId, studentIds }) => {
      const { rows } = await at.query<Record<string, unknown>>(
        `select code, student_id as "studentId", percentage::float8 as percentage, is_active as "isActive", created_at as "createdAt"
         from ordering.discount_codes where user_id = $1 or student_id = any($2::int[]) order by created_at desc, id desc limit $3`,
        [userId, studentIds, maxFamilyRows + 1],
      )
      return rows
    },
  },
]
