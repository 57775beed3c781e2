import type { DomainEvent } from '#kernel/event'
import { touchReader, type OneRowView, type Recorded, type Row } from '#platform/projections/row-view'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { attemptMovements, type BookedAttempt } from './attempts.view'
import {
  bookingViews,
  creditMovements,
  refundMovements,
  transferMovements,
  type BookedRefund,
} from './bookings.view'
import type { Movement } from './booking'
import { orderMovements, type BookedOrder } from './orders.view'

export type JournalRows = {
  attempts: ReadonlyMap<string, BookedAttempt>
  orders: ReadonlyMap<string, BookedOrder>
  refunds: ReadonlyMap<string, BookedRefund>
}

type Record = (event: Recorded<DomainEvent>, movements: readonly Movement[]) => void

/** Folds events in memory by the rules of the views, and records all movements: those that the views store and those that they do not. */
export const journalFold = (record: Record) => {
  // No day of a booking is asked for.
  const views = bookingViews('UTC') as [OneRowView, OneRowView, OneRowView, OneRowView, OneRowView]
  const [bookings, attempts, orders, refunds, transfers] = views
  const movements = new Map<OneRowView, (...step: never[]) => Movement[]>([
    [bookings, (_before: never, _after: never, event: never) => creditMovements(event)],
    [attempts, attemptMovements],
    [orders, orderMovements],
    [refunds, refundMovements],
    [transfers, (_before: never, _after: never, event: never) => transferMovements(event)],
  ])
  const tables = new Map(views.map((view) => [view, new Map<string, Row>()]))
  const rows = {
    attempts: tables.get(attempts),
    orders: tables.get(orders),
    refunds: tables.get(refunds),
  } as unknown as JournalRows
  const touchesOf = touchReader(views)

  const add = (events: readonly RecordedEvent[]): void => {
    for (const { view, keys, event } of touchesOf(events)) {
      const [key] = keys as [string]
      const one = view as OneRowView
      const table = tables.get(one)!
      const before = table.get(key) ?? null
      const after = one.evolve(before, event)
      if (after !== null && one !== bookings) table.set(key, after)
      record(event, movements.get(one)!(...([before, after, event] as never[])))
    }
  }
  return { add, rows }
}
