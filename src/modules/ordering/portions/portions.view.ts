import type { EventOf } from '#kernel/event'
import { rowView } from '#platform/projections/row-view'
import * as events from './events'
import type { PortionEvent, PortionDay } from './portions'
import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'

type ReservationRow = { id: string; item_id: number; date: string; student_id: number; until: string }

export const portionReservationsView = rowView({
  table: 'ordering.portion_reservations',
  columns: { id: 'text', item_id: 'integer', date: 'date', student_id: 'integer', until: 'timestamptz' },
  primaryKey: 'id',
  events: Object.values(events),
  key: ({ data }) => rowId(data),
  evolve: (_row: ReservationRow | null, event): ReservationRow | null =>
    event.type === events.portionReserved.type ? reserved(event.data) : null,
})

const rowId = ({ menuItemId, date, studentId }: PortionEvent['data']) => `${menuItemId}.${date}.${studentId}`

const reserved = (data: EventOf<typeof events.portionReserved>['data']): ReservationRow => ({
  id: rowId(data),
  item_id: data.menuItemId,
  date: data.date,
  student_id: data.studentId,
  until: data.until,
})

type Asked = { itemIds: readonly number[]; from: SchoolDate; to: SchoolDate; at: Date }

export const portionsTaken =
  (knex: Knex) =>
  async ({
    itemIds,
    from,
    to,
    at,
  }: Asked): Promise<{ itemId: number; date: SchoolDate; taken: number }[]> => {
    if (itemIds.length === 0) return []
    const ids = [...itemIds]
    // A child may count in both for a moment.
    const { rows } = await knex.raw<{ rows: { itemId: number; date: SchoolDate; taken: number }[] }>(
      `select item_id as "itemId", meal_date::text as date, count(*)::int as taken from (
         select item_id, meal_date, student_id from ordering.orders
         where item_id = any(?::int[]) and meal_date between ? and ? and status in ('pending', 'completed')
         union
         select item_id, date, student_id from ordering.portion_reservations
         where item_id = any(?::int[]) and date between ? and ? and until > ?) as taken
       group by item_id, meal_date`,
      [ids, from, to, ids, from, to, at],
    )
    return rows
  }

export const ordersOn =
  (knex: Knex) =>
  async (itemId: number, date: SchoolDate): Promise<number> => {
    const [row] = await knex('ordering.orders')
      .where({ item_id: itemId, meal_date: date })
      .whereIn('status', ['pending', 'completed'])
      .count({ count: '*' })
    return Number(row?.count)
  }

/** Prepared: checkouts of limited items ask it. */
export const liveOrdersOn =
  (pool: Reader) =>
  async (days: readonly PortionDay[]): Promise<(PortionDay & { studentId: number })[]> => {
    const { rows } = await pool.query<PortionDay & { studentId: number }>({
      name: 'ordering-live-orders-on',
      text: `select item_id as "itemId", meal_date::text as date, student_id as "studentId" from ordering.orders
             join unnest($1::int[], $2::date[]) as asked (wanted_item, wanted_date)
               on item_id = wanted_item and meal_date = wanted_date
             where status in ('pending', 'completed')`,
      values: [days.map(({ itemId }) => itemId), days.map(({ date }) => date)],
    })
    return rows
  }
