import type { BodyOf } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import {
  completeRefund,
  completeRefunds,
  listRefunds,
  ownRefunds,
  refundToCredit,
  type ListedRefund,
  type Refund as RefundReply,
} from '#contracts/refunds'
import { kwachaFromNgwee } from '#kernel/money'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import type { RefundsNeeds } from './needs'
import { showingCards, type CardShowingNeeds } from './card-refunds-shown.rows'
import { owedOf, type Due, type Refund } from './refund'
import { payBackMany } from './pay-back-many.commands'
import { turnIntoCredit } from './refund-as-credit.commands'
import { payBackRefund, payoutIdFor, type PayBack, type PayBackNeeds } from './refund.commands'
import { refundsOfOrders, refundsPage } from './refunds.rows'
import type { RefundRow } from './refunds.view'
import { refusal } from './refusals'

const pageSize = 50

/** Refund Management (administrator.md section 2.9): what is owed, and that it went back. */
export const refundRoutes = (
  needs: PayBackNeeds &
    Pick<
      RefundsNeeds,
      'database' | 'credit' | 'payments' | 'identity' | 'cards' | 'cardRefundsOn' | 'creditNotes'
    >,
): Route[] => [
  route(completeRefunds, withFeature('refunds'), async (call) => {
    const { body, user, idempotencyKey, actor, correlationId } = call
    const { ids: refundIds, method, reference, note } = body
    const done = await payBackMany(needs)({
      refundIds,
      payout: { method, reference: reference || null, note: note || null, by: user.userId },
      idempotencyKey,
      by: { actor, correlationId },
    })
    return { ...done, amount: kwachaFromNgwee(done.amount) }
  }),

  route(refundToCredit, withFeature('refunds'), async (call) => {
    const { params, user, idempotencyKey, actor, correlationId } = call
    const refund = await turnIntoCredit(needs)({
      refundId: params.id,
      idempotencyKey,
      administrator: user.userId,
      by: { actor, correlationId },
    })
    if (refund.status === 'none') throw refusal('refund_not_found')
    return refundReply(refund)
  }),

  route(ownRefunds, onlyRoles('parent', 'teacher'), async ({ user }) => {
    const attemptIds = await needs.payments.attemptsOfUser(user.userId)
    const rows = await refundsOfOrders(needs.database.knex, attemptIds)
    return { data: rows.map(ownReply) }
  }),

  route(listRefunds, withFeature('refunds'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { limit = pageSize, sort = 'due', direction = 'asc', status = 'cancelled', text = '' } = query
    const { rows, total } = await refundsPage(
      needs.database.knex,
      { status, text },
      { sort, direction, offset: (page - 1) * limit, limit },
    )
    return { data: await listedReplies(needs, rows), metadata: pageMetadataOf(total, page, limit) }
  }),

  route(completeRefund, withFeature('refunds'), async (call) => {
    const { params, body, user, idempotencyKey, actor, correlationId } = call
    const refund = await payBackRefund(needs)({
      refundId: params.id,
      payout: { ...payoutOf(body), by: user.userId },
      payoutId: payoutIdFor(params.id, idempotencyKey),
      by: { actor, correlationId },
    })
    if (refund.status === 'none') throw refusal('refund_not_found')
    return refundReply(refund)
  }),
]

const payoutOf = (body: BodyOf<typeof completeRefund>): Omit<PayBack['payout'], 'by'> => ({
  amount: body?.amount === undefined ? null : Math.round(body.amount * 100),
  method: body?.method ?? 'manual',
  reference: body?.reference || null,
  note: body?.note || null,
})

const reasons: Record<Due['reason'], string> = {
  order_cancelled: 'Order cancelled',
  line_waived: 'Paid, but could not be ordered',
  overpaid: 'Paid too much',
}

/** A refund as the family that is owed it sees it. */
const ownReply = (row: RefundRow) => ({
  orderId: row.order_id ?? '',
  amount: kwachaFromNgwee(row.amount),
  owed: kwachaFromNgwee(row.owed),
  dueSince: new Date(row.due_since).toISOString(),
  doneAt: row.paid_back_at === null ? null : new Date(row.paid_back_at).toISOString(),
  asCredit: row.paid_back_as === 'credit',
})

/** The refunds of the list, each with whom it goes back to and what it was part of. */
const listedReplies = async (
  needs: CardShowingNeeds & Pick<RefundsNeeds, 'payments' | 'identity' | 'creditNotes'>,
  rows: readonly RefundRow[],
): Promise<ListedRefund[]> => {
  const { payments, identity } = needs
  const shown = await payments.paymentsShown([...new Set(rows.map((row) => row.attempt_id))])
  const people = await identity.peopleOf([...new Set([...shown.values()].map(({ userId }) => userId))])
  const cardShown = await showingCards(needs, rows)
  const notes = await needs.creditNotes(rows.map(({ id }) => id))
  return rows.map((row) => {
    const payment = shown.get(row.attempt_id)
    const person = payment && people.get(payment.userId)
    const parent = person
      ? { id: person.id, username: person.username, name: person.name, phone: person.phone }
      : null
    const { payBy = null, reference = '' } = payment ?? {}
    const creditNote = notes.get(row.id) ?? null
    return { ...rowReply(row), ...cardShown(row), parent, payBy, reference, creditNote }
  })
}

/** The amount is what has yet to go back, or, when it all went back, how much that was. */
const rowReply = (row: RefundRow): RefundReply => ({
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
const refundReply = (refund: Exclude<Refund, { status: 'none' }>): RefundReply => {
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
