import { sum } from '#kernel/money'
import * as fc from 'fast-check'
import type { BookingKind } from '#modules/books/bookings/booking'
import type { ReceiptRow } from '#modules/books/receipts/receipt'
import { receiptsView } from '#modules/books/receipts/receipts.view'
import { ledgerFold } from '#modules/audit/ledger/audit-run.commands'
import {
  bookedCreditGiven,
  bookedMoney,
  bookedOwed,
  bookedUnpaid,
  sumsByEvents,
} from '#modules/audit/ledger/ledger-totals'
import { evolveRows, touchReader, type ViewRows } from '#platform/projections/row-view'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { booked } from './booking'
import { anyStory, eventsOf } from './money-days'
import { tries } from '../support/tries'

const receiptsOf = (events: readonly RecordedEvent[]): ReceiptRow[] => {
  const view = receiptsView('Africa/Lusaka')
  const rows: ViewRows = new Map([[view, new Map()]])
  evolveRows(rows, touchReader([view])(events))
  return [...rows.get(view)!.values()] as ReceiptRow[]
}

test('bookings, receipts and the ledger come to one number', () => {
  fc.assert(
    fc.property(anyStory, (story) => {
      const events = eventsOf(story)
      const bookings = booked(...events)
      const of = (...kinds: BookingKind[]) =>
        sum(bookings.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount))
      const receipts = receiptsOf(events)
      const numbered = (kind: ReceiptRow['kind']) =>
        sum(receipts.filter((row) => row.kind === kind).map(({ amount }) => amount))
      const fold = ledgerFold()
      fold.add(events)
      const ledger = sumsByEvents.books(fold.ledger)

      expect(of('received')).toBe(numbered('receipt'))
      expect(of('paid_back')).toBe(numbered('credit_note'))
      expect(of('received') - of('paid_back')).toBe(ledger.get(bookedMoney) ?? 0)
      expect(of('owed')).toBe(ledger.get(bookedOwed) ?? 0)
      expect(of('unpaid')).toBe(ledger.get(bookedUnpaid) ?? 0)
      expect(of('credit_given', 'granted')).toBe(ledger.get(bookedCreditGiven))
    }),
    { seed: 16, numRuns: tries(100) },
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
