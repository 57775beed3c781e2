import { refundRulesOf, termsOf, type TermsFacts } from '../../web/features/support/terms-text'

const ways = {
  enabled: false,
  beside: false,
  prompt: false,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: 'School', number: '0977 000 111' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: 'B', accountName: 'S', accountNumber: '1', branchName: '', swiftCode: '' },
}
const rules = { cancelUntil: 'hour', lateRemedy: 'credit', absence: 'none', absencePercent: 100 } as const
const cutoff = { cutoffHour: 8, cutoffMinute: 0, daysBefore: 0, schoolDaysOnly: true }
const usual: TermsFacts = { rules, cutoff, ways, cardRefunds: false }

const payment = (more: Partial<typeof ways>) =>
  new Map(termsOf({ ...usual, ways: { ...ways, ...more } })).get('Payment')
const policy = (more: Partial<TermsFacts>) => refundRulesOf({ ...usual, ...more }).flatMap(([, all]) => all)

test('at the defaults, and while nothing is known, the words are those of the first document', () => {
  for (const facts of [
    usual,
    { rules: undefined, cutoff: undefined, ways: undefined, cardRefunds: undefined },
  ]) {
    const terms = new Map(termsOf(facts))
    expect(terms.get('Ordering')).toContain('Orders must be placed before the cutoff.')
    expect(terms.get('Payment')).toContain('Payment is by cash, mobile money or online.')
    expect(terms.get('Collecting')).toBe('Meals must be collected within lunch hours.')
    expect(refundRulesOf(facts).flatMap(([, all]) => all)).toEqual([
      'A cash refund is available within 1 hour at the canteen.',
      'Mobile money refunds take 3-5 business days.',
      'Requests are processed within 48 hours.',
      'Cancellations before preparation',
      'Absence with notice',
      'Duplicate payment',
      'Wrong orders',
      'Requests made more than 24 hours after the order date',
      'A consumed meal',
      'Requests with missing proof',
    ])
  }
})

test.each([
  ['hour', /within 1 hour of placing the order/],
  ['cutoff', /until 08:00 on the day of the meal/],
] as const)('until %s one cancels', (cancelUntil, words) => {
  expect(new Map(termsOf({ ...usual, rules: { ...rules, cancelUntil } })).get('Cancelling')).toMatch(words)
})

test.each<[string, Partial<typeof ways>, string]>([
  [
    'other ways beside the card',
    { beside: true },
    'Payment is by cash at the office, card online, Airtel Money to the school’s number or bank transfer.',
  ],
  [
    'a prompt in place of the numbers of the networks',
    { beside: true, prompt: true },
    'Payment is by cash at the office, card online, Airtel Money or MTN Money on your phone or bank transfer.',
  ],
  [
    'no card',
    { enabled: true, prompt: true },
    'Payment is by cash at the office, Airtel Money to the school’s number or bank transfer.',
  ],
])('ways to pay: %s', (_what, more, words) => {
  expect(payment(more)).toContain(words)
})

test('an unpaid meal lapses where the settings say so', () => {
  const lapse = 'A meal that is not paid for by 08:00 on the day of the meal is cancelled.'
  expect(payment({ beside: true })).not.toContain(lapse)
  expect(payment({ beside: true, unpaidUntil: 'cutoff' } as never)).toContain(lapse)
})

test('money goes back as the settings say', () => {
  expect(policy({ cardRefunds: true })).toContain('What was paid by card can go back to the card.')
  expect(policy({ cardRefunds: true, ways: { ...ways, prompt: true } })).toContain(
    'What was paid on the phone can go back to it, whole payments only.',
  )
  const late = policy({ rules: { ...rules, cancelUntil: 'cutoff', absence: 'credit', absencePercent: 80 } })
  for (const words of [
    'Cancellations until 08:00 on the day of the meal',
    'A meal cancelled later than 1 hour after the order becomes credit for other meals.',
    'Absence with notice: 80 % of the price as credit',
    'Requests made after 08:00 on the day of the meal',
  ])
    expect(late).toContain(words)
  expect(late).not.toContain('Requests made more than 24 hours after the order date')
})

test.each([
  [{ daysBefore: 0 }, 'until 08:00 on the day of the meal'],
  [{ daysBefore: 1 }, 'until 08:00 on the school day before the meal'],
  [{ daysBefore: 1, schoolDaysOnly: false }, 'until 08:00 on the day before the meal'],
  [{ daysBefore: 2 }, 'until 08:00, 2 school days before the meal'],
])('a cutoff that differs by %j is named by its day', (more, words) => {
  const facts = {
    ...usual,
    rules: { ...rules, cancelUntil: 'cutoff' as const },
    cutoff: { ...cutoff, ...more },
  }
  expect(new Map(termsOf(facts)).get('Cancelling')).toContain(words)
})
