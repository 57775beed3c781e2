import type { Knex } from 'knex'
import { column, type RowOf } from '#kernel/column'
import type { EventOf } from '#kernel/event'
import { lunchId } from '#kernel/id'
import { Refusal } from '#kernel/refusal'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import {
  advanced,
  loadStreams,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import { rowView } from '#platform/projections/row-view'
import type { DiscountOf } from '../discounts/discounts.rows'
import type { OrderingNeeds } from '../ports'
import type { FamilyTerms } from '../slot/deadlines.decide'
import { standingOrder } from '../slot/meal-slot'
import { loadSlots } from '../slot/twin-slots.commands'
import {
  portionDayId,
  hangsAfterMs,
  portionStream,
  takenBy,
  portionReserved,
  portionEventTypes,
  type Holder,
  type PortionDay,
  type PortionEvent,
  type Portions,
} from './portions.decide'

type PortionOfLunch = PortionDay & { studentId: number; attemptId: string }

/** `until` null: an order; else `userId` holds it. `anyway`: ignores the limit. */
type WantedPortion = PortionOfLunch & { until: string | null; userId?: number; anyway?: boolean }

type LimitedDay = {
  limit: number
  standing: ReadonlySet<number>
  hanging: ReadonlySet<Holder>
  loaded: LoadedStream<Portions, PortionEvent>
}

export type PortionBook = ReturnType<typeof portionBook>
export type LoadPortions = (
  days: readonly PortionDay[],
  at: Date,
  known?: ReadonlyMap<number, { portionLimit: number | null }>,
) => Promise<PortionBook>

/** What the module is given, and what it makes of that. `shownTerms` may be a little old: for display, not for decisions. */
export type OrderNeeds = OrderingNeeds & {
  portions: LoadPortions
  discountOf: DiscountOf
  familyTerms: () => Promise<FamilyTerms>
  shownTerms: () => Promise<FamilyTerms>
  plannedMeals: (days: { from: SchoolDate; to: SchoolDate }) => Promise<{ date: SchoolDate; meals: number }[]>
}

/** Reads taken portions of limited items only; `known` are items just read. */
export const loadPortions =
  (needs: OrderingNeeds, ordersOfDays: ReturnType<typeof liveOrdersOn>): LoadPortions =>
  async (asked, at, known) => {
    if (asked.length === 0) return portionBook(new Map())
    const items = known ?? (await needs.catalogue.itemsByIds([...new Set(asked.map(({ itemId }) => itemId))]))
    const days = new Map(
      asked
        .filter(({ itemId }) => (items.get(itemId)?.portionLimit ?? null) !== null)
        .map((day) => [portionDayId(day), { itemId: day.itemId, date: day.date }]),
    )
    if (days.size === 0) return portionBook(new Map())
    const wanted = [...days.values()]
    const [streams, standing] = await Promise.all([
      loadStreams(needs.eventStore, portionStream, wanted),
      ordersOfDays(wanted),
    ])
    const limited = wanted.map(async (day, index): Promise<[string, LimitedDay]> => {
      const id = portionDayId(day)
      const ordered = standing.filter((order) => portionDayId(order) === id)
      const facts = {
        limit: items.get(day.itemId)!.portionLimit!,
        standing: new Set(ordered.map(({ studentId }) => studentId)),
        loaded: streams[index]!,
      }
      return [id, { ...facts, hanging: await hangingPortions(needs, day, facts, at) }]
    })
    return portionBook(new Map(await Promise.all(limited)))
  }

/** Portions held without an order since a crash. Looked for only when sold out, in the order list and then the slots. */
const hangingPortions = async (
  needs: OrderingNeeds,
  { itemId, date }: PortionDay,
  { limit, standing, loaded }: Omit<LimitedDay, 'hanging'>,
  now: Date,
): Promise<ReadonlySet<Holder>> => {
  const none = new Set<Holder>()
  if (takenBy(loaded.state, { now, standing, hanging: none }).size < limit) return none
  const suspects = [...loaded.state].filter(
    ([id, { until, at }]) =>
      until === null && !standing.has(id) && now.getTime() - Date.parse(at) > hangsAfterMs,
  )
  // A holder's number is that of its order: there is no other to look under.
  const slots = await loadSlots(
    needs,
    suspects.map(([studentId]) => ({ studentId, date })),
    new Map(),
  )
  const hanging = suspects.filter(([studentId, { attemptId }]) => {
    const { state, twins } = slots.get(lunchId({ studentId, date }))!
    return ![state, ...twins].some((slot) => {
      const standing = standingOrder(slot)
      return standing?.attempt_id === attemptId && standing.item_id === itemId
    })
  })
  return new Set(hanging.map(([, holder]) => holder))
}

/** Unlimited items always have portions and add no events. */
const portionBook = (days: ReadonlyMap<string, LimitedDay>) => {
  const changes = <Lunch extends PortionOfLunch>(
    lunches: readonly Lunch[],
    decide: (lunch: Lunch, day: LimitedDay) => PortionEvent[],
    idSeed?: string,
  ): StreamChange[] => {
    const now = new Map(days)
    for (const lunch of lunches) {
      const id = portionDayId(lunch)
      const day = now.get(id)
      if (day) now.set(id, { ...day, loaded: advanced(portionStream, day.loaded, decide(lunch, day)) })
    }
    return [...now].flatMap(([id, { loaded }]): StreamChange[] => {
      const before = days.get(id)!.loaded
      const events = loaded.events.slice(before.events.length)
      const seed = idSeed === undefined ? undefined : `${idSeed}/portions/${id}/${before.revision}`
      return events.length === 0 ? [] : [{ loaded: before, events, idSeed: seed }]
    })
  }

  const taking =
    (now: Date) =>
    ({ anyway, ...lunch }: WantedPortion, { loaded, ...facts }: LimitedDay): PortionEvent[] => {
      const limit = anyway ? Infinity : facts.limit
      return portionStream.decide({ kind: 'take', ...lunch, ...facts, limit, now }, loaded.state)
    }

  return {
    /** Append before the order: a crash may leave a portion unsold, never sold twice. Throws `sold_out`. */
    take: (lunches: readonly WantedPortion[], now: Date, idSeed?: string): StreamChange[] =>
      changes(lunches, taking(now), idSeed),

    /** Append after the order's end. */
    give: (lunches: readonly PortionOfLunch[], now: Date, idSeed?: string): StreamChange[] =>
      changes(
        lunches,
        (lunch, { loaded }) => portionStream.decide({ kind: 'give', ...lunch, now }, loaded.state),
        idSeed,
      ),

    soldOut: (lunches: readonly WantedPortion[], now: Date): Map<number, number> => {
      const refused = new Map<number, number>()
      const left = ({ limit, loaded, ...facts }: LimitedDay) =>
        Math.max(0, limit - takenBy(loaded.state, { ...facts, now }).size)
      const places = new Map(lunches.map((lunch, place) => [lunch, place]))
      changes(lunches, (lunch, day) => {
        try {
          return taking(now)(lunch, day)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          refused.set(places.get(lunch)!, left(days.get(portionDayId(lunch))!))
          return []
        }
      })
      return refused
    },
  }
}

const reservationColumns = {
  id: column<string>('text'),
  item_id: column<number>('integer'),
  date: column<string>('date'),
  student_id: column<number>('integer'),
  until: column<string>('timestamptz'),
}
type ReservationRow = RowOf<typeof reservationColumns>

export const portionReservationsView = rowView({
  table: 'ordering.portion_reservations',
  columns: reservationColumns,
  primaryKey: 'id',
  events: portionEventTypes,
  key: ({ data }) => rowId(data),
  evolve: (_row: ReservationRow | null, event): ReservationRow | null =>
    event.type === portionReserved.type ? reserved(event.data) : null,
})

const rowId = ({ menuItemId, date, studentId }: PortionEvent['data']) => `${menuItemId}.${date}.${studentId}`

const reserved = (data: EventOf<typeof portionReserved>['data']): ReservationRow => ({
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
