import { cardRefundDecider } from '#modules/refunds/card-refund.decide'
import { refundDecider } from '#modules/refunds/refund.decide'
import { specificationOf } from '../support/given-when-then'
import {
  askedAt,
  day,
  find,
  foundFailed,
  listed,
  look,
  states,
  toBeChecked,
  unanswered,
  underWay,
  wentToCard,
} from './card-refund-words'
import { bursar, due, owedForNshima, paidBack, payoutId, withdrawn } from './refund-words'

const refund = specificationOf(cardRefundDecider)
const office = specificationOf(refundDecider)

describe('what stays unclear', () => {
  test.each(['requested', 'unclear', 'accepted'] as const)('for a day is for a person, when %s', (name) => {
    for (const refunds of [[], null]) {
      refund
        .given(...states[name])
        .when(look(1, refunds, day + 29))
        .nothingHappens()
      refund
        .given(...states[name])
        .when(look(1, refunds, day + 31))
        .then(toBeChecked(1, day + 31))
    }
  })
  test('with somebody at the provider, for a week', () => {
    refund
      .given(...states.pending)
      .when(look(1, [listed('pending')], 7 * day))
      .nothingHappens()
    refund
      .given(...states.pending)
      .when(look(1, [listed('pending')], 7 * day + 31))
      .then(toBeChecked(1, 7 * day + 31))
  })
  test('ends by the word of a person alone', () => {
    const note = 'Seen in the portal'
    refund
      .given(...states.check)
      .when(find('done'))
      .then(wentToCard(1, 3 * day, { note }))
    refund
      .given(...states.check)
      .when(find('failed'))
      .then(foundFailed(1, 3 * day, note))
    refund
      .given(...states.done)
      .when(find('done'))
      .nothingHappens()
    refund
      .given(...states['found failed'])
      .when(find('failed'))
      .nothingHappens()
  })
  test.each([...unanswered, 'failed', 'done'] as const)(
    'is what a person is asked about, not one that is %s',
    (name) =>
      refund
        .given(...states[name])
        .when(find(name === 'failed' ? 'done' : 'failed'))
        .refused('refund_not_to_be_checked'),
  )
  test('of no refund is nothing to be said about', () => {
    refund.given().when(find('done')).refused('refund_not_found')
    refund.given(due).when(find('done')).refused('refund_not_to_be_checked')
    refund.given(due, withdrawn).when(find('done')).refused('refund_not_to_be_checked')
  })
})

describe('while the provider has it', () => {
  const cash = {
    payoutId: payoutId(1),
    amount: null,
    method: 'cash',
    reference: null,
    note: null,
    by: bursar,
  } as const
  const payBack = { kind: 'pay-back', payout: cash, now: askedAt } as const
  test.each(underWay)('no other way pays it back, when %s', (name) => {
    office
      .given(...states[name])
      .when(payBack)
      .refused('refund_pending')
    office
      .given(...states[name])
      .when({ ...payBack, payout: { ...cash, method: 'credit' } })
      .refused('refund_pending')
  })
  test.each(['failed', 'found failed'] as const)('every way is open again when it is %s', (name) =>
    office
      .given(...states[name])
      .when(payBack)
      .then(paidBack(1, 4550, 0)),
  )
  test.each(underWay)('what is owed is neither withdrawn nor corrected, when %s', (name) => {
    office
      .given(...states[name])
      .when({ kind: 'withdraw', now: askedAt })
      .nothingHappens()
    office
      .given(...states[name])
      .when({ kind: 'open', due: { ...owedForNshima, amount: 2275 }, now: askedAt })
      .nothingHappens()
  })
})
