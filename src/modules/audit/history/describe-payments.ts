import { maskedPhone } from '#kernel/phone-number'
import * as payments from '#modules/payments/published'
import { counted, kwacha, redacted, spaced, words } from './entry'

const networkName = { airtel: 'Airtel Money', mtn: 'MTN Money' } as const
const providerWay = { ...networkName, card: 'card' } as const

const checkoutDescriptions = [
  words(payments.checkoutStarted, 'checkout', ({ lines, total, kind, payBy, companyRef, office }) => ({
    what: `${office ? 'Ordered by the office: checkout' : 'Checkout'} of ${counted(lines.length, 'meal')} for ${kwacha(total)} begun, ${payingBy[payBy ?? kind]}`,
    amount: total,
    details: {
      Reference: companyRef,
      Meals: linesIn(lines),
      ...(office && {
        Note: office.note && redacted(office.note),
        'Why late': office.late && redacted(office.late),
      }),
    },
  })),
  words(payments.checkoutRefused, 'checkout', ({ lines }) => ({
    what: `Checkout refused: none of its meals will be ordered (${linesWith(lines, ({ code }) => code)})`,
  })),
  words(payments.linesReleased, 'checkout', () => ({
    what: 'Nothing of the refused checkout holds a day any more',
  })),
  words(payments.attemptSuperseded, 'checkout', ({ by }) => ({
    what: 'Replaced by a newer checkout of the same parent, unpaid',
    details: { 'Newer attempt': by },
  })),
  words(payments.attemptAbandoned, 'checkout', ({ tokenCancelled }) => ({
    what: `Payment abandoned${tokenCancelled ? ', and cancelled at the provider' : '; the provider did not confirm that it is cancelled there'}`,
  })),
]

const providerDescriptions = [
  words(payments.providerTokenIssued, 'provider', ({ ref, token, limitAt, holdUntil }) => ({
    what: 'The card provider opened the payment page',
    details: {
      'Provider reference': ref,
      Token: `…${token.slice(-4)}`,
      'To be paid until': limitAt,
      'Days kept until': holdUntil,
    },
  })),
  words(payments.providerTokenRefused, 'provider', ({ why, detail }) => ({
    what: `The card provider opened no payment page (${spaced(why)})`,
    details: { Answer: detail === null ? null : redacted(detail) },
  })),
  words(payments.customerSignalled, 'provider', ({ source, claim }) => ({
    what: signals[source],
    details: { 'The browser said': claim === null ? null : `${redacted(claim)} (not believed)` },
  })),
  words(payments.promptAsked, 'provider', ({ network, phone }) => ({
    what: `A prompt to pay was asked for (${networkName[network]})`,
    details: { Phone: maskedPhone(phone) },
  })),
  words(payments.promptSent, 'provider', ({ instructions }) => ({
    what: 'The provider sent the prompt',
    details: { Instructions: instructions === null ? null : redacted(instructions) },
  })),
  words(payments.promptRefused, 'provider', ({ network, why }) => ({
    what: `No prompt could be sent (${networkName[network]})`,
    details: { Answer: redacted(why) },
  })),
  words(payments.paymentReopened, 'checkout', ({ holdUntil }) => ({
    what: 'The family pays after all: its days are kept again',
    details: { 'Days kept until': holdUntil },
  })),
  words(payments.cardPageChosen, 'checkout', () => ({
    what: "The family pays on the provider's page instead",
  })),
  words(payments.paymentStillPending, 'provider', ({ unusual, ...answer }) => ({
    what: `The provider says: not paid yet${unusual ? ' (an unusual answer, to be looked at)' : ''}`,
    details: answerDetails(answer),
  })),
  words(payments.paymentDeclined, 'provider', (answer) => ({
    what: 'The provider says: payment declined',
    details: answerDetails(answer),
  })),
  words(payments.paymentCancelled, 'provider', (answer) => ({
    what: 'The provider says: payment cancelled',
    details: answerDetails(answer),
  })),
  words(payments.paymentExpired, 'provider', ({ cause, ...answer }) => ({
    what: cause === 'limit' ? 'Not paid in time' : 'The provider says: not paid in time',
    details: answerDetails(answer),
  })),
  words(payments.providerAnswerNoted, 'provider', ({ kind, ...answer }) => ({
    what: `The provider's answer changed nothing (${spaced(kind)})`,
    details: answerDetails(answer),
  })),
  words(payments.paymentAcknowledged, 'provider', () => ({
    what: 'The provider was told that we know of the payment',
  })),
  words(payments.acknowledgementGivenUp, 'provider', () => ({
    what: 'The provider could not be told within a day that we know of the payment; compare with its statement',
  })),
]

const paymentEventDescriptions = [
  words(payments.paymentVerified, 'payment', ({ amount, fee, late, code, report }) => ({
    what: `${kwacha(amount)} paid by ${providerWay[payments.methodReported(report.method) ?? 'card']}, confirmed by the provider${late ? ', after the payment had been given up' : ''}`,
    amount,
    details: { ...cardDetails(code, report), Fee: fee > 0 ? kwacha(fee) : null },
  })),
  words(payments.paymentMismatched, 'payment', ({ received, differences, code, report }) => ({
    what: `Paid, but not as asked for: ${received === null ? 'how much is not known' : `${kwacha(received)} received`}`,
    amount: received,
    details: {
      ...cardDetails(code, report),
      ...Object.fromEntries(
        differences.map(({ what, expected, reported }) => [
          `Other ${what}`,
          `${redacted(reported ?? 'nothing')} instead of ${redacted(expected)}`,
        ]),
      ),
    },
  })),
  words(payments.mismatchAccepted, 'payment', ({ amount, surplus, shortfall, reason }) => ({
    what: `Payment accepted as ${kwacha(amount)}`,
    amount,
    details: {
      Reason: reason,
      'Owed back': surplus > 0 ? kwacha(surplus) : null,
      'Accepted as missing': shortfall > 0 ? kwacha(shortfall) : null,
    },
  })),
]

const recoveryDescriptions = [
  words(payments.ordersCreated, 'checkout', ({ orders }) => ({
    what: `${counted(orders.length, 'order')} made from the checkout`,
    details: { Orders: orders.map(({ orderId }) => orderId).join(', ') },
  })),
  words(payments.linesBlocked, 'recovery', ({ lines }) => ({
    what: `${counted(lines.length, 'paid meal')} could not be ordered (${linesWith(lines, ({ reason }) => reason)})`,
  })),
  words(payments.fulfilmentFailed, 'recovery', ({ attempt, error }) => ({
    what: `Making the orders failed, try ${attempt} (${redacted(error)})`,
  })),
  words(payments.unpaidMealsCounted, 'checkout', () => ({
    what: 'The unpaid meals of the account were counted',
  })),
  words(payments.recoveryStarted, 'recovery', ({ leaseUntil }) => ({
    what: 'Another try to make the orders begun',
    details: { Until: leaseUntil },
  })),
  words(payments.linesAmended, 'recovery', ({ lines }) => ({
    what: `${counted(lines.length, 'meal')} changed before the next try`,
    details: { Meals: linesIn(lines) },
  })),
  words(payments.recoveryEnded, 'recovery', ({ why }) => ({
    what: `The try ended without orders: ${endings[why]}`,
  })),
  words(payments.remainderWaived, 'recovery', ({ lines, surplus, reason }) => {
    const amount = lines.reduce((sum, line) => sum + line.amount, surplus)
    return {
      what: `Gave up on ${counted(lines.length, 'meal')}: ${kwacha(amount)} to be paid back`,
      amount,
      details: { Reason: reason },
    }
  }),
  words(payments.refundRecorded, 'refund', ({ part, amount }) => ({
    what: `${kwacha(amount)} has gone back for ${partOf(part)}`,
    amount,
  })),
]

const payingBy = {
  card: 'to be paid by card',
  free: 'with nothing to pay',
  alternative: 'to be paid by mobile money or bank',
  airtel: 'to be paid by Airtel Money',
  mtn: 'to be paid by MTN Money',
  bank: 'to be paid by bank transfer',
  cash: 'to be paid in cash',
} as const

const signals = {
  return: 'The browser came back from the payment page',
  back: 'The browser left the payment page',
  push: 'The provider sent word',
  sweep: 'Looked at again by schedule',
  administrator: 'An administrator asked the provider again',
  advice: 'The browser said how it went',
  checkout: 'The parent began another checkout',
} as const

const endings = {
  'not-paid': 'it is not paid',
  'no-answer': 'the provider did not answer',
  'lease-lost': 'it was cut off',
} as const

type Answer = { code: string; explanation: string }

const answerDetails = ({ code, explanation }: Answer): Record<string, string | null> => ({
  'Provider answer': redacted(`${code} ${explanation}`),
})

type Card = {
  explanation: string
  method: string | null
  cardLast4: string | null
  approval: string | null
  fraud: string | null
}

const cardDetails = (code: string, report: Card): Record<string, string | null> => ({
  ...answerDetails({ code, explanation: report.explanation }),
  Card:
    [report.method, report.cardLast4 && `ending ${report.cardLast4.slice(-4)}`].filter(Boolean).join(' ') ||
    null,
  Approval: report.approval && redacted(report.approval),
  'Fraud check': report.fraud && redacted(report.fraud),
})

type Line = { student: { name: string }; item: { name: string }; mealDate: string; price: number }

const maxLines = 20

/** `Beef Stew for Chipo Banda on 2026-09-16, K45.00; …` */
const linesIn = (lines: readonly Line[]): string =>
  lines
    .slice(0, maxLines)
    .map(
      ({ student, item, mealDate, price }) =>
        `${item.name} for ${student.name} on ${mealDate}, ${kwacha(price)}`,
    )
    .concat(lines.length > maxLines ? [`and ${lines.length - maxLines} more`] : [])
    .join('; ')

/** `meal 1: day blocked, meal 3: error` */
const linesWith = <Line extends { index: number }>(
  lines: readonly Line[],
  why: (line: Line) => string,
): string => lines.map((line) => `meal ${line.index + 1}: ${spaced(why(line))}`).join(', ')

const partOf = (part: number | 'surplus'): string =>
  part === 'surplus' ? 'what was paid too much' : `meal ${part + 1}`

export const paymentDescriptions = [
  ...checkoutDescriptions,
  ...providerDescriptions,
  ...paymentEventDescriptions,
  ...recoveryDescriptions,
]
