import {
  cardRefundAnswered,
  cardRefundClaimed,
  cardRefundFoundFailed,
  cardRefundNotBegun,
  cardRefundRequested,
  cardRefundToBeChecked,
  payoutApproved,
  payoutAsked,
  payoutAskWithdrawn,
  refundDue,
  refundPaidBack,
  refundWithdrawn,
} from '#modules/refunds/published'
import { payoutCounted } from '#modules/credit/published'
import { kwacha, redacted, spaced, words } from './entry'

const reasons = {
  order_cancelled: 'the order was cancelled',
  line_waived: 'the meal could not be ordered',
  overpaid: 'more was paid than asked for',
} as const

const cardAnswers = {
  accepted: 'The card provider has taken the refund to the card',
  pending: 'The card provider has to release the refund to the card by hand',
  refused: 'The card provider refused the refund to the card: nothing went back',
  unclear: 'The card provider gave no clear answer about the refund to the card',
} as const

export const refundDescriptions = [
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
  words(cardRefundClaimed, 'refund', () => ({
    what: 'No other refund of this card payment is asked for until this one is answered',
  })),
  words(cardRefundRequested, 'refund', ({ amount }) => ({
    what: `${kwacha(amount)} asked back to the card`,
    amount,
  })),
  words(cardRefundAnswered, 'refund', ({ answer, code, explanation }) => ({
    what: cardAnswers[answer],
    details: { 'Provider answer': redacted(`${code} ${explanation}`) },
  })),
  words(cardRefundToBeChecked, 'refund', () => ({
    what: 'The card provider left the refund to the card unclear: somebody has to find out what became of it',
  })),
  words(cardRefundFoundFailed, 'refund', ({ note }) => ({
    what: 'Found out: nothing went back to the card',
    details: { Note: note === null ? null : redacted(note) },
  })),
  words(cardRefundNotBegun, 'refund', () => ({
    what: 'The refund to the card was not asked for: the program ended before',
  })),
  words(payoutAsked, 'refund', ({ amount, method, toCard, reference, note }) => ({
    what: `Asked another administrator to approve that ${kwacha(amount)} goes back (${toCard ? 'to the card' : spaced(method)})`,
    amount,
    details: { Reference: reference, Note: note === null ? null : redacted(note) },
  })),
  words(payoutApproved, 'refund', () => ({ what: 'Approved what another administrator asked for' })),
  words(payoutAskWithdrawn, 'refund', () => ({ what: 'What waited for approval was withdrawn' })),
  words(payoutCounted, 'refund', ({ userId, date, kind, amount }) => ({
    what:
      kind === 'gift'
        ? `${kwacha(amount)} counted to what {user:${userId}} is given on ${date}`
        : `${kwacha(amount)} counted to what leaves the account of {user:${userId}} on ${date}`,
    amount,
  })),
]
