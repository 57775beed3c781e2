import * as fc from 'fast-check'
import type { Order } from '#contracts/ordering'
import { Refusal } from '#kernel/refusal'
import {
  type Checkout,
  checkoutRefused,
  checkoutStarted,
  linesReleased,
  ordersCreated,
} from '#modules/payments/attempt/events'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { attempt, mary, monday7, tuesdayMeal, after, bupe, chanda, stew } from '../ordering/lunches'
import { type AttemptCommand, decide, specification } from './attempt-steps'
import { Crash } from './machine/failing-store'
import { freeNshima, freeTill, oneByOne } from './till'

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

const key = 'key-1'
const attemptId = attemptIdFor(mary, key)
const attemptOf = `paymentAttempt-${attemptId}`
const slotOn = (day: number) => `mealSlot-118.2026-09-${13 + day}`
const dear = (dayOfWeek: number) =>
  freeNshima(dayOfWeek, { menuItemId: stew.id, studentId: bupe.id, originalPrice: 45.5 })

const refusalOf = async (placing: Promise<unknown>): Promise<Refusal> => {
  const outcome = await placing.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return outcome
}
const linesOf = (refusal: Refusal) =>
  (refusal.extra.lines as { index: number; code: string }[]).map(({ index, code }) => [index, code])

describe('a free cart', () => {
  test('becomes its orders in one append', async () => {
    const counter = freeTill()
    const orders = await counter.place([freeNshima(2), freeNshima(3)], key)
    expect(orders.map(({ id, status, paymentStatus }) => [id, status, paymentStatus])).toEqual([
      ['118.2026-09-15.1', 'pending', 'confirmed'],
      ['118.2026-09-16.1', 'pending', 'confirmed'],
    ])
    expect(orders[0]).toMatchObject({
      studentId: chanda.id,
      mealDate: '2026-09-15',
      discountedPrice: 0,
      orderDate: monday7.toISOString(),
      allowed: { cancel: true },
    })
    expect(await counter.told(attemptOf)).toEqual(['checkout-started', 'orders-created'])
    expect(await counter.told(slotOn(2))).toEqual(['lunch-ordered'])
  })

  test('waits for the views before it answers', async () => {
    const counter = freeTill()
    await counter.place([freeNshima(2)], key)
    expect(counter.written.upTo).toBe((await counter.store.end()).position)
  })

  test('with something to pay leaves no trace', async () => {
    const counter = freeTill()
    const refusal = await refusalOf(counter.place([freeNshima(2), dear(2)], key))
    expect(refusal.code).toBe('payment_required')
    expect(await counter.size()).toBe(0)
  })

  test('with a refused line leaves no trace', async () => {
    const counter = freeTill()
    const refusal = await refusalOf(counter.place([freeNshima(2), freeNshima(3, { category: 'fish' })], key))
    expect([refusal.status, linesOf(refusal)]).toEqual([422, [[1, 'protein_not_offered']]])
    expect(await counter.size()).toBe(0)
  })

  test('cannot have a day twice', async () => {
    const counter = freeTill()
    await counter.place([freeNshima(2)])
    const refusal = await refusalOf(counter.place([freeNshima(3), freeNshima(2)]))
    expect([refusal.status, linesOf(refusal)]).toEqual([409, [[1, 'already_ordered']]])
    expect(await counter.told(slotOn(3))).toEqual([])
  })
})

describe('the same Idempotency-Key', () => {
  test('with the same cart answers the same orders, and orders nothing more', async () => {
    const counter = freeTill()
    const first = await counter.place([freeNshima(2), freeNshima(3)], key)
    const size = await counter.size()
    counter.clock.now = after(monday7, 30)
    const halfAnHour = 30 * 60_000
    const halfAnHourLess = ({ allowed }: Order) => ({
      ...allowed,
      cancelForMs: halfAnHour,
      asPaidForMs: halfAnHour,
      changeForMs: halfAnHour,
      moveForMs: halfAnHour,
      absentInMs: allowed.absentInMs! - halfAnHour,
      absentForMs: allowed.absentForMs! - halfAnHour,
    })
    expect(await counter.place([freeNshima(2), freeNshima(3)], key)).toEqual(
      first.map((order) => ({ ...order, allowed: halfAnHourLess(order) })),
    )
    expect(await counter.size()).toBe(size)
  })

  test('with another cart is refused', async () => {
    const counter = freeTill()
    await counter.place([freeNshima(2)], key)
    const refusal = await refusalOf(counter.place([freeNshima(3)], key))
    expect(refusal.code).toBe('idempotency_key_reused')
    expect(await counter.told(slotOn(3))).toEqual([])
  })

  test('of somebody else is another key', async () => {
    const counter = freeTill()
    await counter.place([freeNshima(2)], key)
    const orders = await counter.place([freeNshima(3)], key, 22)
    expect(orders.map(({ id }) => id)).toEqual(['118.2026-09-16.1'])
  })

  test('may be used again after a cart that was refused', async () => {
    const counter = freeTill()
    await refusalOf(counter.place([freeNshima(2, { category: 'fish' })], key))
    expect(await counter.place([freeNshima(2)], key)).toHaveLength(1)
  })
})

describe.each([
  ['a store with transactions', undefined],
  ['a store that appends one stream after another', oneByOne()],
])('at the same moment, on %s', (_store, appendTo) => {
  test('twenty carts for one child and day end in exactly one order', async () => {
    const counter = freeTill(appendTo)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => counter.place([freeNshima(2)])),
    )
    const placed = outcomes.filter(({ status }) => status === 'fulfilled')
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(placed).toHaveLength(1)
    expect(refused).toHaveLength(19)
    for (const refusal of refused)
      expect([refusal.code, refusal.status, linesOf(refusal)]).toEqual([
        'lines_refused',
        409,
        [[0, 'already_ordered']],
      ])
    expect(await counter.told(slotOn(2))).toEqual(['lunch-ordered'])
  })

  test('twenty times one request is one order and twenty equal answers', async () => {
    const counter = freeTill(appendTo)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => counter.place([freeNshima(2), freeNshima(3)], key)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await counter.told(attemptOf)).toEqual(['checkout-started', 'orders-created'])
    expect(await counter.told(slotOn(2))).toEqual(['lunch-ordered'])
    expect(await counter.told(slotOn(3))).toEqual(['lunch-ordered'])
  })

  test('two carts with one key: one is placed, the other is told so', async () => {
    const counter = freeTill(appendTo)
    const [one, other] = await Promise.allSettled([
      counter.place([freeNshima(2)], key),
      counter.place([freeNshima(3)], key),
    ])
    expect([one?.status, other?.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await counter.told(attemptOf)).toEqual(['checkout-started', 'orders-created'])
    expect([...(await counter.told(slotOn(2))), ...(await counter.told(slotOn(3)))]).toEqual([
      'lunch-ordered',
    ])
  })
})

describe('a checkout cut off on a store without transactions', () => {
  const cart = [freeNshima(2), freeNshima(3), freeNshima(4)]

  test.each([1, 2, 3, 4])('after %i appends is finished, once', async (appended) => {
    let alive = false
    const counter = freeTill(oneByOne((step) => !alive && step === appended))
    await expect(counter.place(cart, key)).rejects.toThrow(Crash)
    alive = true
    expect((await counter.complete(attemptId)).attempt.status).toBe('fulfilled')
    expect((await counter.complete(attemptId)).attempt.status).toBe('fulfilled')
    for (const day of [2, 3, 4]) expect(await counter.told(slotOn(day))).toEqual(['lunch-ordered'])
    expect(await counter.told(attemptOf)).toEqual(['checkout-started', 'orders-created'])
  })

  test('is finished by the same request coming back, too', async () => {
    let alive = false
    const counter = freeTill(oneByOne((step) => !alive && step === 2))
    await expect(counter.place(cart, key)).rejects.toThrow(Crash)
    alive = true
    const orders = await counter.place(cart, key)
    expect(orders.map(({ id }) => id)).toEqual(['118.2026-09-15.1', '118.2026-09-16.1', '118.2026-09-17.1'])
  })

  test.each([0, 1, 2, 3, 4])(
    'that lost a day meanwhile takes back its orders, whatever cuts that off (%i)',
    async (second) => {
      const dies = new Set([2])
      let steps = 0
      const counter = freeTill(oneByOne(() => dies.delete(steps++)))
      await expect(counter.place(cart, key)).rejects.toThrow(Crash)
      await counter.place([freeNshima(4)], 'key-2', 22)
      dies.add(steps + second)
      await counter.complete(attemptId).catch((error: unknown) => expect(error).toBeInstanceOf(Crash))
      dies.clear()

      expect((await counter.complete(attemptId)).attempt.status).toBe('refused')
      expect(await counter.told(slotOn(2))).toEqual(['lunch-ordered', 'order-withdrawn'])
      expect(await counter.told(slotOn(3))).toEqual([])
      expect(await counter.told(slotOn(4))).toEqual(['lunch-ordered'])
      expect(await counter.told(attemptOf)).toEqual([
        'checkout-started',
        'checkout-refused',
        'lines-released',
      ])
      const again = await refusalOf(counter.place(cart, key))
      expect([again.status, linesOf(again)]).toEqual([409, [[2, 'already_ordered']]])
    },
  )

  test('one that never began is left alone', async () => {
    const counter = freeTill()
    expect((await counter.complete(attemptId)).attempt.status).toBe('none')
    expect(await counter.size()).toBe(0)
  })
})
