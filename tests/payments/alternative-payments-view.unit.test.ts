import { checkoutStarted } from '#modules/payments/attempt/events'
import type { Checkout } from '#modules/payments/attempt/events'
import { alternativePaymentsView } from '#modules/payments/alternative/alternative-payments.view'
import { attempt, mary, monday7, tuesdayMeal } from '../ordering/lunches'
import { viewSpec } from '../support/view-spec'

const view = viewSpec(alternativePaymentsView)
const at = monday7.toISOString()
const started = (kind: Checkout['kind'], companyRef: string | null) =>
  checkoutStarted({
    attemptId: attempt,
    kind,
    userId: mary,
    lines: [tuesdayMeal],
    total: 4550,
    companyRef,
    bodyHash: 'hash-1',
    at,
  })

test('a checkout to be paid for outside of the card provider is known by its reference', () =>
  view
    .given(started('alternative', 'LP-7K3QW9'))
    .thenRows([{ attempt_id: attempt, reference: 'LP-7K3QW9', user_id: mary, total: 4550, started_at: at }]))

test('others are not', () => {
  view.given(started('card', 'LP-7K3QW9ZD2M')).thenRows([])
  view.given(started('free', null)).thenRows([])
})
