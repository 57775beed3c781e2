import { orderCancelled, orderChanged } from '#modules/ordering/slot/events'
import type { SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { after, monday7, ordered, tuesdayBy, tuesdayMeal } from './lunches'
import { first, slot } from './slot-words'

const placed = ordered(1, monday7)
const soon = after(monday7, 5)
const at = soon.toISOString()
const other = 4711
const { item, category, sideDish, comments, originalPrice, price, discountPercentage } = tuesdayMeal
const had = { item, category, sideDish, comments, originalPrice, price, discountPercentage }

const guardian = { userId: other, isGuardian: true }
const cancels = (member: { userId: number; isGuardian?: boolean }): SlotCommand => ({
  kind: 'cancel',
  orderId: first,
  by: { role: 'parent', ...member, day: tuesdayBy() },
  now: soon,
})
const changes = (meal: typeof had): SlotCommand => ({
  kind: 'change',
  orderId: first,
  changeId: 'b0a6c1d4-3f5e-4b0c-9f9d-52f0a2c1e7ab',
  ...guardian,
  meal,
  day: tuesdayBy(),
  now: soon,
})

describe("somebody else's order for the own child", () => {
  test('is cancelled by a guardian as by who has paid', () =>
    slot
      .given(placed)
      .when(cancels(guardian))
      .then(orderCancelled({ orderId: first, by: 'parent', afterCutoff: false, at })))

  test('is none for who is no guardian', () =>
    slot
      .given(placed)
      .when(cancels({ userId: other }))
      .refused('order_not_found'))

  test('becomes another meal that costs no more', () => {
    const meal = { ...had, comments: 'No onions', price: price - 100 }
    slot
      .given(placed)
      .when(changes(meal))
      .then(
        orderChanged({
          orderId: first,
          changeId: 'b0a6c1d4-3f5e-4b0c-9f9d-52f0a2c1e7ab',
          by: 'parent',
          meal,
          old: had,
          at,
        }),
      )
  })

  test('becomes no dearer one: that would be taken from the credit of who has paid', () =>
    slot
      .given(placed)
      .when(changes({ ...had, price: price + 100 }))
      .refused('payer_only'))
})
