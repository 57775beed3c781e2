import type { Due, Refund } from './refund'

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
