import { rowView } from '#platform/projections/row-view'
import {
  refundDue,
  refundEventTypes,
  refundPaidBack,
  refundWithdrawn,
  type Due,
  type Payout,
  type Refund,
  type RefundMoneyEvent,
} from './refund'

/** Amounts in ngwee; `owed` is still due, `as_credit` is the part paid as credit. */
export type RefundRow = {
  id: string
  order_id: string | null
  attempt_id: string
  student_name: string
  student_grade: string
  item_name: string
  amount: number
  owed: number
  as_credit: number
  status: Exclude<Refund['status'], 'none'>
  reason: Due['reason']
  ordered_at: string | Date
  due_since: string | Date
  paid_back_at: string | Date | null
  paid_back_as: Payout['method'] | null
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
    as_credit: 'integer',
    status: 'text',
    reason: 'text',
    ordered_at: 'timestamptz',
    due_since: 'timestamptz',
    paid_back_at: 'timestamptz',
    paid_back_as: 'text',
  },
  primaryKey: 'id',
  events: refundEventTypes,
  key: ({ data }) => data.refundId,
  evolve: (row: RefundRow | null, event: RefundMoneyEvent): RefundRow | null => {
    switch (event.type) {
      case refundDue.type:
        return rowOf(event.data)
      case refundWithdrawn.type:
        return row && { ...row, owed: 0, status: 'withdrawn' }
      case refundPaidBack.type: {
        const { amount, stillOwed, at, method } = event.data
        if (!row) return null
        const as_credit = row.as_credit + (method === 'credit' ? amount : 0)
        if (stillOwed > 0) return { ...row, as_credit, owed: stillOwed, status: 'due' }
        return { ...row, as_credit, owed: 0, status: 'paid_back', paid_back_at: at, paid_back_as: method }
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
  as_credit: 0,
  status: 'due',
  reason: due.reason,
  ordered_at: due.orderedAt,
  due_since: due.at,
  paid_back_at: null,
  paid_back_as: null,
})
