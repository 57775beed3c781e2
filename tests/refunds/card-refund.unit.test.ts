import { cardRefundDecider } from '#modules/refunds/card-refund.decide'
import type { RefundEvent } from '#modules/refunds/refund'
import { refundDecider } from '#modules/refunds/refund.decide'
import { fold, specificationOf } from '../support/given-when-then'
import { cardRefundBank } from './card-refund-bank'
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
  askedAt,
  find,
  foundFailed,
  toBeChecked,
  due,
  paidBack,
  withdrawn,
  bursar,
  owedForNshima,
  payoutId,
  orderRefund as first,
} from './refund-words'

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

const refused = (code: string) => expect.objectContaining({ code })

const owing = async () => {
  const bank = cardRefundBank()
  await bank.owe(first)
  return bank
}

describe('above what one administrator may let go', () => {
  test('the provider is asked once another has approved it, and once', async () => {
    const bank = await owing()
    bank.school.approvalAbove = 4000
    expect(await bank.ask(first)).toBeNull()
    expect(await bank.ask(first)).toBeNull()
    await expect(bank.ask(first, 2)).rejects.toEqual(refused('approval'))
    await expect(bank.inCash(first)).rejects.toEqual(refused('approval'))
    expect(bank.provider.asked).toEqual([])
    await expect(bank.approve(first, bursar)).rejects.toEqual(refused('approval_own'))
    const answers = await Promise.allSettled([bank.approve(first, 6), bank.approve(first, 7)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(bank.provider.asked).toHaveLength(1)
    expect(await bank.refund(first)).toMatchObject({ status: 'paid_back', payouts: [{ method: 'card' }] })
  })

  test('the provider is not asked where one person may have both accounts', async () => {
    const bank = await owing()
    bank.school.approvalAbove = 4000
    bank.school.tied.add(bursar)
    await bank.ask(first)
    await expect(bank.approve(first, 6)).rejects.toEqual(refused('approval_own'))
    expect(bank.provider.asked).toEqual([])
  })

  test('what failed and is paid in another way counts once for the day', async () => {
    const bank = await owing()
    bank.school.approvalAbove = 4550
    Object.assign(bank.provider, {
      carryOut: null,
      answer: { kind: 'refused', code: '999', explanation: 'Refund failed' },
    })
    expect(await bank.ask(first)).toMatchObject({ state: 'failed' })
    expect(await bank.inCash(first)).toMatchObject({ status: 'paid_back' })
  })
})
