import { Refusal } from '#kernel/refusal'
import { payoutApproved, payoutAsked, payoutAskWithdrawn, refundDue } from '#modules/refunds/refund'
import { approveAsked, withdrawAsked } from '#modules/refunds/refunds.routes'
import { approvalDecider, refundDecider } from '#modules/refunds/refund.decide'
import { dailyPayoutTotal, dailyPayouts } from '#modules/credit/payouts'
import { payBackMany } from '#modules/refunds/refund.commands'
import { loadStream } from '#platform/event-store/command-handler'
import { after, mary, monday7 } from '../ordering/lunches'
import { silentLog } from '../support/start-postgres'
import { specificationOf } from '../support/given-when-then'
import { by, refundOffice } from './refund-office'
import { bursar, due, orderRefund, owedForNshima, paidBack, payoutId, withdrawn } from './refund-words'
import { standIn } from '../support/stand-ins'

const head = 6
const now = after(monday7, 30)
const at = now.toISOString()
const waits = { amount: 4550, method: 'cash', reference: null, note: null, by: bursar } as const
const asked = payoutAsked({ ...waits, refundId: orderRefund, askId: payoutId(1), toCard: false, at })
const judged = { refundId: orderRefund, askId: payoutId(1), at }
const approved = payoutApproved({ ...judged, by: head })
const askWithdrawn = payoutAskWithdrawn({ ...judged, by: bursar })

const approval = specificationOf(approvalDecider)
const refund = specificationOf(refundDecider)
const approve = (who: number, seenAt: string | null = at) =>
  ({ kind: 'approve', by: who, seenAt, now }) as const
const withdraw = (who: number) => ({ kind: 'withdraw-ask', by: who, now }) as const
const payBack = (number: number, more: { amount?: number; method?: 'cash' | 'bank' | 'credit' } = {}) =>
  ({
    kind: 'pay-back',
    payout: { ...waits, amount: null, payoutId: payoutId(number), ...more },
    now,
  }) as const

describe('what one administrator may not let go', () => {
  test('is asked for with all that is to be paid', () =>
    approval
      .given(due)
      .when({ kind: 'ask', payout: { ...waits, payoutId: payoutId(1) }, toCard: false, now })
      .then(asked))
  test('goes back once another approves it', () =>
    approval
      .given(due, asked)
      .when(approve(head))
      .then(approved, paidBack(1, 4550, 0)))
  test('is never approved by whoever asked', () =>
    approval.given(due, asked).when(approve(bursar)).refused('approval_own'))
  test('approved by one it is not approved by another, and again by the same changes nothing', () => {
    const done = [due, asked, approved, paidBack(1, 4550, 0)] as const
    approval
      .given(...done)
      .when(approve(head))
      .nothingHappens()
    approval
      .given(...done)
      .when(approve(7))
      .refused('refund_paid_back')
  })
  test('is approved as it was shown', () =>
    approval.given(due, asked).when(approve(head, monday7.toISOString())).refused('approval_changed'))
  test('goes to the card once the provider is asked', () => {
    const toCard = payoutAsked({ ...asked.data, toCard: true })
    approval.given(due, toCard).when(approve(head)).then(approved)
  })
  test('waits while nobody asked for anything else', () => {
    refund.given(due, asked).when(payBack(1)).nothingHappens()
    refund
      .given(due, asked)
      .when(payBack(1, { method: 'bank' }))
      .refused('idempotency_key_reused')
    refund
      .given(due, asked)
      .when(payBack(2, { amount: 5 }))
      .refused('approval')
  })
  test('is withdrawn by whoever asked or by another, once, and asked for again only as something new', () => {
    approval.given(due, asked).when(withdraw(bursar)).then(askWithdrawn)
    approval
      .given(due, asked)
      .when(withdraw(head))
      .then(payoutAskWithdrawn({ ...judged, by: head }))
    approval.given(due, asked, askWithdrawn).when(withdraw(bursar)).nothingHappens()
    approval.given(due, asked, askWithdrawn).when(approve(head)).refused('no_approval')
    refund.given(due, asked, askWithdrawn).when(payBack(1)).refused('approval_withdrawn')
    refund
      .given(due, asked, askWithdrawn)
      .when(payBack(2))
      .then(paidBack(2, 4550, 0))
  })
  test('is no more once nothing is owed, or something else', () => {
    const again = refundDue({ ...owedForNshima, amount: 2275, at })
    approval.given(due, asked, withdrawn).when(approve(head)).refused('refund_withdrawn')
    approval.given(due, asked, withdrawn).when(withdraw(bursar)).refused('refund_withdrawn')
    approval.given(due, asked, withdrawn, again).when(approve(head)).refused('no_approval')
  })
  test('becomes credit all the same, and is paid back then', () => {
    const asCredit = paidBack(3, 4550, 0, { method: 'credit' })
    refund
      .given(due, asked)
      .when(payBack(3, { method: 'credit' }))
      .then(asCredit)
    approval.given(due, asked, asCredit).when(approve(head)).refused('refund_paid_back')
    approval.given(due, asked, asCredit).when(withdraw(head)).refused('refund_paid_back')
  })
  test('without a question there is nothing to say', () => {
    approval.given().when(approve(head)).refused('refund_not_found')
    approval.given(due).when(approve(head)).refused('no_approval')
    approval.given(due).when(withdraw(head)).refused('no_approval')
  })
})

const [first, second, third] = ['118.2026-09-15.1', '118.2026-09-15.2', '118.2026-09-15.3']
const refusedWith = (code: string) => expect.objectContaining({ constructor: Refusal, code })

/** Mary is owed K45.50 for each of these orders; more than this leaves her account only with a second administrator. */
const owing = async (above: number, orders = [first, second, third]) => {
  const office = refundOffice()
  office.limit.above = above
  for (const [index, id] of orders.entries()) {
    await office.place(index)
    await office.change(id, 'cancelled')
    await office.settle(id)
  }
  const holding = new Set([bursar, head])
  const identity = {
    holdsFeature: async (userId: number) => holding.has(userId),
    tiedTo: async () => new Set<number>(),
    usernamesOf: async () => new Map(),
    peopleOf: async () => new Map(),
  }
  const noCards = { cards: null, cardRefundsOn: async () => false, wentBackOf: async () => 0 }
  const payments = { ...office.refunds.payments, cardPayments: async () => new Map() }
  const needs = { ...office.refunds, ...noCards, payments, identity, log: silentLog }
  return {
    ...office,
    holding,
    approve: (refundId: string, administrator = head) =>
      approveAsked(standIn(needs))({ refundId, administrator, seenAt: null, by }),
    withdraw: (refundId: string) => withdrawAsked(standIn(needs))({ refundId, administrator: bursar, by }),
    outflowOn: async (date: string) =>
      dailyPayoutTotal(
        (await loadStream(needs.eventStore, dailyPayouts, { userId: mary, date })).state,
        'payout',
      ),
    waits: async (id: string) => {
      const state = await office.refund(id)
      return 'asks' in state && state.asks.waiting !== null
    },
  }
}

describe('the sum of a family and a day', () => {
  test('goes up to the limit alone, and waits from there on', async () => {
    const office = await owing(9100)
    await office.payBack(first)
    await office.payBack(second, { amount: 4500 })
    expect(await office.payBack(second, { amount: 50 })).toMatchObject({ status: 'paid_back' })
    expect(await office.payBack(third, { amount: 1 })).toMatchObject({ status: 'due', payouts: [] })
    expect(await office.waits(third)).toBe(true)
    expect(await office.outflowOn('2026-09-14')).toBe(9100)
    expect(await office.orderOf(third)).toMatchObject({ status: 'cancelled' })
  })

  test('begins anew with the day of the school', async () => {
    const office = await owing(4550)
    office.clock.now = new Date('2026-09-14T21:59:00.000Z')
    await office.payBack(first)
    office.clock.now = new Date('2026-09-14T22:00:00.000Z')
    expect(await office.payBack(second)).toMatchObject({ status: 'paid_back' })
    await office.payBack(third)
    expect(await office.waits(third)).toBe(true)
  })

  test('of two requests at once only one slips below the limit', async () => {
    const office = await owing(5000)
    await Promise.all([first, second, third].map((id) => office.payBack(id)))
    const waiting = await Promise.all([first, second, third].map(office.waits))
    expect(waiting.filter(Boolean)).toHaveLength(2)
    expect(await office.outflowOn('2026-09-14')).toBe(4550)
  })

  test('the same request sent twice counts once, and waits once', async () => {
    const office = await owing(4550)
    await Promise.all([office.payBack(first, {}, 'key'), office.payBack(first, {}, 'key')])
    expect(await office.outflowOn('2026-09-14')).toBe(4550)
    await Promise.all([office.payBack(second, {}, 'key'), office.payBack(second, {}, 'key')])
    expect(await office.waits(second)).toBe(true)
  })

  test('what becomes credit leaves no account', async () => {
    const office = await owing(0)
    await office.turnIntoCredit(first)
    expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
    expect(await office.outflowOn('2026-09-14')).toBe(0)
  })

  test('without a limit it is counted all the same, so that one set at noon knows the morning', async () => {
    const office = await owing(0)
    office.limit.above = null
    await office.payBack(first)
    office.limit.above = 4600
    await office.payBack(second)
    expect(await office.waits(second)).toBe(true)
  })

  test('many at once are paid back up to it, and the rest is asked for', async () => {
    const office = await owing(9100)
    const payout = { method: 'cash' as const, reference: null, note: null, by: bursar }
    const many = { refundIds: [first, second, third], payout, idempotencyKey: null, by }
    const done = await payBackMany(standIn(office.refunds))(many)
    expect(done).toMatchObject({
      completed: 2,
      amount: 9100,
      skipped: [{ code: 'approval', message: 'This waits for the approval of another administrator' }],
    })
    expect(await office.waits(done.skipped[0]!.id)).toBe(true)
  })
})

/** Mary's first refund waits for approval. */
const waiting = async () => {
  const office = await owing(0, [first])
  await office.payBack(first, { method: 'bank', reference: 'FNB 7' })
  return office
}

describe('an approval', () => {
  test('pays back what was asked for, closes the order and counts for the day', async () => {
    const office = await waiting()
    expect(await office.approve(first)).toMatchObject({
      status: 'paid_back',
      payouts: [{ amount: 4550, method: 'bank', reference: 'FNB 7', by: bursar }],
    })
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
    expect(await office.outflowOn('2026-09-14')).toBe(4550)
    await expect(office.approve(first, 7)).rejects.toEqual(refusedWith('refund_paid_back'))
  })

  test('by two at once pays back once', async () => {
    const office = await waiting()
    const answers = await Promise.allSettled([office.approve(first, head), office.approve(first, 7)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await office.refund(first)).toMatchObject({ payouts: [{ amount: 4550 }] })
    expect(await office.outflowOn('2026-09-14')).toBe(4550)
  })

  test('of what was asked by somebody who is no administrator any more is refused', async () => {
    const office = await waiting()
    office.holding.delete(bursar)
    await expect(office.approve(first)).rejects.toEqual(refusedWith('approval_asker_gone'))
    await office.withdraw(first)
    expect(await office.waits(first)).toBe(false)
  })

  test('of an order that is cooked after all is refused, before and after its refund knows', async () => {
    const office = await waiting()
    await office.change(first, 'pending')
    await expect(office.approve(first)).rejects.toBeInstanceOf(Refusal)
    expect(await office.refund(first)).toMatchObject({ payouts: [] })
    await office.settle(first)
    await expect(office.approve(first)).rejects.toEqual(refusedWith('refund_withdrawn'))
    expect(await office.outflowOn('2026-09-14')).toBe(0)
  })
})
