import type { CheckoutWay, MobileNetwork, PayWay } from '#contracts/ordering'
import type { PaymentBypass } from '#contracts/payments'
import { mealMessage, unpaidPortionMinutes, type MealLine, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee, kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { withChoices } from '../attempt/labels'

export type AlternativePayment = {
  reference: string
  amount: Ngwee
  meals: readonly MealLine[]
  payBy?: CheckoutWay | undefined
  /** The office ordered it, not the family. */
  atOffice?: boolean
  until?: string | null
  limited?: { items: readonly string[]; until: string } | null
}

/** Spec wording without a card (parent-and-teacher.md section 8). */
const bypassText = 'Alternative payment methods are available. Please check your email for instructions.'

/** Details are visible while in use, and to administrators; families see prompts only where they are sent. */
export const visibleBypass = (
  settings: PaymentBypass,
  blank: PaymentBypass,
  { role, hasCards }: { role: 'parent' | 'teacher' | 'admin'; hasCards: boolean },
): PaymentBypass => {
  if (role === 'admin') return settings
  const shown = settings.enabled || settings.beside ? settings : blank
  return { ...shown, prompt: sendsPrompts(settings, hasCards) }
}

/** Airtel and MTN are then paid at once. */
export const sendsPrompts = ({ enabled, prompt }: PaymentBypass, hasCards: boolean): boolean =>
  prompt && !enabled && hasCards

export const paymentReply = (
  {
    reference,
    amount,
    payBy,
    atOffice,
  }: Pick<AlternativePayment, 'reference' | 'amount' | 'payBy' | 'atOffice'>,
  settings: PaymentBypass,
) => ({
  reference,
  amount: kwachaFromNgwee(amount),
  instructions: {
    message: replyText(payBy, atOffice),
    ...waysFor(settings, payBy),
  },
})

const replyText = (payBy: CheckoutWay | undefined, atOffice = false): string => {
  if (payBy === 'cash') return 'Pay in cash at the school office and give the reference.'
  if (payBy) return `Pay with ${wayNames[wayKeys[payBy]]} and give the reference.`
  return atOffice ? 'Ask the school office how to pay, and give the reference.' : bypassText
}

type Ways = Partial<Pick<PaymentBypass, 'airtelMoney' | 'mtnMoney' | 'bankTransfer'>>
const wayKeys = {
  airtel: 'airtelMoney',
  mtn: 'mtnMoney',
  bank: 'bankTransfer',
} as const satisfies Record<PayWay, keyof Ways>

const waysFor = (settings: PaymentBypass, payBy: CheckoutWay | undefined): Ways => {
  if (payBy === 'cash') return {}
  const ways = waysOf(settings)
  const chosen = payBy && ways[wayKeys[payBy]]
  return chosen ? { [wayKeys[payBy]]: chosen } : ways
}

const waysOf = ({ airtelMoney, mtnMoney, bankTransfer }: PaymentBypass): Ways => ({
  ...(isFilled(airtelMoney) && { airtelMoney }),
  ...(isFilled(mtnMoney) && { mtnMoney }),
  ...(isFilled(bankTransfer) && { bankTransfer }),
})

const isFilled = (way: Record<string, string>): boolean => Object.values(way).some((text) => text !== '')

export const instructionsLetter = (
  { reference, amount, meals, payBy, atOffice, until, limited }: AlternativePayment,
  settings: PaymentBypass,
): UserMessage => {
  const minutes = unpaidPortionMinutes
  const endOf = (limitedMeals: string) => [
    `Please pay K${decimalFromNgwee(amount)}${payBy === 'cash' ? ' in cash at the school office' : ''} and give the reference ${reference} with your payment, so that we know it is yours.`,
    ...(limited
      ? [
          `Pay within ${minutes} minutes, until ${limited.until}: ${limitedMeals} is limited, and a portion that is not paid for by then goes to somebody else.`,
        ]
      : []),
    ...(until ? [`A meal that is not paid for in time is cancelled: the first one at ${until}.`] : []),
    ...Object.entries(waysFor(settings, payBy)).map(([way, details]) => wayText(way as keyof Ways, details)),
    'Your order is shown as "Payment Pending" until we have seen the payment.',
  ]
  return mealMessage({
    what: `How to pay (${reference}): ordered`,
    meals: meals.map(withChoices),
    start: `${atOffice ? 'the school office ordered' : 'thank you for ordering'} ${meals.length === 1 ? 'a meal' : `${meals.length} meals`}${atOffice ? ' for you' : ''}:`,
    more: ({ price }) => `, K${decimalFromNgwee(price)}`,
    end: endOf(limited?.items.join(', ') ?? ''),
    bareEnd: endOf('a meal of it'),
    short: (inShort) =>
      `Ordered: ${inShort}. Please pay K${decimalFromNgwee(amount)}, reference ${reference}.` +
      (limited ? ` Pay until ${limited.until}: a meal of it is limited.` : ''),
  })
}

const detailsChanged = (who: string) =>
  `${who}, who gave their password, changed the details that families are shown to pay to.\n\n` +
  'Please look at them under Settings, Payment Settings; the history in Books says what they were before.'

/** Contains no account details. */
export const detailsChangedLetter = (username: string): UserMessage => ({
  subject: 'The bank or mobile-money details were changed',
  text: detailsChanged(username),
  bareText: detailsChanged('an administrator'),
})

export const networkNames: Record<MobileNetwork, string> = { airtel: 'Airtel Money', mtn: 'MTN Money' }

const wayNames: Record<keyof Ways, string> = {
  airtelMoney: networkNames.airtel,
  mtnMoney: networkNames.mtn,
  bankTransfer: 'Bank transfer',
}
const detailNames: Record<string, string> = {
  name: 'Name',
  number: 'Number',
  bankName: 'Bank',
  accountName: 'Account name',
  accountNumber: 'Account number',
  branchName: 'Branch',
  swiftCode: 'SWIFT code',
}

const wayText = (way: keyof Ways, details: Record<string, string>): string =>
  [
    wayNames[way],
    ...Object.entries(details).flatMap(([detail, text]) =>
      text ? [`  ${detailNames[detail]}: ${text}`] : [],
    ),
  ].join('\n')
