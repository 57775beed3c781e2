import { helpOf, paymentText, statusOf, type WholePayment } from '../../src/modules/find/family-status.decide'
import { standIn } from '../support/stand-in'

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
    'One meal cancelled, as nobody had paid K40.00 at the cutoff',
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
