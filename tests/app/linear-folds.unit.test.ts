import { familyCredit } from '#modules/credit/family-credit.decide'
import { dailyPayouts } from '#modules/credit/payouts'
import { portionStream } from '#modules/ordering/portions/portions.decide'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { refundDecider } from '#modules/refunds/refund.decide'
import { transferDecider } from '#modules/transfers/confirmations/confirmation.decide'

type Event = { type: string; data: object }
type Kind = {
  read: (event: Event) => unknown
  initial: unknown
  evolve: (state: never, event: never) => unknown
}

/** What of arrays, maps and sets is walked through while `work` runs: a copy of them walks through all of it. */
const walkedIn = (work: () => void): number => {
  let walked = 0
  const restore: (() => void)[] = []
  const count = (prototype: object, name: string | symbol, sizeOf: (one: never) => number) => {
    const original = Object.getOwnPropertyDescriptor(prototype, name)!
    const method = original.value as (...given: unknown[]) => unknown
    Object.defineProperty(prototype, name, {
      ...original,
      value(this: never, ...given: unknown[]) {
        walked += sizeOf(this)
        return Reflect.apply(method, this, given)
      },
    })
    restore.push(() => Object.defineProperty(prototype, name, original))
  }
  for (const name of [Symbol.iterator, 'map', 'filter', 'concat', 'slice', 'find', 'some', 'includes'])
    count(Array.prototype, name, ({ length }: unknown[]) => length)
  for (const { prototype } of [Map, Set])
    for (const name of [Symbol.iterator, 'entries', 'values', 'keys', 'forEach'])
      count(prototype, name, ({ size }: Map<unknown, unknown>) => size)
  try {
    work()
  } finally {
    for (const one of restore) one()
  }
  return walked
}

const at = '2026-09-15T10:00:00.000Z'
const about = { orderId: '118.2026-09-15.1', at }
const orderIdOf = (turn: number) => `118.2026-09-15.${turn + 1}`
const item = { id: 3, name: 'Stew', type: 'primary' }
const meal = {
  item,
  category: null,
  sideDish: null,
  comments: '',
  originalPrice: 1,
  price: 1,
  discountPercentage: 0,
}
const placed = (orderId: string) => ({
  ...meal,
  orderId,
  attemptId: `attempt of ${orderId}`,
  index: 0,
  userId: 7,
  slot: { cycleId: 1, studentId: 118, week: 1, day: 2 },
  student: { name: 'Chipo', grade: '4' },
  mealDate: '2026-09-15',
  cutoffAt: at,
  paymentStatus: 'pending',
  at,
})
const told = (turn: number) => ({
  ...about,
  markId: `mark ${turn}`,
  by: 1,
  note: null,
  deviceAt: at,
  userId: 7,
})
const ordering = (name: string, data: object): Event => ({ type: `ordering.${name}.v1`, data })
const credit = (turn: number) => ({
  userId: 7,
  attemptId: `attempt ${turn}`,
  entryId: `entry ${turn}`,
  payoutId: `payout ${turn}`,
  amount: 1,
  about: { orderId: orderIdOf(turn), reference: null },
  kind: 'cancelled',
  lines: [{ index: turn, amount: 1 }],
  balanceAfter: 1,
  text: 'text',
  at,
})
const refund = (turn: number) => ({
  refundId: 'refund',
  requestId: `request ${turn}`,
  askId: `ask ${turn}`,
  payoutId: `payout ${turn}`,
  amount: 1,
  stillOwed: 1,
  method: 'cash',
  by: 1,
  at,
})
const ofRefund = (name: string, turn: number): Event => ({ type: `refunds.${name}.v1`, data: refund(turn) })
const ofCredit = (name: string, turn: number, more: object = {}): Event => ({
  type: `credit.${name}.v1`,
  data: { ...credit(turn), ...more },
})
const ofAttempt = (name: string, data: object): Event => ({
  type: `payments.${name}.v1`,
  data: { at, ...data },
})

const line = { ...placed(orderIdOf(0)), slot: { studentId: 118 } }

/** Each kind of stream, how it begins, and what anybody might repeat in it for ever, one of each a turn. */
const kinds: [kind: string, kind: Kind, first: Event[], turn: (turn: number) => Event[]][] = [
  [
    'meal slot, one order',
    mealSlot,
    [ordering('lunch-ordered', placed(about.orderId))],
    (turn) => [
      ordering('order-changed', { ...about, changeId: `change ${turn}`, by: 'parent', meal, old: meal }),
      ordering('absence-marked', { ...about, credit: 1 }),
      ordering('lunch-given', told(3 * turn)),
      ordering('absence-taken-back', about),
      ordering('mark-undone', { ...told(3 * turn + 1), undoes: `mark ${3 * turn}` }),
      ordering('mark-not-kept', {
        ...told(3 * turn + 2),
        kind: 'given',
        undoes: null,
        result: 'already',
        other: null,
      }),
      ordering('order-completed', about),
      ordering('order-reopened', about),
      ordering('order-payment-confirmed', { ...about, transferId: `transfer ${turn}` }),
      ordering('order-payment-undone', { ...about, transferId: `transfer ${turn}` }),
    ],
  ],
  [
    'meal slot, order after order',
    mealSlot,
    [],
    (turn) => [
      ordering('lunch-reserved', { slot: {}, mealDate: '2026-09-15', attemptId: `a ${turn}`, until: at, at }),
      ordering('reservation-released', { slot: {}, mealDate: '2026-09-15', attemptId: `a ${turn}`, at }),
      ordering('lunch-ordered', placed(orderIdOf(turn))),
      ordering('order-cancelled', { orderId: orderIdOf(turn), by: 'parent', afterCutoff: false, at }),
      ordering('order-reopened', { orderId: orderIdOf(turn), at }),
      ordering('order-cancelled', { orderId: orderIdOf(turn), by: 'parent', afterCutoff: false, at }),
      ordering('order-refunded', { orderId: orderIdOf(turn), at }),
    ],
  ],
  [
    'portions',
    portionStream,
    [],
    (turn) =>
      ['portion-reserved', 'portion-ordered', ...(turn % 2 ? ['portion-released'] : [])].map((name) =>
        ordering(name, { studentId: turn, menuItemId: 3, date: '2026-09-15', attemptId: 'a', until: at, at }),
      ),
  ],
  [
    'family credit',
    familyCredit,
    [],
    (turn) => [
      ofCredit('credit-given', turn),
      ofCredit('credit-held', turn),
      ofCredit('credit-spent', turn, { attemptId: 'the same' }),
      ofCredit('credit-released', turn),
      ofCredit('credit-charged', turn),
      ofCredit('credit-taken-back', turn),
      ofCredit('credit-paid-out', turn),
      ofCredit('payout-asked', turn),
      ofCredit('payout-approved', turn),
      ofCredit('payout-withdrawn', turn),
    ],
  ],
  [
    'refund',
    refundDecider,
    [ofRefund('refund-due', 0)],
    (turn) => [
      ofRefund('card-refund-requested', turn),
      ofRefund('card-refund-answered', turn),
      ofRefund('payout-asked', turn),
      ofRefund('payout-withdrawn', turn),
      ofRefund('refund-paid-back', turn),
    ],
  ],
  [
    'outflow of a family',
    dailyPayouts,
    [],
    (turn) => [
      {
        type: 'refunds.outflow-counted.v1',
        data: { of: `refund ${turn}`, most: 1, actId: 'act', amount: 1 },
      },
      {
        type: 'refunds.outflow-counted.v1',
        data: { of: 'refund', most: 1, actId: `act ${turn}`, amount: 1 },
      },
    ],
  ],
  [
    'transfer',
    transferDecider,
    [],
    (turn) => [
      ofAttempt('transfer-confirmed', { transferId: 't', confirmationId: `c ${turn}`, families: [], by: 1 }),
      ofAttempt('transfer-undone', { transferId: 't', confirmationId: `c ${turn}`, families: [], by: 1 }),
    ],
  ],
  [
    'payment attempt',
    paymentAttempt,
    [ofAttempt('checkout-started', { attemptId: 'a', kind: 'card', lines: [line] })],
    (turn) => [
      ofAttempt('customer-signalled', { source: 'return', claim: `claim ${turn}` }),
      ofAttempt('provider-answer-noted', { kind: 'pending', code: `${turn}` }),
      ofAttempt('payment-still-pending', { code: `${turn}` }),
      ofAttempt('lines-amended', { lines: [line] }),
      ofAttempt('refund-recorded', { part: 'surplus', amount: 1, payoutId: `payout ${turn}` }),
    ],
  ],
]

const folded = ({ initial, evolve }: Kind, events: readonly Event[]): unknown => {
  let state = initial
  for (let place = 0; place < events.length; place += 1)
    state = (evolve as (state: unknown, event: Event) => unknown)(state, events[place]!)
  return state
}

/** Whether the kind knows an event of this name; what it says beside that may be shorter here than it is. */
const isKnown = ({ read }: Kind, event: Event): boolean => {
  try {
    return read(event) !== null
  } catch {
    return true
  }
}

test.each(kinds)(
  'folding 10,000 events is at most eight times the work of 2,000, and not twenty-five times: %s',
  (_name, kind, first, turn) => {
    const all = [...first]
    for (let place = 0; all.length < 10_000; place += 1) all.push(...turn(place))
    const [few, many] = [all.slice(0, 2_000), all.slice(0, 10_000)]
    expect([...new Set(all.filter((event) => !isKnown(kind, event)).map(({ type }) => type))]).toEqual([])
    const work = walkedIn(() => folded(kind, few))
    expect(walkedIn(() => folded(kind, many))).toBeLessThanOrEqual(8 * work + 10_000)
  },
)
