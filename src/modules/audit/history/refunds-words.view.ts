import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import { kwacha, redacted, spaced, words } from './entry-words'

const reasons = {
  order_cancelled: 'the order was cancelled',
  line_waived: 'the meal could not be ordered',
  overpaid: 'more was paid than asked for',
} as const

/** What is owed back and what went back, in words. */
export const refundsWords = [
  words(refundDue, 'refund', ({ amount, reason, item, student }) => ({
    what: `${kwacha(amount)} owed back for ${item.name} (${student.name}): ${reasons[reason]}`,
    amount,
  })),
  words(refundWithdrawn, 'refund', () => ({
    what: 'No longer owed back: the order stands again, or another amount is owed',
  })),
  words(refundPaidBack, 'refund', ({ amount, stillOwed, method, reference, note }) => ({
    what: `${kwacha(amount)} paid back (${spaced(method)})${stillOwed > 0 ? `, ${kwacha(stillOwed)} still owed` : ''}`,
    amount,
    details: { Reference: reference, Note: note === null ? null : redacted(note) },
  })),
]
