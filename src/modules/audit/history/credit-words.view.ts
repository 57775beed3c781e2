import * as credit from '#modules/credit/published'
import { kwacha, redacted, spaced, words } from './entry-words'

const reasons = {
  cancelled: 'the meal was cancelled',
  closed: 'the day was closed',
  changed: 'the meal was changed to a cheaper one',
  absent: 'the child was absent',
  overpaid: 'more was paid than asked for',
  gift: 'a present of the school',
} as const

/** Families' credit, in words. */
export const creditWords = [
  words(credit.creditGiven, 'credit', ({ userId, kind, amount, text, balanceAfter }) => ({
    what: `${kwacha(amount)} credit given to {user:${userId}}: ${reasons[kind]}`,
    amount,
    details: { Text: redacted(text), Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditHeld, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} credit of {user:${userId}} held for a checkout`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditSpent, 'credit', ({ userId, amount }) => ({
    what: `${kwacha(amount)} held credit of {user:${userId}} spent on meals`,
    amount,
  })),
  words(credit.creditReleased, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} held credit of {user:${userId}} released`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditCharged, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} credit of {user:${userId}} spent on a dearer meal`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditTakenBack, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} credit taken back from {user:${userId}}: its reason is gone`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditPaidOut, 'credit', ({ userId, amount, method, reference, balanceAfter }) => ({
    what:
      method === 'given_up'
        ? `${kwacha(amount)} credit of {user:${userId}} given up`
        : `${kwacha(amount)} credit paid out to {user:${userId}} (${spaced(method)})`,
    amount,
    details: { Reference: reference === null ? null : redacted(reference), Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditPayoutAsked, 'credit', ({ userId, amount, method, reference }) => ({
    what: `Asked another administrator to approve that ${kwacha(amount)} credit is paid out to {user:${userId}} (${spaced(method)})`,
    amount,
    details: { Reference: reference === null ? null : redacted(reference) },
  })),
  words(credit.creditPayoutApproved, 'credit', ({ userId }) => ({
    what: `Approved the payout of credit to {user:${userId}} that another administrator asked for`,
  })),
  words(credit.creditPayoutWithdrawn, 'credit', ({ userId }) => ({
    what: `The payout of credit to {user:${userId}} that waited for approval was withdrawn`,
  })),
]
