import * as fc from 'fast-check'
import type { CartLine } from '#contracts/ordering'
import type { MenuFacts } from '#modules/ordering/cart/line-policies.decide'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { nshima } from '../../ordering/lunches'
import { waysToPay } from './bank'

/** A cart that a parent may hand in, under one key of its own. `how` it is paid for unless it costs nothing. */
const anyCart = fc.record({
  parent: fc.nat(1),
  child: fc.nat(1),
  how: fc.constantFrom('card' as const, 'card' as const, 'card' as const, 'otherwise' as const),
  days: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  item: fc.constantFrom(0, 0, 0, 1, 1, 2),
})
export type Cart = typeof anyCart extends fc.Arbitrary<infer Value> ? Value : never

// Mostly one and the same, so that many meet there.
const cart = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3)
const line = fc.constantFrom(0, 0, 1, 2)
const act = <What extends string, More extends object>(
  what: What,
  more: { [Key in keyof More]: fc.Arbitrary<More[Key]> },
): fc.Arbitrary<{ what: What; cart: number } & More> =>
  fc.record({ what: fc.constant(what), cart, ...more }) as never

const starting = act('start', {})
const paying = act('pay', {
  way: fc.constantFrom('exactly' as const, 'exactly' as const, 'exactly' as const, ...waysToPay),
})
const looking = act('look', {
  source: fc.constantFrom('return' as const, 'push' as const, 'administrator' as const, 'advice' as const),
})
const onOrders = act('order', {
  line,
  to: fc.constantFrom(
    'cancelled' as const,
    'pending' as const,
    'own cancel' as const,
    'cancelled' as const,
    'pending' as const,
    'completed' as const,
    'paid' as const,
  ),
})

const retrying = act('retry', { line, day: fc.constantFrom(null, null, 3, 4, 5) })
const payingBack = act('pay back', { line, isHalf: fc.boolean() })

/** One thing that somebody does. */
const anyAct = fc.oneof(
  { weight: 6, arbitrary: starting },
  { weight: 6, arbitrary: paying },
  { weight: 5, arbitrary: looking },
  { weight: 4, arbitrary: act('sweep', {}) },
  { weight: 2, arbitrary: act('work', {}) },
  { weight: 4, arbitrary: onOrders },
  { weight: 2, arbitrary: retrying },
  ...(
    ['abandon', 'accept', 'waive', 'push', 'forged push', 'decline', 'hang', 'back', 'confirm items'] as const
  ).map((what) => ({
    weight: 1,
    arbitrary: act(what, {}),
  })),
  { weight: 2, arbitrary: payingBack },
  { weight: 1, arbitrary: act('outage', { answers: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: act('creates', {
      mood: fc.constantFrom('well' as const, 'badly' as const, 'answer lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: act('school', {
      change: fc.constantFrom(
        'block' as const,
        'open' as const,
        'item gone' as const,
        'child gone' as const,
        'broken' as const,
        'mended' as const,
      ),
    }),
  },
  { weight: 3, arbitrary: act('time', { minutes: fc.constantFrom(1, 2, 5, 20, 40) }) },
)
export type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never

const everybodyStarts: Act[] = [0, 1, 2, 3].map((number) => ({ what: 'start', cart: number }))

const workersTurn: Act[] = [{ what: 'work', cart: 0 }]

// What mostly follows upon a checkout, and what upon a payment.
const whilePaying = fc.oneof(
  { weight: 6, arbitrary: paying },
  { weight: 5, arbitrary: looking },
  { weight: 2, arbitrary: anyAct },
)

const whileMending = fc.oneof(
  { weight: 3, arbitrary: onOrders },
  { weight: 2, arbitrary: retrying },
  ...(['accept', 'waive', 'work', 'sweep'] as const).map((what) => ({ weight: 2, arbitrary: act(what, {}) })),
  { weight: 2, arbitrary: anyAct },
)
const whilePayingBack = fc.oneof(
  { weight: 4, arbitrary: payingBack },
  { weight: 3, arbitrary: onOrders },
  { weight: 2, arbitrary: act('work', {}) },
  { weight: 1, arbitrary: act('sweep', {}) },
)

const manyOf = (arbitrary: fc.Arbitrary<Act>) =>
  fc.array(arbitrary, { minLength: 2, maxLength: 8, size: 'max' })

/**
 * A whole story: who could buy what, what is done in each scene at once, one scene after the other, where processes die,
 * what hanging payments come to. It begins with everybody checking out.
 */
export const anyStory = fc
  .record({
    carts: fc.array(anyCart, { minLength: 4, maxLength: 4 }),
    atFirst: fc.array(anyAct, { maxLength: 2 }),
    payments: manyOf(whilePaying),
    looks: manyOf(
      fc.oneof({ weight: 4, arbitrary: looking }, { weight: 2, arbitrary: act('sweep', {}) }, anyAct),
    ),
    scenes: fc.array(manyOf(anyAct), { maxLength: 2, size: 'max' }),
    mending: manyOf(whileMending),
    payingBack: manyOf(whilePayingBack),
    deaths: fc.array(
      fc.record({ at: fc.nat(30), when: fc.constantFrom('before' as const, 'after' as const) }),
      { maxLength: 3, size: 'max' },
    ),
    hangingIsPaid: fc.boolean(),
  })
  .map(({ atFirst, payments, looks, scenes, mending, payingBack: last, ...story }) => ({
    ...story,
    scenes: [[...everybodyStarts, ...atFirst], payments, looks, ...scenes, mending, workersTurn, last],
  }))
export type Story = typeof anyStory extends fc.Arbitrary<infer Value> ? Value : never

/** What is sold, dear, cheap and free; the second parent pays a tenth less. */
export const menu: readonly MenuFacts[] = [
  nshima,
  { ...nshima, id: 4, name: 'Beans', price: 3000 },
  { ...nshima, id: 5, name: 'Porridge', price: 0 },
]
const prices = [
  [4550, 3000, 0],
  [4095, 2700, 0],
] as const

export const parentId = (family: number, parent: number) => 1000 + family * 10 + parent
export const childId = (family: number, child: number) => 5000 + family * 10 + child

/** One cart as its parent knows it: what each line costs them, in ngwee, by the price list and nothing else. */
export const cartBook = (family: number, { parent, child, days, item, how }: Cart, number: number) => {
  const userId = parentId(family, parent)
  const key = `cart-${number}`
  const price = prices[parent as 0 | 1][item as 0 | 1 | 2]
  const lines = days.map((dayOfWeek): CartLine => ({
    menuItemId: menu[item]!.id,
    studentId: childId(family, child),
    weekNumber: 1,
    dayOfWeek,
    category: 'beef',
    sideDish: 'Cabbage',
    originalPrice: menu[item]!.price / 100,
  }))
  return {
    userId,
    key,
    attemptId: attemptIdFor(userId, key),
    isCard: how === 'card' && price > 0,
    price,
    total: price * lines.length,
    lines,
  }
}
export type CartBook = ReturnType<typeof cartBook>

/** One act of paying back: `amount` leaves the drawer when the service has it in its lists under this `reference`. */
export type Payout = { refundId: string; reference: string; amount: number }
