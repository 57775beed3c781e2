import { rowView } from '#platform/projections/row-view'
import {
  refundDue,
  refundEventTypes,
  refundPaidBack,
  refundWithdrawn,
  type Due,
  type Refund,
  type RefundEvent,
} from './refund'

/** One refund, for lists; amounts in ngwee, `owed` is what has yet to go back. */
export type RefundRow = {
  id: string
  order_id: string | null
  attempt_id: string
  student_name: string
  student_grade: string
  item_name: string
  amount: number
  owed: number
  status: Exclude<Refund['status'], 'none'>
  reason: Due['reason']
  ordered_at: string | Date
  due_since: string | Date
}

export const refundsView = rowView({
  table: 'refunds.refunds',
  columns: {
    id: 'text',
    order_id: 'text',
    attempt_id: 'uuid',
    student_name: 'text',
    student_grade: 'text',
    item_name: 'text',
    amount: 'integer',
    owed: 'integer',
    status: 'text',
    reason: 'text',
    ordered_at: 'timestamptz',
    due_since: 'timestamptz',
  },
  primaryKey: 'id',
  events: refundEventTypes,
  key: ({ data }) => data.refundId,
  evolve: (row: RefundRow | null, event: RefundEvent): RefundRow | null => {
    switch (event.type) {
      case refundDue.type:
        return rowOf(event.data)
      case refundWithdrawn.type:
        return row && { ...row, owed: 0, status: 'withdrawn' }
      case refundPaidBack.type: {
        const { stillOwed } = event.data
        return row && { ...row, owed: stillOwed, status: stillOwed === 0 ? 'paid_back' : 'due' }
      }
    }
  },
})

const rowOf = (due: Due): RefundRow => ({
  id: due.refundId,
  order_id: due.orderId,
  attempt_id: due.attemptId,
  student_name: due.student.name,
  student_grade: due.student.grade,
  item_name: due.item.name,
  amount: due.amount,
  owed: due.amount,
  status: 'due',
  reason: due.reason,
  ordered_at: due.orderedAt,
  due_since: due.at,
})
