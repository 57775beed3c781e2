import {
  attemptAbandoned,
  attemptSuperseded,
  checkoutRefused,
  checkoutStarted,
  customerSignalled,
  fulfilmentFailed,
  linesAmended,
  linesBlocked,
  linesReleased,
  mismatchAccepted,
  ordersCreated,
  paymentAcknowledged,
  paymentCancelled,
  paymentDeclined,
  paymentExpired,
  paymentMismatched,
  paymentStillPending,
  paymentVerified,
  providerAnswerNoted,
  providerTokenIssued,
  providerTokenRefused,
  recoveryEnded,
  recoveryStarted,
  refundRecorded,
  remainderWaived,
} from '#modules/payments/published'
import { counted, kwacha, spaced, words } from './entry-words'
import {
  answer,
  cardDetails,
  endings,
  linesIn,
  linesWith,
  partOf,
  payingBy,
  signals,
} from './payments-phrases'
import { redacted } from './redaction'

const checkoutWords = [
  words(checkoutStarted, 'checkout', ({ lines, total, kind, companyRef }) => ({
    what: `Checkout of ${counted(lines.length, 'meal')} for ${kwacha(total)} begun, ${payingBy[kind]}`,
    amount: total,
    details: { Reference: companyRef, Meals: linesIn(lines) },
  })),
  words(checkoutRefused, 'checkout', ({ lines }) => ({
    what: `Checkout refused: none of its meals will be ordered (${linesWith(lines, ({ code }) => code)})`,
  })),
  words(linesReleased, 'checkout', () => ({ what: 'Nothing of the refused checkout holds a day any more' })),
  words(attemptSuperseded, 'checkout', ({ by }) => ({
    what: 'Replaced by a newer checkout of the same parent, unpaid',
    details: { 'Newer attempt': by },
  })),
  words(attemptAbandoned, 'checkout', ({ tokenCancelled }) => ({
    what: `Payment abandoned${tokenCancelled ? ', and cancelled at the provider' : '; the provider did not confirm that it is cancelled there'}`,
  })),
]

const providerWords = [
  words(providerTokenIssued, 'provider', ({ ref, token, limitAt, holdUntil }) => ({
    what: 'The card provider opened the payment page',
    details: {
      'Provider reference': ref,
      Token: `…${token.slice(-4)}`,
      'To be paid until': limitAt,
      'Days kept until': holdUntil,
    },
  })),
  words(providerTokenRefused, 'provider', ({ why, detail }) => ({
    what: `The card provider opened no payment page (${spaced(why)})`,
    details: { Answer: detail === null ? null : redacted(detail) },
  })),
  words(customerSignalled, 'provider', ({ source, claim }) => ({
    what: signals[source],
    details: { 'The browser said': claim === null ? null : `${redacted(claim)} (not believed)` },
  })),
  words(paymentStillPending, 'provider', ({ unusual, ...told }) => ({
    what: `The provider says: not paid yet${unusual ? ' (an unusual answer, to be looked at)' : ''}`,
    details: answer(told),
  })),
  words(paymentDeclined, 'provider', (told) => ({
    what: 'The provider says: payment declined',
    details: answer(told),
  })),
  words(paymentCancelled, 'provider', (told) => ({
    what: 'The provider says: payment cancelled',
    details: answer(told),
  })),
  words(paymentExpired, 'provider', ({ cause, ...told }) => ({
    what: cause === 'limit' ? 'Not paid in time' : 'The provider says: not paid in time',
    details: answer(told),
  })),
  words(providerAnswerNoted, 'provider', ({ kind, ...told }) => ({
    what: `The provider's answer changed nothing (${spaced(kind)})`,
    details: answer(told),
  })),
  words(paymentAcknowledged, 'provider', () => ({
    what: 'The provider was told that we know of the payment',
  })),
]

const paymentWords = [
  words(paymentVerified, 'payment', ({ amount, fee, late, code, told }) => ({
    what: `${kwacha(amount)} paid by card, confirmed by the provider${late ? ', after the payment had been given up' : ''}`,
    amount,
    details: { ...cardDetails(code, told), Fee: fee > 0 ? kwacha(fee) : null },
  })),
  words(paymentMismatched, 'payment', ({ received, differences, code, told }) => ({
    what: `Paid, but not as asked for: ${received === null ? 'how much is not known' : `${kwacha(received)} received`}`,
    amount: received,
    details: {
      ...cardDetails(code, told),
      ...Object.fromEntries(
        differences.map(({ what, expected, told: found }) => [
          `Other ${what}`,
          `${redacted(found ?? 'nothing')} instead of ${redacted(expected)}`,
        ]),
      ),
    },
  })),
  words(mismatchAccepted, 'payment', ({ amount, surplus, shortfall, reason }) => ({
    what: `Payment accepted as ${kwacha(amount)}`,
    amount,
    details: {
      Reason: reason,
      'Owed back': surplus > 0 ? kwacha(surplus) : null,
      'Accepted as missing': shortfall > 0 ? kwacha(shortfall) : null,
    },
  })),
]

const recoveryWords = [
  words(ordersCreated, 'checkout', ({ orders }) => ({
    what: `${counted(orders.length, 'order')} made from the checkout`,
    details: { Orders: orders.map(({ orderId }) => orderId).join(', ') },
  })),
  words(linesBlocked, 'recovery', ({ lines }) => ({
    what: `${counted(lines.length, 'paid meal')} could not be ordered (${linesWith(lines, ({ reason }) => reason)})`,
  })),
  words(fulfilmentFailed, 'recovery', ({ attempt, error }) => ({
    what: `Making the orders failed, try ${attempt} (${redacted(error)})`,
  })),
  words(recoveryStarted, 'recovery', ({ leaseUntil }) => ({
    what: 'Another try to make the orders begun',
    details: { Until: leaseUntil },
  })),
  words(linesAmended, 'recovery', ({ lines }) => ({
    what: `${counted(lines.length, 'meal')} changed before the next try`,
    details: { Meals: linesIn(lines) },
  })),
  words(recoveryEnded, 'recovery', ({ why }) => ({ what: `The try ended without orders: ${endings[why]}` })),
  words(remainderWaived, 'recovery', ({ lines, surplus, reason }) => {
    const amount = lines.reduce((sum, line) => sum + line.amount, surplus)
    return {
      what: `Gave up on ${counted(lines.length, 'meal')}: ${kwacha(amount)} to be paid back`,
      amount,
      details: { Reason: reason },
    }
  }),
  words(refundRecorded, 'refund', ({ part, amount }) => ({
    what: `${kwacha(amount)} has gone back for ${partOf(part)}`,
    amount,
  })),
]

/** What happens to a payment attempt, in words. */
export const paymentsWords = [...checkoutWords, ...providerWords, ...paymentWords, ...recoveryWords]
