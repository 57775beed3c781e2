import * as fc from 'fast-check'
import { sum } from '#kernel/money'
import { isStored, sides, type BookingKind } from '#modules/books/journal/booking'
import { journalFold } from '#modules/books/journal/bookings.view'
import type { ReceiptRow } from '#modules/books/receipts/receipt'
import { receiptsView } from '#modules/books/receipts/receipts.view'
import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { evolveRows, touchReader, type ViewRows } from '#platform/projections/row-view'
import { tries } from '../support/tries'
import { booked } from './booking'
import { anyStory, eventsOf } from './money-days'

const receiptsOf = (events: readonly RecordedEvent[]): ReceiptRow[] => {
  const view = receiptsView('Africa/Lusaka')
  const rows: ViewRows = new Map([[view, new Map()]])
  evolveRows(rows, touchReader([view])(events))
  return [...rows.get(view)!.values()] as ReceiptRow[]
}

type Refund = { refundId: string; amount: number; stillOwed: number }

/** What the last event of each refund leaves owed. */
const owedBy = (events: readonly RecordedEvent[]): number => {
  const owed = new Map<string, number>()
  for (const { type, data } of events) {
    const { refundId, amount, stillOwed } = data as Refund
    if (type === refundDue.type) owed.set(refundId, amount)
    if (type === refundWithdrawn.type) owed.set(refundId, 0)
    if (type === refundPaidBack.type) owed.set(refundId, stillOwed)
  }
  return sum([...owed.values()])
}

test('bookings, receipts and refunds come to one number', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const events = eventsOf(story)
      const bookings = booked(...events)
      const of = (...kinds: BookingKind[]) =>
        sum(bookings.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount))
      const receipts = receiptsOf(events)
      const numbered = (kind: ReceiptRow['kind']) =>
        sum(receipts.filter((row) => row.kind === kind).map(({ amount }) => amount))

      expect(of('received')).toBe(numbered('receipt'))
      expect(of('paid_back')).toBe(numbered('credit_note'))
      expect(of('owed')).toBe(owedBy(events))
    }),
    { seed: 16, numRuns: tries(100) },
  )
})

test('the movements of every event balance, and those that are stored are the bookings', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const events = eventsOf(story)
      const stored: number[] = []
      const { add } = journalFold((event, movements) => {
        const balance = sum(movements.map(({ kind, amount }) => sides[kind] * amount))
        expect([event.type, balance]).toEqual([event.type, 0])
        stored.push(...movements.filter(({ kind }) => isStored(kind)).map(({ amount }) => amount))
      })
      add(events)
      expect(stored).toEqual(booked(...events).map(({ amount }) => amount))
    }),
    { seed: 18, numRuns: tries(100) },
  )
})

test('receipts and credit notes stand on the day and under the method of their bookings', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const events = eventsOf(story)
      const received = booked(...events).filter(({ kind }) => kind === 'received')
      const byBookings = tally(
        received.map(({ event_id, method, amount }) => [`${event_id} ${method}`, amount]),
      )
      const payments = new Set(received.filter(({ part }) => part === 0).map(({ event_id }) => event_id))
      const receipts = receiptsOf(events).filter(({ kind }) => kind === 'receipt')
      expect(payments.size).toBe(receipts.length)
      // What is given up later only leaves its day, and comes to nothing in sum.
      const amounts = [...byBookings.values()].filter((amount) => amount !== 0)
      expect(amounts.toSorted()).toEqual(receipts.map(({ amount }) => amount).toSorted())
    }),
    { seed: 17, numRuns: tries(100) },
  )
})

const tally = (pairs: readonly (readonly [string, number])[]): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, amount] of pairs) sums.set(name, (sums.get(name) ?? 0) + amount)
  return sums
}
