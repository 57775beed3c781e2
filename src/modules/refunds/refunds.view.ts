import { rowView } from '#platform/projections/row-view'
import { refundDue, refundPaidBack, refundWithdrawn } from './refund'
import type { RefundRow } from './refund-row'

const refundOf = ({ data }: { data: { refundId: string } }) => data.refundId

export const refundsView = rowView<RefundRow>({
  name: 'refunds-refunds',
  table: 'refunds.refunds',
  key: 'id',
  columns: {
    id: 'text',
    order_id: 'text',
    attempt_id: 'uuid',
    part: 'text',
    user_id: 'integer',
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
})
  .on(refundDue, refundOf, (_row, { data }) => ({
    id: data.refundId,
    order_id: data.orderId,
    attempt_id: data.attemptId,
    part: String(data.part),
    user_id: data.userId,
    student_name: data.student.name,
    student_grade: data.student.grade,
    item_name: data.item.name,
    amount: data.amount,
    owed: data.amount,
    status: 'due',
    reason: data.reason,
    ordered_at: data.orderedAt,
    due_since: data.at,
  }))
  .on(refundWithdrawn, refundOf, (row) => row && { ...row, owed: 0, status: 'withdrawn' })
  .on(
    refundPaidBack,
    refundOf,
    (row, { data: { stillOwed } }) =>
      row && { ...row, owed: stillOwed, status: stillOwed === 0 ? 'paid_back' : 'due' },
  )
