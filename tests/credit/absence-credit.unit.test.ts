import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import type { CreditEvent, FamilyCredit } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { type OrderMoney, owedForOrder } from '#modules/ordering/published'
import { owedOf } from '#modules/refunds/refund'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { isExpected } from '../payments/machine/scene'
import { refundOffice } from '../refunds/refund-office'
import { fold } from '../support/given-when-then'
import { allTried, tries } from '../support/tries'
import { type Act, creditSchool } from './credit-school'
import { charged, given, order, takenBack } from './credit-words'

const first = '118.2026-09-15.1'

/** A paid meal of a child who is ill, for which half of its price was given. */
const absent = async () => {
  const office = refundOffice()
  await office.place(0)
  await office.absent(first, true)
  await office.settleCredit(first)
  expect(await office.credit()).toMatchObject({ balance: 2275 })
  return office
}

describe('an order whose child is absent', () => {
  test('cancelled with a refund owes what the absence did not give', async () => {
    const office = await absent()
    await office.cancel(first, 'refund')
    await office.settleCredit(first)
    await office.settle(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 2275 } })
    expect(await office.credit()).toMatchObject({ balance: 2275 })
  })

  test('cancelled with credit gives what the absence did not', async () => {
    const office = await absent()
    await office.cancel(first, 'credit')
    await office.settle(first)
    await office.settleCredit(first)
    await office.settleCredit(first)
    expect(await office.refund(first)).toEqual({ status: 'none' })
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test.each(['refund', 'credit'] as const)(
    'cancelled with %s before the absence was settled owes all of it, and once',
    async (remedy) => {
      const office = refundOffice()
      await office.place(0)
      await office.absent(first, true)
      await office.cancel(first, remedy)
      for (let times = 0; times < 2; times += 1) {
        await office.settleCredit(first)
        await office.settle(first)
      }
      const refund = await office.refund(first)
      const due = 'due' in refund ? refund.due.amount : 0
      expect([due, (await office.credit()).balance]).toEqual(remedy === 'refund' ? [4550, 0] : [0, 4550])
    },
  )

  test('cooked after all it keeps what the absence gave, and gives back the rest', async () => {
    const office = await absent()
    await office.cancel(first, 'credit')
    await office.settleCredit(first)
    expect(await office.change(first, 'pending')).toEqual([])
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 2275 })
  })
})

/** The job has read that the order stands; what it gives is appended once `given` is called. */
const overtaken = async () => {
  const door = new EventEmitter()
  const gate = once(door, 'open')
  const office = refundOffice(({ read, append }) => ({
    read,
    append: async (appends) => {
      if (appends.some(({ stream }) => stream.startsWith('familyCredit-'))) await gate
      return append(appends)
    },
  }))
  await office.place(0)
  await office.absent(first, true)
  const giving = office.settleCredit(first)
  await setImmediate()
  await office.cancel(first, 'refund')
  await office.settle(first)
  expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 4550 } })
  const given = () => {
    door.emit('open')
    return giving
  }
  /** What the jobs do that hear of it, more often than they must. */
  const drainQueues = async () => {
    for (let times = 0; times < 2; times += 1) {
      await office.settle(first)
      await office.settleRefundAsCredit(first)
      await office.settleCredit(first)
    }
  }
  return { office, given, drainQueues }
}

describe('an order that is cancelled, and its refund opened in full, while a job gives for the absence', () => {
  test('owes what the absence did not give', async () => {
    const { office, given, drainQueues } = await overtaken()
    await given()
    await drainQueues()
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 2275 }, payouts: [] })
    expect(await office.credit()).toMatchObject({ balance: 2275 })
  })

  test.each([
    ['all of it went back', null, 0],
    ['a part of it went back', 1000, 3550],
  ])('takes back what the absence gave when %s already', async (_what, amount, stillOwed) => {
    const { office, given, drainQueues } = await overtaken()
    await office.payBack(first, { amount })
    await given()
    await drainQueues()
    expect(owedOf(await office.refund(first))).toBe(stillOwed)
    expect(await office.credit()).toMatchObject({ balance: 0 })
  })

  test('takes back what the absence gave when all of it became credit already', async () => {
    const { office, given, drainQueues } = await overtaken()
    const turning = office.turnIntoCredit(first)
    await given()
    await turning
    await drainQueues()
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })
})

const number = fc.nat({ max: 5 })
const of = <What extends Act['what']>(...whats: What[]) => fc.constantFrom(...whats)
const amount = fc.constantFrom(1, 1000, 4550, 9100)
const days = fc.array(fc.constantFrom(2, 3, 4, 5), { minLength: 1, maxLength: 3 })
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: of('gift', 'gift', 'pay out'), amount }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: of('card', 'card', 'place'),
      days,
      useCredit: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: of('pay', 'pay', 'decline', 'look', 'look'), token: number }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: of('cancel'),
      order: number,
      remedy: fc.constantFrom('refund' as const, 'credit' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: of('reopen', 'waive', 'retry'), order: number }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: of('pay back', 'pay back', 'turn into credit'), refund: number }),
  },
  { weight: 2, arbitrary: fc.record({ what: of('block', 'open', 'sweep', 'work') }) },
  { weight: 1, arbitrary: fc.record({ what: of('time'), minutes: fc.constantFrom(1, 3, 40) }) },
)
const anyDeath = fc.option(
  fc.record({ at: fc.nat({ max: 6 }), when: fc.constantFrom('before' as const, 'after' as const) }),
  { freq: 2 },
)

const started: Act[] = [
  { what: 'gift', amount: 9100 },
  { what: 'card', days: [2, 3, 4], useCredit: true },
]
/** The same, paid for, and the meal that the card paid cancelled. */
const cancelled: Act[] = [
  ...started,
  { what: 'pay', token: 0 },
  { what: 'look', token: 0 },
  { what: 'cancel', order: 2, remedy: 'refund' },
]

test.each([
  ['appends in one transaction', false],
  ['appends one stream after another', true],
])(
  'whatever is done with credit at the same time, and wherever processes die, on a store that %s: never negative, nothing lost, nothing twice',
  async (_store, isSplit) => {
    const seen = { kept: 0, owed: 0, back: 0, balance: 0, paidOut: 0, waiting: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyAct, anyDeath), { minLength: 1, maxLength: 16, size: 'max' }),
        fc.constantFrom(started, cancelled),
        fc.boolean(),
        fc.scheduler(),
        async (story, before, isAtOnce, scheduler) => {
          let isCalm = true
          const pause = async () => (isCalm ? undefined : scheduler.schedule(Promise.resolve()))
          const school = creditSchool(memoryEventStore(), isSplit, pause)
          for (const [index, act] of before.entries()) await school.perform(school.begin(null), act, index)
          isCalm = !isAtOnce
          const done = async (index: number) => {
            const [act, death] = story[index]!
            const asked = (dies: typeof death) =>
              school.perform(school.begin(dies), act, index + before.length).catch((error: unknown) => {
                if (!isExpected(error)) throw error
              })
            await asked(death)
            // Whoever had no answer asks again.
            if (death) await asked(null)
          }
          if (isAtOnce) await scheduler.waitFor(Promise.all(story.map((_one, index) => done(index))))
          else for (const index of story.keys()) await done(index)
          isCalm = true
          expect(await school.drainQueues()).toEqual([])
          const { taken, gifts, wrong, held, ...where } = await school.reckoned()
          expect(wrong).toEqual([])
          expect(Math.min(0, ...(await school.balances()))).toBe(0)
          const { kept, owed, back, waiting, balance, paidOut } = where
          expect(kept + owed + back + waiting + balance + held + paidOut).toBe(taken + gifts)
          for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += where[name]
        },
      ),
      { numRuns: tries(120), seed: 20_261_122 },
    )
    // Stories in which nothing happens would keep every promise.
    const never = Object.entries(seen).filter(([, reached]) => reached === 0)
    expect(allTried ? never : []).toEqual([])
  },
)

const meal: OrderMoney = {
  id: order,
  price: 5000,
  credit: 0,
  status: 'cancelled',
  paymentStatus: 'confirmed',
  remedy: 'refund',
}
const owed = (more: Partial<OrderMoney>, received: number, ...events: CreditEvent[]) => {
  const { money, credit } = owedForOrder(
    { ...meal, ...more },
    received,
    fold<FamilyCredit, CreditEvent>(familyCredit, events),
  )
  return [money, credit]
}

test.each<[string, Partial<OrderMoney>, number, [money: number, credit: number]]>([
  ['an order that stands', { status: 'pending' }, 5000, [0, 0]],
  ['a served one', { status: 'completed' }, 5000, [0, 0]],
  ['a cancelled one', {}, 5000, [5000, 0]],
  ['one that was paid back', { status: 'refunded' }, 5000, [5000, 0]],
  ['as credit', { remedy: 'credit' }, 5000, [0, 5000]],
  ['never more than was received', { remedy: 'credit' }, 4000, [0, 4000]],
  ['nothing that was never paid', { paymentStatus: 'pending', remedy: 'credit' }, 5000, [0, 0]],
  ['what credit paid, as credit', { credit: 2000 }, 3000, [3000, 2000]],
  ['all of it as credit', { credit: 2000, remedy: 'credit' }, 3000, [0, 5000]],
  ['what credit paid of one yet to be paid', { credit: 2000, paymentStatus: 'pending' }, 3000, [0, 2000]],
])('%s', (_what, order_, received, expected) => expect(owed(order_, received)).toEqual(expected))

test('what an absence gave is deducted, until it is taken back', () => {
  const absent = given('absent/1', 'absent', 2500, 2500)
  expect(owed({}, 5000, absent)).toEqual([2500, 0])
  expect(owed({ remedy: 'credit' }, 5000, absent)).toEqual([0, 2500])
  expect(owed({}, 5000, absent, takenBack('absent/1', 'absent', 2500, 0))).toEqual([5000, 0])
})

test('a cheaper meal gave its difference, a dearer one took it', () => {
  expect(owed({ price: 3000 }, 5000, given('changed/1', 'changed', 2000, 2000))).toEqual([3000, 0])
  const gift = given('gift/1', 'gift', 2000, 2000)
  expect(owed({ price: 7000 }, 5000, gift, charged('changed/1', 2000, 0))).toEqual([5000, 2000])
})
