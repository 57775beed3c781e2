import { cancelTextsOf, deadlineRule } from '#contracts/cancel-texts'
import type { CutoffTime } from '#contracts/cycles'
import type { OrderingRules } from '#contracts/ordering'
import { numberToPayTo, type PaymentBypass } from '#contracts/payments'

/** What the words depend on; undefined while it is not known. */
export type TermsFacts = {
  rules: Pick<OrderingRules, 'cancelUntil' | 'lateRemedy' | 'absence' | 'absencePercent'> | undefined
  cutoff: CutoffTime | undefined
  ways: PaymentBypass | undefined
  cardRefunds: boolean | undefined
}

type Titled<Text> = readonly (readonly [title: string, text: Text])[]

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Words of parent-and-teacher.md section 9 where the settings are at their defaults. */
export const termsOf = ({ rules, cutoff, ways }: TermsFacts): Titled<string> => [
  [
    'Ordering',
    'Meals are ordered per child, week and day from the menu of the active order cycle. Orders must be placed before the cutoff.',
  ],
  [
    'Payment',
    `Prices are in Zambian kwacha. ${paymentText(ways, cutoff)} An order that costs nothing is placed without payment.`,
  ],
  ['Collecting', 'Meals must be collected within lunch hours.'],
  [
    'Cancelling',
    rules && cutoff
      ? `${cancelTextsOf(rules.cancelUntil, cutoff).rule}, in the Order History.`
      : 'Orders are cancelled in the Order History, which shows until when.',
  ],
  ['Refunds', 'What is paid back, when and how is in the Refund Policy.'],
]

const paymentText = (ways: PaymentBypass | undefined, cutoff: CutoffTime | undefined): string => {
  if (!ways || !(ways.enabled || ways.beside || ways.prompt))
    return 'Payment is by cash, mobile money or online.'
  const prompted = ways.prompt && !ways.enabled
  const byHand = (['airtel', 'mtn', 'bank'] as const).filter(
    (way) =>
      (ways.enabled || ways.beside) && numberToPayTo(ways, way) !== '' && !(prompted && way !== 'bank'),
  )
  const named = {
    airtel: 'Airtel Money to the school’s number',
    mtn: 'MTN Money to the school’s number',
    bank: 'bank transfer',
  }
  const all = [
    'cash at the office',
    ...(ways.enabled ? [] : ['card online']),
    ...(prompted ? ['Airtel Money or MTN Money on your phone'] : []),
    ...byHand.map((way) => named[way]),
  ]
  const lapse =
    ways.unpaidUntil === 'cutoff' && byHand.length > 0
      ? ` A meal that is not paid for by ${deadlineOf(cutoff)} is cancelled.`
      : ''
  return `Payment is by ${listed.format(all)}.${lapse}`
}

const deadlineOf = (cutoff: CutoffTime | undefined) => (cutoff ? deadlineRule(cutoff) : 'the cutoff')

/** Likewise. */
export const refundRulesOf = ({
  rules,
  cutoff,
  ways,
  cardRefunds,
}: TermsFacts): Titled<readonly string[]> => {
  const isUntilCutoff = rules?.cancelUntil === 'cutoff'
  const byCard = cardRefunds && !ways?.enabled
  return [
    [
      'How you get your money back',
      [
        'A cash refund is available within 1 hour at the canteen.',
        ...(byCard ? ['What was paid by card can go back to the card.'] : []),
        ...(byCard && ways?.prompt
          ? ['What was paid on the phone can go back to it, whole payments only.']
          : []),
        'Mobile money refunds take 3-5 business days.',
        'Requests are processed within 48 hours.',
        ...(isUntilCutoff && rules?.lateRemedy === 'credit'
          ? ['A meal cancelled later than 1 hour after the order becomes credit for other meals.']
          : []),
      ],
    ],
    [
      'What is refunded',
      [
        isUntilCutoff ? `Cancellations until ${deadlineOf(cutoff)}` : 'Cancellations before preparation',
        rules?.absence === 'credit'
          ? `Absence with notice: ${rules.absencePercent} % of the price as credit`
          : 'Absence with notice',
        'Duplicate payment',
        'Wrong orders',
      ],
    ],
    [
      'What is not refunded',
      [
        isUntilCutoff
          ? `Requests made after ${deadlineOf(cutoff)}`
          : 'Requests made more than 24 hours after the order date',
        'A consumed meal',
        'Requests with missing proof',
      ],
    ],
  ]
}
