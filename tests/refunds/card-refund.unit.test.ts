import { cardRefundDecider } from '#modules/refunds/card-refund.decide'
import type { RefundEvent } from '#modules/refunds/refund'
import { fold, specificationOf } from '../support/given-when-then'
import {
  answer,
  answered,
  ask,
  day,
  declined,
  listed,
  look,
  over,
  requested,
  states,
  unanswered,
  underWay,
  wentToCard,
} from './card-refund-words'
import { due, paidBack, withdrawn } from './refund-words'

const refund = specificationOf(cardRefundDecider)

const stateOf = (...events: RefundEvent[]) => {
  const folded = fold(cardRefundDecider, events)
  return 'card' in folded ? (folded.card?.state ?? null) : null
}

test.each([
  ['requested', 'requested'],
  ['unclear', 'requested'],
  ['accepted', 'pending'],
  ['pending', 'pending'],
  ['check', 'check'],
  ['failed', 'failed'],
  ['found failed', 'failed'],
  ['done', 'done'],
] as const)('a request that is %s shows as %s', (name, shown) => expect(stateOf(...states[name])).toBe(shown))

describe('money is asked back to the card', () => {
  test('all that is owed, with what the provider listed before', () => {
    refund.given(due).when(ask(1)).then(requested(1))
    refund
      .given(due, paidBack(1, 1000, 3550))
      .when(ask(1, { before: null }))
      .then(requested(1, { amount: 3550, before: null }))
  })
  test('only where it is owed', () => {
    refund.given().when(ask(1)).refused('refund_not_found')
    refund.given(due, withdrawn).when(ask(1)).refused('refund_withdrawn')
    refund
      .given(due, paidBack(1, 4550, 0))
      .when(ask(1))
      .refused('refund_paid_back')
  })
  test('never more than is left of the payment', () =>
    refund
      .given(due)
      .when(ask(1, { left: 4549 }))
      .refused('refund_exceeds_received'))
  test.each(underWay)('not again while a request is %s, and the same one is no second', (name) => {
    refund
      .given(...states[name])
      .when(ask(2))
      .refused('refund_pending')
    refund
      .given(...states[name])
      .when(ask(1))
      .nothingHappens()
  })
  test('again, as another request, once it failed', () => {
    refund
      .given(...states.failed)
      .when(ask(1))
      .nothingHappens()
    refund
      .given(...states.failed)
      .when(ask(2))
      .then(requested(2))
    refund
      .given(...states['found failed'])
      .when(ask(2))
      .then(requested(2))
    refund
      .given(...states.failed, requested(2), answered(2, 'refused'))
      .when(ask(1))
      .nothingHappens()
  })
  test('never again once it is done', () => {
    refund
      .given(...states.done)
      .when(ask(1))
      .nothingHappens()
    refund
      .given(...states.done)
      .when(ask(2))
      .refused('refund_paid_back')
  })
})

describe('every answer to the request', () => {
  test.each(['accepted', 'refused', 'unclear'] as const)('%s stands in the history', (what) =>
    refund.given(due, requested(1)).when(answer(1, what)).then(answered(1, what)),
  )
  test.each([...underWay.filter((name) => name !== 'requested'), ...over])(
    'changes nothing any more when the request is %s',
    (name) => {
      for (const what of ['accepted', 'refused', 'unclear'] as const)
        refund
          .given(...states[name])
          .when(answer(1, what))
          .nothingHappens()
    },
  )
  test('of another request changes nothing', () =>
    refund.given(due, requested(1)).when(answer(2, 'refused')).nothingHappens())
})

describe('what the provider lists afterwards', () => {
  test.each(unanswered)('done: it went back once, when %s', (name) => {
    const events = states[name]
    refund
      .given(...events)
      .when(look(1, [listed('done')]))
      .then(wentToCard(1))
    refund
      .given(...events, wentToCard(1))
      .when(look(1, [listed('done')]))
      .nothingHappens()
  })
  test.each(unanswered)('declined: nothing went back, when %s', (name) =>
    refund
      .given(...states[name])
      .when(look(1, [listed('declined')]))
      .then(declined(1)),
  )
  test.each(['requested', 'unclear', 'accepted'] as const)('pending: it waits, when %s', (name) =>
    refund
      .given(...states[name])
      .when(look(1, [listed('pending')]))
      .then(answered(1, 'pending')),
  )
  test('pending twice is said once', () =>
    refund
      .given(...states.pending)
      .when(look(1, [listed('pending')]))
      .nothingHappens())
  test.each(unanswered)('nothing, or no answer: nobody knows, when %s', (name) => {
    for (const refunds of [[], null, [listed('done', 100)], [listed('done', null)]])
      refund
        .given(...states[name])
        .when(look(1, refunds))
        .nothingHappens()
  })
  test('what stood there before the request is not the request', () => {
    const before = { done: 1, declined: 1 }
    const old = [listed('done'), listed('declined')]
    const events = [due, requested(1, { before })]
    refund
      .given(...events)
      .when(look(1, old))
      .nothingHappens()
    refund
      .given(...events)
      .when(look(1, [...old, listed('done')]))
      .then(wentToCard(1))
    refund
      .given(...events)
      .when(look(1, [...old, listed('declined')]))
      .then(declined(1))
  })
  test('where the provider could not tell what stood there before, its list decides nothing', () =>
    refund
      .given(due, requested(1, { before: null }))
      .when(look(1, [listed('done')]))
      .nothingHappens())
  test.each([...over, 'check'] as const)('changes nothing when the request is %s', (name) => {
    for (const status of ['done', 'declined', 'pending'] as const)
      refund
        .given(...states[name])
        .when(look(1, [listed(status)], 9 * day))
        .nothingHappens()
  })
})
