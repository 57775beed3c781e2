import type { ReplyOf } from '#contracts/endpoint'
import type { AttemptItem, FailedOrder, LiveOrder } from '#contracts/payments-console'
import type { Grade } from '#contracts/identity'
import { kwachaFromNgwee } from '#kernel/money'
import {
  allowedActions,
  liveLabel,
  parentStatus,
  reasonOf,
  reasonWords,
  recoveryError,
  recoveryStatus,
  verifyOutcome,
} from '../console/labels'
import type { Standing } from '../attempt/payment-attempt'
import type { Verdict } from '../providers/match'
import type { recordAttempt, verifyPayment } from '#contracts/payments'

/** An attempt as its parent sees it. */
export const parentReply = (attempt: Standing): ReplyOf<typeof recordAttempt> => ({
  transactionId: attempt.token?.token ?? null,
  transactionRef: attempt.checkout.companyRef ?? '',
  paymentAmount: kwachaFromNgwee(attempt.checkout.total),
  transactionStatus: parentStatus(attempt),
  errorDetails: parentStatus(attempt) === 'failed' ? 'Payment verification failed' : null,
  isRecovered: liveLabel(attempt).isRecovered,
})

/** What a verification says; the provider's words only where it was asked just now. */
export const verifyReplyOf = (attempt: Standing, verdict: Verdict | null): ReplyOf<typeof verifyPayment> => {
  const { success, attention } = verifyOutcome(attempt)
  if (success) return { success, message: 'Transaction Paid', attention }
  const told = verdict && 'code' in verdict ? verdict : null
  const explanation = told && 'explanation' in told ? told.explanation : null
  return {
    success: false,
    message: 'Payment verification failed',
    Result: told?.kind === 'config' ? null : (told?.code ?? null),
    ResultExplanation: told?.kind === 'config' ? null : explanation,
    TransactionStatus: parentStatus(attempt),
  }
}

const itemsOf = (attempt: Standing): AttemptItem[] =>
  attempt.checkout.lines.map((line) => {
    const fate = attempt.fates[line.index]
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
      orderId: fate?.kind === 'ordered' ? fate.orderId : null,
      reason: reason ? reasonWords[reason] : null,
    }
  })

/** An attempt under Live Orders; `username` is its parent's. */
export const liveReply = (attempt: Standing, username: string): LiveOrder => {
  const { checkout, token } = attempt
  const original = checkout.lines.reduce((sum, { originalPrice }) => sum + originalPrice, 0)
  return {
    id: checkout.attemptId,
    createdAt: checkout.at,
    username,
    kind: checkout.kind,
    ...liveLabel(attempt),
    state: attempt.status,
    transactionId: token?.token ?? null,
    reference: checkout.companyRef ?? '',
    amount: kwachaFromNgwee(checkout.total),
    originalAmount: kwachaFromNgwee(original),
    cartItems: itemsOf(attempt),
    allowed: allowedActions(attempt),
  }
}

/** An attempt under Order Recovery; null where it is never listed. */
export const failedReply = (
  attempt: Standing,
  customer: string,
  family: readonly { id: number; name: string; grade: string }[],
): FailedOrder | null => {
  const status = recoveryStatus(attempt)
  if (!status) return null
  const { checkout } = attempt
  const { retry, accept, waive } = allowedActions(attempt)
  const [first] = checkout.lines
  return {
    id: checkout.attemptId,
    orderDate: checkout.at,
    customer,
    student: first?.student ?? { name: 'N/A', grade: 'N/A' },
    amount: kwachaFromNgwee(checkout.total),
    status,
    error: recoveryError(attempt),
    paymentRef: checkout.companyRef ?? '',
    cartItems: itemsOf(attempt),
    students: family.map(({ id, name, grade }) => ({ id, name, grade: grade as Grade })),
    allowed: { retry, accept, waive },
  }
}
