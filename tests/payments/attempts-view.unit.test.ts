import { attemptsView } from '#modules/payments/attempts.view'
import {
  checkoutRefused,
  checkoutStarted,
  linesReleased,
  ordersCreated,
} from '#modules/payments/attempt-events'
import { viewSpec } from '../support/view-spec'
import { attempt, mary, monday7, tuesdayMeal } from '../ordering/lunches'

const view = viewSpec(attemptsView)
const at = monday7.toISOString()
const started = checkoutStarted({
  attemptId: attempt,
  kind: 'free',
  userId: mary,
  lines: [{ ...tuesdayMeal, price: 0 }],
  total: 0,
  companyRef: null,
  bodyHash: 'hash-1',
  at,
})
const refused = checkoutRefused({ attemptId: attempt, lines: [{ index: 0, code: 'already_ordered' }], at })
const row = { id: attempt, kind: 'free', user_id: mary, status: 'draft', total: 0, started_at: at }

test('a checkout that began is a draft', () => view.given(started).thenRows([row]))

test('its orders created, it is fulfilled', () => {
  const created = ordersCreated({ attemptId: attempt, orders: [{ index: 0, orderId: '7.118.1.2.1' }], at })
  view.given(started, created).thenRows([{ ...row, status: 'fulfilled' }])
})

test('refused, it gives back its lines and has ended', () => {
  view.given(started, refused).thenRows([{ ...row, status: 'releasing' }])
  view
    .given(started, refused, linesReleased({ attemptId: attempt, at }))
    .thenRows([{ ...row, status: 'refused' }])
})
