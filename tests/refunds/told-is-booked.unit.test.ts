import * as fc from 'fast-check'
import { moneyBackText } from '#modules/ordering/slot/money-back.decide'
import { owedOf } from '#modules/refunds/refund'
import { tries } from '../support/tries'
import { refundOffice } from './refund-office'

const first = '118.2026-09-15.1'
const closureId = '0199c0de-0000-7000-8000-0000000000d3'
const changeId = '0199c0de-0000-7000-8000-0000000000d2'

const anyStory = fc.record({
  price: fc.constantFrom(4550, 3001),
  credit: fc.constantFrom(0, 0, 1000, 3001),
  received: fc.constantFrom('all', 'all', 'short'),
  paid: fc.constantFrom('at once', 'by transfer', 'never'),
  change: fc.constantFrom(null, null, 2700, 5000),
  absent: fc.boolean(),
  cause: fc.constantFrom('refund', 'credit', 'closure', 'kitchen'),
})

type Story = typeof anyStory extends fc.Arbitrary<infer One> ? One : never

const happened = async ({ price, credit, received, paid, change, absent, cause }: Story) => {
  const office = refundOffice()
  if (received === 'short') office.received.set(0, Math.max(0, price - credit - 100))
  await office.give(10_000)
  await office.place(0, paid === 'at once' ? 'confirmed' : 'pending', price, credit)
  if (paid === 'by transfer') await office.change(first, 'paid')
  if (change !== null && paid !== 'never') {
    await office.settlePrice(first, changeId, change - price)
    await office.changeMeal(first, changeId, change)
  }
  if (absent) {
    await office.absent(first, true).catch(() => null)
    await office.settleCredit(first)
  }
  const before = (await office.credit()).balance
  if (cause === 'kitchen') await office.change(first, 'cancelled')
  else
    await office.cancel(
      first,
      cause === 'credit' ? 'credit' : 'refund',
      cause === 'closure' ? closureId : undefined,
    )
  const told = await office.told(first)
  await office.settle(first)
  await office.settleCredit(first)
  const booked = {
    money: owedOf(await office.refund(first)),
    credit: (await office.credit()).balance - before,
  }
  return { told, booked, later: await office.told(first) }
}

test('whatever cancels a meal, what is told is what is booked, before and after it is settled', async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      const { told, booked, later } = await happened(story)
      expect(told).toEqual(booked)
      expect(later).toEqual(told)
    }),
    { numRuns: tries(2000), seed: 20_260_916 },
  )
})

test('a letter names each part of what goes back', () => {
  expect(moneyBackText({ money: 1600, credit: 2000 })).toBe(
    'K16.00 will be refunded and K20.00 goes to your credit',
  )
  expect(moneyBackText({ money: 0, credit: 0 })).toBeNull()
})
