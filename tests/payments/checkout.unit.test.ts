import * as fc from 'fast-check'
import {
  checkoutRefused,
  checkoutStarted,
  linesReleased,
  ordersCreated,
  type Checkout,
} from '#modules/payments/attempt/events'
import { attempt, mary, monday7, tuesdayMeal } from '../ordering/lunches'
import { decide, specification, type AttemptCommand } from './attempt-steps'

const at = monday7.toISOString()
const now = monday7

const meal = { ...tuesdayMeal, price: 0 }
const checkout = {
  attemptId: attempt,
  kind: 'free' as const,
  userId: mary,
  lines: [meal],
  companyRef: null,
  bodyHash: 'hash-1',
}
const orders = [{ index: 0, orderId: '118.2026-09-15.1' }]
const taken = [{ index: 0, code: 'already_ordered' as const }]

const started = checkoutStarted({ ...checkout, total: 0, at })
const created = ordersCreated({ attemptId: attempt, orders, at })
const refused = checkoutRefused({ attemptId: attempt, lines: taken, at })
const released = linesReleased({ attemptId: attempt, at })

const start = (change: Partial<Omit<Checkout, 'total' | 'at'>> = {}): AttemptCommand => ({
  kind: 'start',
  checkout: { ...checkout, ...change },
  now,
})
const record: AttemptCommand = { kind: 'record-orders', orders, now }
const refuse: AttemptCommand = { kind: 'refuse', lines: taken, now }
const confirmRelease: AttemptCommand = { kind: 'confirm-release', now }

describe('starting', () => {
  test('a cart without a price begins a free checkout', () =>
    specification.given().when(start()).then(started))
  test('the total is what the lines are to pay together, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99_999_999), { minLength: 1, maxLength: 50 }), (prices) => {
        const lines = prices.map((price, index) => ({ ...meal, index, price }))
        const [begun] = decide(start({ kind: 'alternative', lines }), { status: 'none' })
        expect(begun?.data).toMatchObject({ total: prices.reduce((sum, price) => sum + price, 0) })
      }),
    )
  })
  test('one ngwee to pay is no free checkout', () =>
    specification
      .given()
      .when(start({ lines: [meal, { ...meal, index: 1, price: 1 }] }))
      .refused('payment_required'))
  test('the same request again begins nothing', () =>
    specification.given(started).when(start()).nothingHappens())
  test('nor does it once the checkout has ended', () => {
    specification.given(started, created).when(start()).nothingHappens()
    specification.given(started, refused, released).when(start()).nothingHappens()
  })
  test('the key of another request is refused, whatever became of that', () => {
    const other = start({ bodyHash: 'hash-2' })
    specification.given(started).when(other).refused('idempotency_key_reused')
    specification.given(started, created).when(other).refused('idempotency_key_reused')
    specification.given(started, refused).when(other).refused('idempotency_key_reused')
  })
})

describe('recording the orders', () => {
  test('fulfils the checkout', () => specification.given(started).when(record).then(created))
  test('again changes nothing', () => specification.given(started, created).when(record).nothingHappens())
  test('not before it began', () => specification.given().when(record).refused('attempt_closed'))
  test('not once it was refused', () => {
    specification.given(started, refused).when(record).refused('attempt_closed')
    specification.given(started, refused, released).when(record).refused('attempt_closed')
  })
})

describe('refusing', () => {
  test('a checkout that lost a day', () => specification.given(started).when(refuse).then(refused))
  test('again changes nothing', () => {
    specification.given(started, refused).when(refuse).nothingHappens()
    specification.given(started, refused, released).when(refuse).nothingHappens()
  })
  test('not one that never began', () => specification.given().when(refuse).refused('attempt_closed'))
  test('not one whose orders are there', () =>
    specification.given(started, created).when(refuse).refused('attempt_closed'))
})

describe('having given back the lines', () => {
  test('ends a refused checkout', () =>
    specification.given(started, refused).when(confirmRelease).then(released))
  test('again changes nothing', () =>
    specification.given(started, refused, released).when(confirmRelease).nothingHappens())
  test.each([
    ['one that never began', []],
    ['one that still may be fulfilled', [started]],
    ['one whose orders are there', [started, created]],
  ])('not %s', (_which, past) =>
    specification
      .given(...past)
      .when(confirmRelease)
      .refused('attempt_closed'),
  )
})
