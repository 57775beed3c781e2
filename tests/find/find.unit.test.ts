import { type WholePayment, helpOf, paymentText, statusOf } from '../../src/modules/find/family-status.decide'
import { parseSearchQuery } from '../../src/modules/find/find.routes'
import { standIn } from '../support/stand-ins'

test.each([
  ['LP-7K3QW9', 'LP7K3QW9%'],
  ['lp 7k3qw9', 'LP7K3QW9%'],
  ['7k3qw9', '7K3QW9%'],
  ['R2000012345', 'R2000012345%'],
  ['LP-7k', 'LP7K%'],
  // What may be a name or an amount is a code as a whole alone.
  ['abe', 'ABE'],
  ['Banda', 'BANDA'],
  ['1200', '1200'],
  ['Müller', null],
  ['-', null],
])('of %p the letters and digits are looked for as a reference: %p', (typed, code) =>
  expect(parseSearchQuery(typed).code).toBe(code),
)

test.each([
  ['+260 97 712 34 56', '977123456'],
  ['00260977123456', '977123456'],
  ['+260 (0)97 712-3456', '977123456'],
  ['0977 123 456', '977123456'],
  ['977123456', '977123456'],
  ['097 7123', '977123'],
  ['26097', '26097'],
  ['120.00', '12000'],
  ['0977', null],
  ['Banda 0977123456', null],
])('the phone number in %p is %p', (typed, phone) => expect(parseSearchQuery(typed).phone).toBe(phone))

test.each([
  ['120', 12_000],
  ['K120.00', 12_000],
  ['ZMW 1,200.50', 120_050],
  ['k 45.5', 4_550],
  ['21474836.47', 2_147_483_647],
  ['21474836.48', null],
  ['977123456', null],
  ['999999999', null],
  ['-120', null],
  ['120.005', null],
  ['Kate', null],
])('the amount in %p is %p ngwee', (typed, amount) => expect(parseSearchQuery(typed).amount).toBe(amount))

test('each of at most six words is looked for', () => {
  expect(parseSearchQuery('  Mutinta   MOYO ').words).toEqual(['mutinta', 'moyo'])
  expect(parseSearchQuery('a b c d e f g h').words).toHaveLength(6)
})

test.each([
  ['2026-000123', { kind: 'receipt', year: 2026, number: 123 }],
  ['2026-123', { kind: 'receipt', year: 2026, number: 123 }],
  ['CN2026-000012', { kind: 'credit_note', year: 2026, number: 12 }],
  ['2026-09-16', null],
  ['Receipt', null],
])('the receipt number in %p is %j', (typed, receipt) =>
  expect(parseSearchQuery(typed).receipt).toEqual(receipt),
)

const clock = { now: new Date('2026-09-16T10:00:00+02:00'), zone: 'Africa/Lusaka' }
const at = (time: string) => new Date(`2026-09-16T${time}:00+02:00`)

const payment = (
  state: string,
  more: Partial<WholePayment['payment']> = {},
  shown: Partial<WholePayment['payment']['shown']> = {},
): WholePayment['payment'] => ({
  shown: {
    id: 'a',
    at: at('06:30').toISOString(),
    userId: 7,
    reference: 'LP-7K3QW9',
    transactionId: null,
    kind: 'card',
    payBy: 'card',
    paidFrom: null,
    status: 'Failed',
    state,
    amount: 120,
    receivedAmount: 120,
    ...shown,
  },
  since: at('06:39'),
  toPay: 12_000,
  received: 12_000,
  owed: 0,
  meals: 3,
  notOrdered: 0,
  mayAccept: false,
  ...more,
})

const order = (more: Partial<WholePayment['orders'][number]> = {}): WholePayment['orders'][number] =>
  standIn({
    id: '1.2026-09-17.1',
    attemptId: 'a',
    userId: 7,
    student: { name: 'Chipo', grade: '9' },
    item: { name: 'Stew' },
    mealDate: '2026-09-17',
    price: 4_000,
    credit: 0,
    paidByHand: false,
    status: 'pending',
    paymentStatus: 'pending',
    payBy: 'airtel',
    placedAt: at('06:30'),
    absent: false,
    lapsed: false,
    lapsesAt: null,
    portionUntil: null,
    ...more,
  })

const refund = (more: Partial<WholePayment['refunds'][number]> = {}): WholePayment['refunds'][number] =>
  standIn({
    id: 'a.0',
    order_id: null,
    attempt_id: 'a',
    student_name: 'Chipo',
    item_name: 'Stew',
    amount: 3_500,
    owed: 3_500,
    as_credit: 0,
    due_since: at('09:12'),
    paid_back_at: null,
    paid_back_as: null,
    ...more,
  })

const whole = (paid: WholePayment['payment'], more: Partial<WholePayment> = {}): WholePayment => ({
  payment: paid,
  orders: [],
  refunds: [],
  ...more,
})
const airtel = { kind: 'alternative', payBy: 'airtel' } as const
const paid = (price = 4_000) => order({ paymentStatus: 'confirmed', price })

test.each<[string, WholePayment]>([
  ['Declined at 06:39, nothing was taken', whole(payment('declined'))],
  ['Given up at 06:39, nothing was taken', whole(payment('cancelled'))],
  ['Not paid in time, given up at 06:39, nothing was taken', whole(payment('expired'))],
  ['K120.00 by card is being checked with the card provider since 06:39', whole(payment('processing'))],
  ['K120.00 to be paid by card since 06:39, nothing was taken yet', whole(payment('initiated'))],
  ['Paid K120.00 by card, 3 meals', whole(payment('fulfilled'))],
  ['Paid K120.00 by card, one meal', whole(payment('fulfilled', { meals: 1 }))],
  [
    'Paid, one meal could not be made since 06:39: somebody has to decide',
    whole(payment('blocked', { notOrdered: 1 })),
  ],
  [
    'Paid, one meal could not be made: K35.00 owed back since 09:12',
    whole(payment('refund_due', { notOrdered: 1, owed: 3_500 }), { refunds: [refund()] }),
  ],
  [
    'Paid, one meal could not be made: K35.00 paid back at 09:40',
    whole(payment('refunded', { notOrdered: 1 }), {
      refunds: [refund({ owed: 0, paid_back_at: at('09:40'), paid_back_as: 'manual' })],
    }),
  ],
  [
    'Paid K120.00 by card, 3 meals: K15.00 owed back since 09:12, K20.00 paid back',
    whole(payment('fulfilled'), { refunds: [refund({ owed: 1_500 })] }),
  ],
  [
    'Paid K120.00 by card, 3 meals: K20.00 paid back at 09:40, K15.00 given as credit at 09:40',
    whole(payment('fulfilled'), {
      refunds: [refund({ owed: 0, as_credit: 1_500, paid_back_at: at('09:40'), paid_back_as: 'credit' })],
    }),
  ],
  [
    'Paid K120.00 by card, 3 meals: K35.00 given as credit at 09:40',
    whole(payment('fulfilled'), {
      refunds: [refund({ owed: 0, as_credit: 3_500, paid_back_at: at('09:40'), paid_back_as: 'credit' })],
    }),
  ],
  [
    'K100.00 came in by card instead of K120.00 at 06:39: somebody has to decide',
    whole(payment('review', { received: 10_000 }, { receivedAmount: 100 })),
  ],
  [
    'Paid K120.00 by Airtel, 3 meals',
    whole(payment('fulfilled', {}, airtel), { orders: [paid(), paid(), paid()] }),
  ],
  [
    'Paid K40.00 by Airtel, one meal; K80.00 by Airtel not paid yet, 2 meals, reference LP-7K3QW9',
    whole(payment('fulfilled', {}, airtel), { orders: [paid(), order(), order()] }),
  ],
  [
    'K40.00 by Airtel not paid yet, one meal, reference LP-7K3QW9; nothing to pay for 2 meals',
    whole(payment('fulfilled', {}, airtel), { orders: [order(), paid(0), paid(0)] }),
  ],
  [
    'One meal cancelled: K40.00 was not paid in time',
    whole(payment('fulfilled', {}, airtel), { orders: [order({ status: 'cancelled', lapsed: true })] }),
  ],
  [
    'All meals were cancelled before anything was paid',
    whole(payment('fulfilled', {}, airtel), { orders: [order({ status: 'cancelled' })] }),
  ],
  ['Nothing to pay, 3 meals', whole(payment('fulfilled', {}, { kind: 'free', payBy: null }))],
  [
    'Declined at 06:39 on Tuesday, 15 September 2026, nothing was taken',
    whole(payment('declined', { since: new Date('2026-09-15T06:39:00+02:00') })),
  ],
])('%s', (sentence, one) => expect(paymentText(one, clock)).toBe(sentence))

test('what matters now: the newest, what is open, and what happened within a week', () => {
  const old = new Date('2026-09-01T06:39:00+02:00')
  const earlier = whole(payment('fulfilled', { since: old }))
  const owing = whole(payment('fulfilled', { since: old }, airtel), { orders: [order()] })
  expect(statusOf([whole(payment('declined')), earlier, owing], clock)).toEqual([
    'Declined at 06:39, nothing was taken',
    'K40.00 by Airtel not paid yet, one meal, reference LP-7K3QW9',
  ])
  expect(statusOf([earlier], clock)).toEqual(['Paid K120.00 by card, 3 meals'])
  expect(statusOf([], clock)).toEqual([])
})

test.each<[string | null, WholePayment]>([
  ['judge', whole(payment('review', { mayAccept: true }))],
  ['retry', whole(payment('blocked', { notOrdered: 1 }))],
  ['ask', whole(payment('processing'))],
  ['verify', whole(payment('fulfilled', {}, airtel), { orders: [order()] })],
  ['refund', whole(payment('refund_due'), { refunds: [refund()] })],
  [null, whole(payment('declined'))],
  [null, whole(payment('fulfilled'))],
])('what helps: %s', (what, one) =>
  expect(helpOf([whole(payment('fulfilled')), one])?.what ?? null).toBe(what),
)
