import { ledgerOf } from '#modules/payments/attempt/payment-attempt'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { after, cycle, monday7, nshima } from '../ordering/lunches'
import { declined, unreachable } from './machine/bank'
import { maryAttempt, nshimaOn, paidTill, till } from './till'

const attemptOf = `paymentAttempt-${maryAttempt}`

describe('edge rules of payments.md section 8', () => {
  test('1 an item that was withdrawn meanwhile is honoured at its price', async () => {
    const school = await paidTill(2)
    school.school.items = [{ ...nshima, price: 9900, isAvailable: false, isArchived: true }]
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('fulfilled')
    expect(ledgerOf(attempt)).toMatchObject({ received: 4550, ordered: 4550 })
  })
  test('1 an item that is gone blocks its line', async () => {
    const school = await paidTill(2)
    school.school.items = []
    expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'missing_item' }])
  })
  test('2 a blocked day blocks its line, the others are ordered', async () => {
    const school = await paidTill(2, 3)
    school.school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 2 }] }
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('blocked')
    expect(attempt.outcomes).toEqual([
      { kind: 'blocked', reason: 'day_blocked' },
      { kind: 'ordered', orderId: '118.2026-09-16.1' },
    ])
  })
  test('2 a deactivated cycle blocks all lines', async () => {
    const school = await paidTill(2, 3)
    school.school.cycle = null
    const { attempt } = await school.settle()
    expect(attempt.outcomes.map((outcome) => outcome.kind === 'blocked' && outcome.reason)).toEqual([
      'cycle_inactive',
      'cycle_inactive',
    ])
  })
  test.each([
    [75, 'fulfilled'],
    [75 + 1 / 60_000, 'blocked'],
  ])('3 verified %d minutes after seven, with the cutoff at eight: %s', async (minutes, status) => {
    const school = till()
    school.clock.now = after(monday7, 59)
    await school.pay([nshimaOn(1)])
    school.provider.paid('TOKEN-1')
    school.clock.now = after(monday7, 0, minutes * 60_000)
    expect((await school.settle()).attempt.status).toBe(status)
  })
  test('3 in time is in time although the orders are made later', async () => {
    const school = till()
    await school.pay([nshimaOn(1)])
    school.provider.paid('TOKEN-1')
    school.school.isBroken = true
    await school.settle()
    expect((await school.attempt(maryAttempt)).status).toBe('paid')
    const later = till(undefined, school.store)
    later.clock.now = after(monday7, 120)
    expect((await later.fulfil()).attempt.status).toBe('fulfilled')
  })
  test('4 two parents and one child-day: the first order wins, the other money is blocked', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.clock.now = after(monday7, 46)
    await school.pay([nshimaOn(2)], { userId: 22, idempotencyKey: 'father' })
    school.provider.paid('TOKEN-1')
    school.provider.paid('TOKEN-2')
    const father = attemptIdFor(22, 'father')
    expect((await school.settle(father)).attempt.status).toBe('fulfilled')
    expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'duplicate_day' }])
  })
  test('5 the browser never returns: the sweep settles', async () => {
    const school = await paidTill(2)
    expect((await school.settle(maryAttempt, 'sweep')).attempt.status).toBe('fulfilled')
  })
  test('6 an unreachable provider changes nothing', async () => {
    const school = await paidTill(2)
    school.provider.answers('TOKEN-1', unreachable)
    expect((await school.settle()).attempt.status).toBe('processing')
    expect((await school.slot(2)).status).toBe('reserved')
  })
  test.each([
    ['amount', { transaction: { amount: 4549, currency: 'ZMW' } }],
    ['currency', { transaction: { amount: 4550, currency: 'USD' } }],
    ['reference', { reference: 'LP-SOMEBODY' }],
    ['absent amount', { transaction: { amount: null, currency: 'ZMW' } }],
    ['absent reference', { reference: null }],
  ])('7 a differing or absent %s is for a person to look at', async (_name, change) => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1', change)
    expect((await school.settle()).attempt.status).toBe('review')
    expect((await school.slot(2)).status).toBe('reserved')
    expect((await school.accept()).attempt.status).toBe('fulfilled')
  })
  test('7 a markup fee on top is no difference', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1', { transaction: { amount: 4650, currency: 'ZMW' }, markupFee: 100 })
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('fulfilled')
    expect(ledgerOf(attempt)).toMatchObject({ received: 4550, fee: 100 })
  })
  test('8 a push before the redirect settles, the redirect finds it done', async () => {
    const school = await paidTill(2)
    await school.settle(maryAttempt, 'push')
    expect((await school.settle(maryAttempt, 'return')).attempt.status).toBe('fulfilled')
    expect((await school.told(attemptOf)).filter((name) => name === 'orders-created')).toHaveLength(1)
  })
  test('9 verified many times at once: one verdict, one set of orders', async () => {
    const school = await paidTill(2, 3)
    const settled = await Promise.all(Array.from({ length: 20 }, () => school.settle()))
    expect(new Set(settled.map(({ attempt }) => attempt.status))).toEqual(new Set(['fulfilled']))
    const told = await school.told(attemptOf)
    for (const once of ['payment-verified', 'orders-created'])
      expect(told.filter((name) => name === once)).toHaveLength(1)
  })
  test('10 a crash between paid and orders: another process makes the orders', async () => {
    const school = await paidTill(2)
    school.school.isBroken = true
    expect((await school.settle()).attempt.status).toBe('paid')
    const restarted = till(undefined, school.store)
    expect((await restarted.fulfil()).attempt.status).toBe('fulfilled')
  })
  test('11 abandoned, then paid', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.settle(maryAttempt, 'sweep')
    expect((await school.abandon()).attempt.status).toBe('abandoned')
    expect((await school.slot(2)).status).toBe('free')
    school.provider.paid('TOKEN-1')
    expect((await school.settle(maryAttempt, 'sweep')).attempt).toMatchObject({
      status: 'fulfilled',
      hadProblem: true,
    })
  })
  test('12 declined, then paid with another card on the same page', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', declined)
    expect((await school.settle()).attempt.status).toBe('declined')
    school.provider.paid('TOKEN-1')
    expect((await school.settle(maryAttempt, 'sweep')).attempt.status).toBe('fulfilled')
  })
  test('13 a forged return is a reason to ask and nothing else', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.advise('verified')
    expect((await school.attempt(maryAttempt)).status).toBe('processing')
    expect((await school.slot(2)).status).toBe('reserved')
  })
  test('14 a student who is gone blocks the line', async () => {
    const school = await paidTill(2)
    school.school.students = []
    expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'unknown_student' }])
  })
  test.each([9900, 100])('15 the price changed to %d in earlier: the snapshot wins', async (price) => {
    const school = await paidTill(2)
    school.school.items = [{ ...nshima, price }]
    const { attempt } = await school.settle()
    expect(ledgerOf(attempt)).toMatchObject({ received: 4550, ordered: 4550, held: 0, shortfall: 0 })
  })
  test('16 the hour to cancel begins when the order is made, also when that was late', async () => {
    const school = await paidTill(2)
    school.clock.now = after(monday7, 24 * 60 - 30)
    expect((await school.settle()).attempt).toMatchObject({ status: 'fulfilled' })
    expect(await school.slot(2)).toMatchObject({ order: { placed_at: school.clock.now.toISOString() } })
  })
  test('18 wrong credentials leave every attempt as it is', async () => {
    const school = await paidTill(2)
    school.provider.answers('TOKEN-1', { kind: 'config', code: '802', explanation: 'Unknown company token' })
    expect((await school.settle()).attempt.status).toBe('processing')
    expect((await school.slot(2)).status).toBe('reserved')
  })
  test('19 the bypass stops new payments only', async () => {
    const school = await paidTill(2)
    school.school.isBypassed = true
    expect((await school.settle()).attempt.status).toBe('fulfilled')
  })
})
