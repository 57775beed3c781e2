import type { Grade } from '#contracts/identity'
import type { Refund as RefundReply } from '#contracts/refunds'
import { kwachaFromNgwee } from '#kernel/money'
import { owedOf } from './refund'
import type { Due, Refund } from './refund'
import type { RefundRow } from './refund-row'

const reasons: Record<Due['reason'], string> = {
  order_cancelled: 'Order cancelled',
  line_waived: 'Paid, but could not be ordered',
  overpaid: 'Paid too much',
}

/** A refund of the list: the amount is what has yet to go back, or, when it all went back, how much that was. */
export const listedReply = (row: RefundRow): RefundReply => ({
  id: row.id,
  orderDate: new Date(row.ordered_at).toISOString(),
  student: { name: row.student_name, grade: row.student_grade as Grade },
  menuItem: { name: row.item_name },
  amount: kwachaFromNgwee(row.status === 'due' ? row.owed : row.amount),
  status: row.status === 'due' ? 'cancelled' : 'refunded',
  reason: reasons[row.reason],
  dueSince: new Date(row.due_since).toISOString(),
  allowed: { complete: row.status === 'due' },
})

/** A refund after something went back: what is still owed, or, when it all went back, how much that was. */
export const refundReply = (refund: Exclude<Refund, { status: 'none' }>): RefundReply => {
  const { due, status } = refund
  return {
    id: due.refundId,
    orderDate: due.orderedAt,
    student: { name: due.student.name, grade: due.student.grade as Grade },
    menuItem: due.item,
    amount: kwachaFromNgwee(status === 'due' ? owedOf(refund) : due.amount),
    status: status === 'paid_back' ? 'refunded' : 'cancelled',
    reason: reasons[due.reason],
    dueSince: due.at,
    allowed: { complete: status === 'due' },
  }
}
