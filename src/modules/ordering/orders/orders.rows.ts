import type { Knex } from 'knex'
import type { Direction } from '#contracts/endpoint'
import { grades } from '#contracts/identity'
import { parseOrderId } from '#kernel/id'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { deletedText } from '#platform/event-store/sealed-events'
import type { Measure } from '#platform/module'
import type { Ports } from '#platform/ports'
import type { OrderingNeeds } from '../ports'
import type { OrderRow } from '../slot/order'

/** Orders the user placed and others' lunches of their children, newest first; lunches that ended are for the payer. */
export const ordersForFamily = async (
  from: Reader,
  userId: number,
  childIds: readonly number[],
): Promise<OrderRow[]> => {
  const { rows } = await from.query<OrderRow>({
    name: 'ordering-orders-of-family',
    text: `select * from ordering.orders
      where user_id = $1 or (student_id = any($2::int[]) and status in ('pending', 'completed'))
      order by orders.placed_at desc, orders.week, orders.day, orders.line, orders.id`,
    values: [userId, childIds],
  })
  return rows
}

export const itemsWithOrders =
  (knex: Knex) =>
  async (itemIds: readonly number[]): Promise<Set<number>> => {
    // One lookup per item; distinct ids would read all orders.
    const { rows } = await knex.raw<{ rows: { id: number }[] }>(
      `select wanted.id from unnest(?::int[]) as wanted (id)
       where exists (select from ordering.orders o where o.item_id = wanted.id)`,
      [[...itemIds]],
    )
    return new Set(rows.map(({ id }) => id))
  }

/** From what kitchen and hatch call an order to its id; any other text stays. `dayOf` an id is the day that its order has. */
export const ordersBehind = async (
  from: Reader,
  shown: readonly string[],
): Promise<{ idOf: (shown: string) => string; dayOf: (id: string) => SchoolDate | undefined }> => {
  const { rows: moved } = await from.query<{ id: string; kitchen_id: string }>({
    name: 'ordering-orders-behind',
    text: `select id, kitchen_id from ordering.orders
      where kitchen_id <> id and (kitchen_id = any($1::text[]) or id = any($1::text[]))`,
    values: [shown],
  })
  const ids = new Map(moved.map(({ id, kitchen_id }) => [kitchen_id, id]))
  const kitchenIds = new Map(moved.map(({ id, kitchen_id }) => [id, kitchen_id]))
  return {
    idOf: (one) => ids.get(one) ?? one,
    dayOf: (id) => parseOrderId(kitchenIds.get(id) ?? id)?.lunch.date,
  }
}

export const maxLunches = 10_000

type ChildrenNow = OrderingNeeds['identity']['childrenNow']

/** Present class, what tells namesakes apart, and the present name if the child stayed or was merged: the meal is still to be handed out. */
export const withClasses = async <Lunch extends { student: string }>(
  identity: OrderingNeeds['identity'],
  lunches: readonly Lunch[],
  orderIdOf: (lunch: Lunch) => string,
): Promise<(Lunch & { class: string | null; tellApart: string | null })[]> => {
  const studentOf = (lunch: Lunch) => parseOrderId(orderIdOf(lunch))?.lunch.studentId ?? 0
  const studentIds = [...new Set(lunches.map(studentOf))]
  const [children, tellApart] = await Promise.all([
    identity.childrenNow(studentIds),
    identity.tellApart(studentIds),
  ])
  return lunches.map((lunch) => {
    const child = children.get(studentOf(lunch))
    const isNamedNow = lunch.student === deletedText || (child && child.id !== studentOf(lunch))
    const student = isNamedNow ? (child?.name ?? lunch.student) : lunch.student
    return {
      ...lunch,
      student,
      class: child?.class ?? null,
      tellApart: tellApart.get(studentOf(lunch)) ?? null,
    }
  })
}

/** Under the merged child (docs/decisions/0031) or its present name. */
export const underChildNow = async (
  childrenNow: ChildrenNow,
  rows: readonly OrderRow[],
): Promise<readonly OrderRow[]> => {
  const children = await childrenNow([...new Set(rows.map(({ student_id }) => student_id))])
  return rows.map((row) => {
    const child = children.get(row.student_id)
    if (!child || (child.id === row.student_id && row.student_name !== deletedText)) return row
    return { ...row, student_id: child.id, student_name: child.name }
  })
}

export const lunchesOn = (knex: Knex, date: SchoolDate) =>
  knex('ordering.orders').where('orders.meal_date', date).whereIn('orders.status', ['pending', 'completed'])

export const byGrade = { sql: 'array_position(?::text[], student_grade)', bindings: [[...grades]] }

/** Class, health and what tells namesakes apart, as of now, never stored. */
export const withEaters = async <Lunch extends { student: string }>(
  { identity }: OrderingNeeds,
  lunches: readonly Lunch[],
  orderIdOf: (lunch: Lunch) => string,
) => {
  const studentOf = (lunch: Lunch) => parseOrderId(orderIdOf(lunch))?.lunch.studentId ?? 0
  const studentIds = [...new Set(lunches.map(studentOf))]
  const [inClasses, health] = await Promise.all([
    withClasses(identity, lunches, orderIdOf),
    identity.healthOf(studentIds),
  ])
  return inClasses.map((lunch) => ({ ...lunch, ...health.get(studentOf(lunch))! }))
}

/** Neighbours of one sort key by what tells them apart, which is read; the number of an order is not. */
export const namesakesInOrder = <Lunch extends { tellApart: string | null }>(
  lunches: readonly Lunch[],
  keyOf: (lunch: Lunch) => string,
  direction: Direction = 'asc',
): Lunch[] => {
  const turn = direction === 'asc' ? 1 : -1
  const alike: Lunch[][] = []
  for (const lunch of lunches) {
    const before = alike.at(-1)
    if (before && keyOf(before[0]!) === keyOf(lunch)) before.push(lunch)
    else alike.push([lunch])
  }
  return alike.flatMap((some) => some.toSorted((one, other) => turn * byWhatIsRead(one, other)))
}

const byWhatIsRead = (one: { tellApart: string | null }, other: { tellApart: string | null }): number =>
  (one.tellApart ?? '').localeCompare(other.tellApart ?? '', 'en', { numeric: true })

const statuses = ['pending', 'completed', 'cancelled', 'refunded']

export const orderMeasures = ({ database: { knex }, now, zone }: Ports): Measure[] => [
  {
    name: 'tuckshop_orders_today',
    help: 'Orders for today, by the school’s calendar, by status',
    label: 'status',
    values: () => countOfDay(knex, schoolMoment(now(), zone).date),
  },
  {
    name: 'tuckshop_orders_unpaid_ngwee',
    help: 'What orders placed for an alternative payment still wait for, in ngwee',
    value: async () => {
      const row = await knex('ordering.orders')
        .where('payment_status', 'pending')
        .whereIn('status', ['pending', 'completed'])
        .sum({ unpaid: 'price' })
        .first()
      return Number(row?.unpaid)
    },
  },
]

const countOfDay = async (knex: Knex, day: string): Promise<Record<string, number>> => {
  const rows = await knex<OrderRow>('ordering.orders')
    .where('meal_date', day)
    .groupBy('status')
    .select('status')
    .count({ count: '*' })
  const none = Object.fromEntries(statuses.map((status) => [status, 0]))
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])) }
}
