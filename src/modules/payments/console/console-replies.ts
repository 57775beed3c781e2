import {
  toPayFor,
  ledgerOf,
  payByOf,
  type PaymentAttempt,
  type StartedAttempt,
} from '../attempt/payment-attempt'
import type { Grade } from '#contracts/identity'
import type { AttemptItem, FailedOrder, LiveOrder } from '#contracts/payments-console'
import { kwachaFromNgwee } from '#kernel/money'
import {
  allowedActions,
  liveLabel,
  mayRetryUnder,
  reasonOf,
  reasonText,
  recoveryError,
  reasonsOf,
  recoveryStatus,
} from './labels'

const itemsOf = (attempt: StartedAttempt): AttemptItem[] =>
  attempt.checkout.lines.map((line) => {
    const outcome = attempt.outcomes[line.index]
    const reason = reasonOf(attempt, line.index)
    return {
      index: line.index,
      studentId: line.slot.studentId,
      student: { name: line.student.name, grade: line.student.grade as Grade },
      menuItem: { id: line.item.id, name: line.item.name, price: kwachaFromNgwee(line.originalPrice) },
      weekNumber: line.slot.week,
      dayOfWeek: line.slot.day,
      category: line.category,
      sideDish: line.sideDish,
      comments: line.comments,
      originalPrice: kwachaFromNgwee(line.originalPrice),
      discountedPrice: kwachaFromNgwee(line.price),
      discountPercentage: line.discountPercentage,
      orderId: outcome?.kind === 'ordered' ? outcome.orderId : null,
      reason: reason ? reasonText[reason] : null,
      ...(reason && { code: reason }),
    }
  })

const receivedOf = ({ money }: StartedAttempt): number | null =>
  typeof money?.amount === 'number' ? kwachaFromNgwee(money.amount) : null

export const liveReply = (attempt: StartedAttempt, username: string): LiveOrder => {
  const { checkout, token } = attempt
  const original = checkout.lines.reduce((sum, { originalPrice }) => sum + originalPrice, 0)
  return {
    id: checkout.attemptId,
    createdAt: checkout.at,
    username,
    kind: checkout.kind,
    payBy: payByOf(checkout),
    ...liveLabel(attempt),
    state: attempt.status,
    transactionId: token?.token ?? null,
    reference: checkout.companyRef ?? '',
    amount: kwachaFromNgwee(toPayFor(checkout.lines)),
    receivedAmount: receivedOf(attempt),
    originalAmount: kwachaFromNgwee(original),
    cartItems: itemsOf(attempt),
    allowed: allowedActions(attempt),
  }
}

export const foundReply = ({ user_id: userId, attempt }: { user_id: number; attempt: PaymentAttempt }) => {
  if (attempt.status === 'none') return []
  const { id, createdAt, kind, payBy, status, state, transactionId, reference, amount, receivedAmount } =
    liveReply(attempt, '')
  return [
    {
      id,
      at: createdAt,
      userId,
      kind,
      payBy,
      status,
      state,
      transactionId,
      reference,
      amount,
      receivedAmount,
    },
  ]
}

/** Amounts in ngwee. */
export const familyReply = ({ since, ...row }: { user_id: number; attempt: PaymentAttempt; since: Date }) => {
  const { attempt } = row
  if (attempt.status === 'none') return []
  const { owed, received } = ledgerOf(attempt)
  const { lines } = attempt.checkout
  return foundReply(row).map((shown) => ({
    shown,
    since,
    toPay: toPayFor(lines),
    received,
    owed,
    meals: lines.length,
    notOrdered: lines.filter(({ index }) => attempt.outcomes[index]?.kind !== 'ordered').length,
    mayAccept: allowedActions(attempt).accept,
  }))
}

/** Null for an attempt that is never listed. */
export const failedReply = (
  attempt: StartedAttempt,
  customer: string,
  family: readonly { id: number; name: string; grade: string }[],
): FailedOrder | null => {
  const status = recoveryStatus(attempt)
  if (!status) return null
  const { checkout } = attempt
  const { retry: amend, accept, waive } = allowedActions(attempt)
  const [first] = checkout.lines
  const codes = reasonsOf(attempt)
  return {
    id: checkout.attemptId,
    orderDate: checkout.at,
    customer,
    student: first?.student ?? { name: 'N/A', grade: 'N/A' },
    amount: kwachaFromNgwee(toPayFor(checkout.lines)),
    receivedAmount: receivedOf(attempt),
    status,
    error: recoveryError(attempt),
    ...(codes.length > 0 && { code: codes[0], codes }),
    paymentRef: checkout.companyRef ?? '',
    cartItems: itemsOf(attempt),
    students: family.map(({ id, name, grade }) => ({ id, name, grade: grade as Grade })),
    allowed: { retry: mayRetryUnder(status), amend, accept, waive },
  }
}
export const namedReplies = async <Reply>(
  rows: readonly { user_id: number; attempt: PaymentAttempt }[],
  usernames: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  reply: (attempt: StartedAttempt, username: string) => Reply | null,
): Promise<Reply[]> => {
  const names = await usernames([...new Set(rows.map(({ user_id }) => user_id))])
  return rows.flatMap(({ attempt, user_id }) => {
    const shown = attempt.status === 'none' ? null : reply(attempt, names.get(user_id) ?? 'N/A')
    return shown === null ? [] : [shown]
  })
}
