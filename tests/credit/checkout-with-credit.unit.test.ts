import { moneyOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { mary, nshima, after, monday7 } from '../ordering/lunches'
import { declined } from '../payments/machine/bank'
import { freeNshima, maryAttempt, nshimaOn, till, oneByOne } from '../payments/till'
import { refundOffice } from '../refunds/refund-office'

const useCredit = true

const codeOf = async (doing: Promise<unknown>) => {
  const outcome = await doing.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return outcome.code
}

const withGift = async (amount: number, appendTo?: Parameters<typeof till>[0]) => {
  const school = till(appendTo)
  await school.gift(amount)
  return school
}

describe('by card', () => {
  test('credit pays line by line in cart order, the card the rest', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    const { checkout } = await school.attempt(maryAttempt)
    expect(checkout.lines.map(({ price, credit }) => [price, credit])).toEqual([
      [4550, 4550],
      [4550, 1450],
    ])
    expect(checkout.total).toBe(9100)
    expect(school.provider.accounts.get('TOKEN-1')!.request.amount).toBe(3100)
    expect(await school.credit()).toEqual([0, 6000])
  })

  test('without being asked, or without any, it is not used', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2)])
    expect(await school.credit()).toEqual([6000, 0])
    const poor = till()
    await poor.pay([nshimaOn(2)], { useCredit })
    expect(poor.provider.accounts.get('TOKEN-1')!.request.amount).toBe(4550)
  })

  test('where it covers all, there is nothing to pay by card, and nothing is held', async () => {
    const school = await withGift(4550)
    expect(await codeOf(school.pay([nshimaOn(2)], { useCredit }))).toBe('credit_covers')
    expect(await school.credit()).toEqual([4550, 0])
  })

  test('it is spent once the meals are ordered', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('fulfilled')
    expect(attempt.money?.amount).toBe(3100)
    expect(await school.credit()).toEqual([0, 0])
    expect(await school.told(`familyCredit-${mary}`)).toEqual(['credit-given', 'credit-held', 'credit-spent'])
  })

  test('it is free again when the payment ends without money, and a later card takes it again', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    expect(await school.credit()).toEqual([6000, 0])
    school.provider.accounts.get('TOKEN-1')!.says = null
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('fulfilled')
    expect(await school.credit()).toEqual([0, 0])
  })

  test('late money takes what is left, and lines that lack their credit are owed', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    // Of K60.00 K45.50 go on another meal: what is left suffices for the second line alone.
    await school.place([nshimaOn(4)], 'key-2', mary, useCredit)
    expect(await school.credit()).toEqual([1450, 0])
    school.provider.accounts.get('TOKEN-1')!.says = null
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(attempt.outcomes).toMatchObject([
      { kind: 'waived', owed: 0, reason: 'credit_gone' },
      { kind: 'ordered' },
    ])
    expect(attempt.status).toBe('fulfilled')
    expect(await school.credit()).toEqual([0, 0])
  })

  test('money that came for a line without its credit is owed back at once', async () => {
    const school = await withGift(1450)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    await school.pay([nshimaOn(4)], { useCredit, idempotencyKey: 'key-2' })
    school.provider.accounts.get('TOKEN-1')!.says = null
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('refund_due')
    expect(attempt.outcomes).toMatchObject([
      { kind: 'waived', owed: 3100, reason: 'credit_gone' },
      { kind: 'ordered' },
    ])
    expect(await school.told(`paymentAttempt-${maryAttempt}`)).toEqual(
      expect.arrayContaining(['lines-blocked', 'remainder-waived']),
    )
  })

  test('the same meals again: what the earlier checkout held is counted', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    await school.pay([nshimaOn(2), nshimaOn(3), nshimaOn(4)], { useCredit, idempotencyKey: 'key-2' })
    const { checkout } = await school.attempt(attemptIdFor(mary, 'key-2'))
    expect(checkout.lines.map(({ credit }) => credit)).toEqual([4550, 1450, undefined])
    expect(await school.credit()).toEqual([0, 6000])
  })

  test('the amount stays the total of the cart, and is part of what the key is compared with', async () => {
    const school = await withGift(1000)
    const lines = [nshimaOn(2)]
    expect(await codeOf(school.pay(lines, { useCredit, amount: 35.5 }))).toBe('amount_mismatch')
    await school.pay(lines, { useCredit })
    await school.pay(lines, { useCredit })
    expect(await codeOf(school.pay(lines))).toBe('idempotency_key_reused')
    expect(await codeOf(school.pay(lines, { useCredit, amount: 45.51 }))).toBe('idempotency_key_reused')
    expect(school.provider.accounts.size).toBe(1)
  })

  test('a meal whose day is blocked keeps its credit until it is given up', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    school.provider.paid('TOKEN-1')
    school.school.cycle = { ...school.school.cycle!, blockedDays: [{ week: 1, day: 3 }] }
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('blocked')
    expect(await school.credit()).toEqual([0, 1450])
    const waived = await school.waive()
    expect(waived.attempt.outcomes[1]).toMatchObject({ kind: 'waived', owed: 3100 })
    expect(await school.credit()).toEqual([1450, 0])
  })

  test('a retry of a blocked meal spends what it holds', async () => {
    const school = await withGift(6000)
    await school.pay([nshimaOn(2), nshimaOn(3)], { useCredit })
    school.provider.paid('TOKEN-1')
    const { cycle } = school.school
    school.school.cycle = { ...cycle!, blockedDays: [{ week: 1, day: 3 }] }
    await school.settle()
    school.school.cycle = cycle
    expect((await school.retry()).attempt.status).toBe('fulfilled')
    expect(await school.credit()).toEqual([0, 0])
  })

  test('a draft without a token gives it back', async () => {
    const school = await withGift(1000)
    school.provider.mood.creates = 'badly'
    await expect(school.pay([nshimaOn(2)], { useCredit })).rejects.toThrow()
    expect(await school.credit()).toEqual([1000, 0])
  })
})

describe('without a card', () => {
  test('what credit covers is ordered and paid', async () => {
    const school = await withGift(9100)
    const orders = await school.place([nshimaOn(2), nshimaOn(3)], 'key-1', mary, useCredit)
    expect(orders.map(({ paymentStatus }) => paymentStatus)).toEqual(['confirmed', 'confirmed'])
    await school.place([nshimaOn(2), nshimaOn(3)], 'key-1', mary, useCredit)
    expect(await school.credit()).toEqual([0, 0])
    expect(await codeOf(school.place([nshimaOn(2), nshimaOn(3)], 'key-1', mary))).toBe(
      'idempotency_key_reused',
    )
  })

  test('what it does not cover has to be paid for', async () => {
    const school = await withGift(4549)
    expect(await codeOf(school.place([nshimaOn(2)], 'key-1', mary, useCredit))).toBe('payment_required')
    expect(await codeOf(school.place([nshimaOn(2)], 'key-2', mary))).toBe('payment_required')
    expect(await school.credit()).toEqual([4549, 0])
  })

  test('outside of the card: what it covers is paid, the rest waits for payment', async () => {
    const school = await withGift(6000)
    Object.assign(school.school, { hasAlternative: true })
    const orders = await school.place([nshimaOn(2), nshimaOn(3)], 'key-1', mary, useCredit)
    expect(orders.map(({ paymentStatus }) => paymentStatus)).toEqual(['confirmed', 'pending'])
    const { checkout } = await school.attempt(attemptIdFor(mary, 'key-1'))
    expect(checkout.kind).toBe('alternative')
    expect(checkout.lines.map(moneyOf)).toEqual([0, 3100])
    expect(await school.credit()).toEqual([0, 0])
  })

  test('a free cart uses none', async () => {
    const school = await withGift(1000)
    school.school.items = [{ ...nshima, price: 0 }]
    await school.place([freeNshima(2)], 'key-1', mary, useCredit)
    expect(await school.credit()).toEqual([1000, 0])
  })
})

test('50 checkouts at once never make it negative, and each ordered meal has its credit', async () => {
  const school = await withGift(3 * 4550)
  const carts = Array.from({ length: 50 }, (_one, index) =>
    school.place(
      [nshimaOn(1 + (index % 5), { weekNumber: 1 + (index % 4) })],
      `key-${index}`,
      mary,
      useCredit,
    ),
  )
  const settled = await Promise.allSettled(carts)
  const orders = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const [balance, held] = await school.credit()
  expect(balance).toBeGreaterThanOrEqual(0)
  expect(held).toBe(0)
  expect(orders.length * 4550 + balance!).toBe(3 * 4550)
  expect(orders.length).toBeGreaterThan(0)
})

describe('crashes between two appends', () => {
  test.each([1, 2, 3, 4, 5])('a free checkout cut off at append %i is ended by the sweep', async (step) => {
    const store = memoryEventStore()
    const dying = till(
      oneByOne((at) => at === step),
      store,
    )
    await dying.gift(9100)
    await dying.place([nshimaOn(2), nshimaOn(3)], 'key-1', mary, useCredit).catch(() => null)
    const living = till(undefined, store)
    living.clock.now = after(monday7, 1)
    await living.sweeps()
    expect((await living.attempt(attemptIdFor(mary, 'key-1'))).status).toBe('fulfilled')
    expect(await living.credit()).toEqual([0, 0])
  })

  test('one whose credit went elsewhere meanwhile is refused, its days free again', async () => {
    const store = memoryEventStore()
    const dying = till(
      oneByOne((at) => at === 1),
      store,
    )
    await dying.gift(4550)
    await dying.place([nshimaOn(2)], 'key-1', mary, useCredit).catch(() => null)
    const living = till(undefined, store)
    await living.place([nshimaOn(3)], 'key-2', mary, useCredit)
    living.clock.now = after(monday7, 1)
    await living.sweeps()
    const attempt = await living.attempt(attemptIdFor(mary, 'key-1'))
    expect(attempt).toMatchObject({ status: 'refused', refused: [{ index: 0, code: 'credit_gone' }] })
    expect(await living.slot(2)).toMatchObject({ status: 'free' })
    expect(await living.credit()).toEqual([0, 0])
  })

  test('credit that was held for meals that are ordered is spent by the sweep', async () => {
    const store = memoryEventStore()
    const school = till(undefined, store)
    await school.gift(1000)
    await school.pay([nshimaOn(2)], { useCredit })
    school.provider.paid('TOKEN-1')
    const dying = till(
      ({ append }) =>
        async (appends) => {
          if (appends.every(({ stream }) => !stream.startsWith('familyCredit-'))) return append(appends)
          await append(appends.filter(({ stream }) => !stream.startsWith('familyCredit-')))
          throw new Error('crash')
        },
      store,
    )
    dying.needs.provider = school.needs.provider
    await dying.settle().catch(() => null)
    await dying.fulfil().catch(() => null)
    expect(await school.credit()).toEqual([0, 1000])
    await school.sweeps()
    expect(await school.credit()).toEqual([0, 0])
  })
})

const order = '118.2026-09-15.1'
const change = '0199c0de-0000-7000-8000-0000000000d1'
const gift = 2000

/** A paid meal for K45.50 and a family with K20.00 of credit, of which a change has been settled. */
const settledChange = async (price: number) => {
  const office = refundOffice()
  await office.place(0)
  await office.give(gift)
  await office.settlePrice(order, change, price - 4550)
  const settle = async (minutes: number) => {
    office.clock.now = after(monday7, minutes)
    await office.settleCredit(order)
    return (await office.credit()).balance
  }
  return { office, settle, take: () => office.settlePrice(order, change, price - 4550) }
}

describe.each([
  ['dearer', 6050],
  ['cheaper', 3000],
])('a change to a %s meal', (_what, price) => {
  const balance = gift - (price - 4550)

  test('that never reached the order is undone, once no command can be at it any more', async () => {
    const { settle } = await settledChange(price)
    expect(await settle(1)).toBe(balance)
    expect(await settle(3)).toBe(gift)
    expect(await settle(4)).toBe(gift)
  })

  test('that reached the order stands', async () => {
    const { office, settle } = await settledChange(price)
    await office.changeMeal(order, change, price)
    expect(await settle(3)).toBe(balance)
  })

  test('that was undone is settled anew by its key', async () => {
    const { office, settle, take } = await settledChange(price)
    await settle(3)
    await take()
    await office.changeMeal(order, change, price)
    expect(await settle(6)).toBe(balance)
  })

  test('that reached the order while it was undone is settled again', async () => {
    const { office, settle } = await settledChange(price)
    await settle(3)
    await office.changeMeal(order, change, price)
    expect(await settle(6)).toBe(balance)
  })

  test('of an order that was cancelled meanwhile is left to what is owed for it', async () => {
    const { office, settle } = await settledChange(price)
    await office.cancel(order, 'credit')
    expect(await settle(3)).toBe(gift + 4550)
  })
})

test('what a change gave and the family spent stays given', async () => {
  const { office, settle } = await settledChange(3000)
  await office.payOutCredit(3000)
  expect(await settle(3)).toBe(550)
})

test('a change that was undone takes no credit that is not there any more', async () => {
  const { office, settle, take } = await settledChange(6050)
  await settle(3)
  await office.payOutCredit(1900)
  await expect(take()).rejects.toMatchObject({ code: 'credit_short' })
})
