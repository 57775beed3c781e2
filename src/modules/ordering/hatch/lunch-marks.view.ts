import { parseOrderId } from '#kernel/id'
import { rowView } from '#platform/projections/row-view'
import { orderPaymentConfirmed, orderPaymentUndone } from '../slot/events'
import { countedAfter, type CountedMarks } from '../slot/lunch-marks'
import { absentAtHatch, lunchGiven, markUndone, problemAtHatch } from '../slot/mark-events'

export type LunchMarksRow = CountedMarks & { order_id: string; date: string; changed_at: string | Date }

const unmarked = (orderId: string): Omit<LunchMarksRow, 'changed_at'> => ({
  order_id: orderId,
  date: parseOrderId(orderId)!.lunch.date,
  given: null,
  noticed: null,
})

export const lunchMarksView = rowView({
  table: 'ordering.lunch_marks',
  columns: { order_id: 'text', date: 'date', given: 'jsonb', noticed: 'jsonb', changed_at: 'timestamptz' },
  primaryKey: 'order_id',
  events: [lunchGiven, absentAtHatch, problemAtHatch, markUndone, orderPaymentConfirmed, orderPaymentUndone],
  key: ({ data }) => data.orderId,
  evolve: (row: LunchMarksRow | null, event): LunchMarksRow => {
    const before = row ?? unmarked(event.data.orderId)
    const isPayment = event.type === orderPaymentConfirmed.type || event.type === orderPaymentUndone.type
    const after = isPayment ? before : countedAfter(before, event)
    return { ...after, changed_at: event.data.at }
  },
})
