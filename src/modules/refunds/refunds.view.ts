import { rowView } from '#platform/projections/row-view'
import { afterPayout, cardRefundEventTypes, evolveCard, type CardRefund } from './card-refund'
import {
  approvalEventTypes,
  payoutAsked,
  refundDue,
  refundEventTypes,
  refundPaidBack,
  refundWithdrawn,
  type Ask,
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

export type ApprovalRow = {
  refund_id: string
  amount: number
  method: Ask['method']
  reference: string | null
  note: string | null
  to_card: boolean
  asked_by: number
  asked_at: string | Date
}

export const approvalsView = rowView({
  table: 'refunds.approvals',
  columns: {
    refund_id: 'text',
    amount: 'integer',
    method: 'text',
    reference: 'text',
    note: 'text',
    to_card: 'boolean',
    asked_by: 'integer',
    asked_at: 'timestamptz',
  },
  primaryKey: 'refund_id',
  events: [...refundEventTypes, ...approvalEventTypes],
  key: ({ data }) => data.refundId,
  /** Any other event ends the wait. */
  evolve: (_row: ApprovalRow | null, { type, data }): ApprovalRow | null => {
    if (type !== payoutAsked.type) return null
    const { refundId, amount, method, reference, note, toCard, by, at } = data
    return {
      refund_id: refundId,
      amount,
      method,
      reference,
      note,
      to_card: toCard,
      asked_by: by,
      asked_at: at,
    }
  },
})

export type CardRefundRow = { refund_id: string; state: CardRefund['state']; card: CardRefund }

export const cardRefundsView = rowView({
  table: 'refunds.card_refunds',
  columns: { refund_id: 'text', state: 'text', card: 'jsonb' },
  primaryKey: 'refund_id',
  events: [refundDue, refundPaidBack, ...cardRefundEventTypes],
  key: ({ data }) => data.refundId,
  evolve: (row: CardRefundRow | null, event): CardRefundRow | null => {
    if (event.type === refundDue.type) return null
    const card =
      event.type === refundPaidBack.type
        ? afterPayout(row?.card ?? null, event.data)
        : evolveCard(row?.card ?? null, event)
    return card && { refund_id: event.data.refundId, state: card.state, card }
  },
})
