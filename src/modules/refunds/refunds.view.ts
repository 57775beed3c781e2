import { column, type RowOf } from '#kernel/column'
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
const refundColumns = {
  id: column<string>('text'),
  order_id: column<string | null>('text'),
  attempt_id: column<string>('uuid'),
  student_name: column<string>('text'),
  student_grade: column<string>('text'),
  item_name: column<string>('text'),
  amount: column<number>('integer'),
  owed: column<number>('integer'),
  as_credit: column<number>('integer'),
  status: column<Exclude<Refund['status'], 'none'>>('text'),
  reason: column<Due['reason']>('text'),
  ordered_at: column<string | Date>('timestamptz'),
  due_since: column<string | Date>('timestamptz'),
  paid_back_at: column<string | Date | null>('timestamptz'),
  paid_back_as: column<Payout['method'] | null>('text'),
}
export type RefundRow = RowOf<typeof refundColumns>

export const refundsView = rowView({
  table: 'refunds.refunds',
  columns: refundColumns,
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

const approvalColumns = {
  refund_id: column<string>('text'),
  amount: column<number>('integer'),
  method: column<Ask['method']>('text'),
  reference: column<string | null>('text'),
  note: column<string | null>('text'),
  to_card: column<boolean>('boolean'),
  asked_by: column<number>('integer'),
  asked_at: column<string | Date>('timestamptz'),
}
export type ApprovalRow = RowOf<typeof approvalColumns>

export const approvalsView = rowView({
  table: 'refunds.approvals',
  columns: approvalColumns,
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

const cardRefundColumns = {
  refund_id: column<string>('text'),
  state: column<CardRefund['state']>('text'),
  card: column<CardRefund>('jsonb'),
}
export type CardRefundRow = RowOf<typeof cardRefundColumns>

export const cardRefundsView = rowView({
  table: 'refunds.card_refunds',
  columns: cardRefundColumns,
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
