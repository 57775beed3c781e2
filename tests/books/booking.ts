import type { DomainEvent } from '#kernel/event'
import type { Booking } from '#modules/books/journal/booking'
import { bookingViews } from '#modules/books/journal/bookings.view'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { evolveRows, touchReader, type ViewRows } from '#platform/projections/row-view'
import { recordedEvents } from '../support/recorded-events'

const views = bookingViews('Africa/Lusaka')
const [bookings] = views

/** The bookings that these events come to, in their order. */
export const booked = (...events: (DomainEvent | RecordedEvent)[]): Booking[] => {
  const rows: ViewRows = new Map(views.map((view) => [view, new Map()]))
  const withIds = recordedEvents(...events).map((event, index) =>
    'position' in events[index]! ? event : { ...event, id: idAt(index) },
  )
  evolveRows(rows, touchReader(views)(withIds))
  return [...rows.get(bookings!)!.values()] as Booking[]
}

const idAt = (index: number) => `0199a000-0000-7000-9000-${String(index).padStart(12, '0')}`

/** A booking in short: `received airtel 45.00 for 2026-09-22`. */
export const inShort = ({ kind, method, amount, meal, booked: day }: Booking): string =>
  [
    kind,
    ...(method === null ? [] : [method]),
    kind === 'free_meal' ? String(amount) : (amount / 100).toFixed(2),
    ...(meal === day ? [] : [`for ${meal}`]),
  ].join(' ')

/** What these events come to, in short. */
export const told = (...events: DomainEvent[]) => booked(...events).map(inShort)

/** What the last of these events comes to. */
export const toldLast = (...events: DomainEvent[]) =>
  told(...events).slice(told(...events.slice(0, -1)).length)
