import * as fc from 'fast-check'
import { Refusal } from '#kernel/refusal'
import { evolve, freeSlot, readSlotEvent, standingOrder } from '#modules/ordering/slot/meal-slot'
import { type BlockReason, linesAmended, linesBlocked } from '#modules/payments/attempt/events'
import { recoveryError, recoveryStatus } from '#modules/payments/attempt/labels'
import { type AttemptEvent, unresolvedLines, ledgerOf } from '#modules/payments/attempt/payment-attempt'
import { type FulfilmentFacts, blockedLines } from '#modules/payments/attempt/settlement.decide'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { after, cycle, monday7, nshima } from '../ordering/lunches'
import { tries } from '../support/tries'
import { attemptId, happened, iso, pastOf, standing, tuesday } from './attempt-words'
import { Crash } from './machine/failing-store'
import { freeNshima, freeTill, oneByOne, nshimaOn, till } from './till'

/** A parent's cart for some days of Chanda's week; the process dies at that append (never, when there are fewer). */
const anyCart = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
  diesAt: fc.integer({ min: 0, max: 12 }),
})
const carts = fc.array(anyCart, { minLength: 2, maxLength: 4 })

const expectedEnd = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled' || outcome.reason instanceof Crash || outcome.reason instanceof Refusal

test('carts that compete, crash and are swept while they do: all lines or none, and nobody shares a day', async () => {
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(carts, fc.scheduler(), async (wanted, scheduler) => {
      const store = memoryEventStore()
      const families = wanted.map(({ days, diesAt }, index) => ({
        id: attemptIdFor(index + 1, 'key'),
        days,
        place: freeTill(
          oneByOne(
            (step) => step === diesAt,
            () => scheduler.schedule(Promise.resolve()),
          ),
          store,
        ).place(
          days.map((day) => freeNshima(day)),
          'key',
          index + 1,
        ),
      }))
      const hasty = freeTill(
        oneByOne(undefined, () => scheduler.schedule(Promise.resolve())),
        store,
      )
      const sweeps = families.map(({ id }) =>
        scheduler.schedule(Promise.resolve()).then(() => hasty.complete(id)),
      )
      const outcomes = await scheduler.waitFor(Promise.allSettled(families.map(({ place }) => place)))
      await scheduler.waitFor(Promise.all(sweeps))
      expect(outcomes.filter((outcome) => !expectedEnd(outcome))).toEqual([])

      const sweep = freeTill(undefined, store)
      for (const { id } of families) await sweep.complete(id)

      const ordersOn = await activeOrders(store)
      for (const [index, { id, days }] of families.entries()) {
        const attempt = await sweep.attemptOf(id)
        ends.add(attempt.status)
        const own = days.filter((day) => ordersOn.get(day)?.attempt_id === id)
        expect([attempt.status, own]).toEqual([attempt.status, attempt.status === 'fulfilled' ? days : []])
        if (outcomes[index]?.status === 'fulfilled') expect(attempt.status).toBe('fulfilled')
      }
    }),
    { numRuns: tries(150), seed: 20_260_914 },
  )
  expect([...ends].toSorted()).toEqual(['fulfilled', 'none', 'refused'])
})

const activeOrders = async (store: ReturnType<typeof memoryEventStore>) => {
  const days = [1, 2, 3, 4, 5]
  const streams = await store.read(days.map((day) => `mealSlot-118.2026-09-${13 + day}`))
  return new Map(
    days.flatMap((day) => {
      const events = streams.get(`mealSlot-118.2026-09-${13 + day}`) ?? []
      const slot = events.flatMap((event) => readSlotEvent(event) ?? []).reduce(evolve, freeSlot)
      const standing = standingOrder(slot)
      return standing ? [[day, standing] as const] : []
    }),
  )
}

describe('blocked lines', () => {
  const straight: FulfilmentFacts = {
    alreadyOrdered: new Set(),
    unavailableReasons: [],
    conflicts: new Set(),
    soldOut: new Set(),
    graceMinutes: 15,
    withdrawnItems: 'honour',
  }

  /** Of Tuesday's line (index 0); Wednesday's is never hindered. */
  const given = (...past: AttemptEvent[]) => ({
    when: (facts: Partial<FulfilmentFacts>) => {
      const attempt = standing(...past)
      const found = blockedLines(attempt, unresolvedLines(attempt), { ...straight, ...facts })
      return {
        thenOrdered: () => expect(found).toEqual([]),
        thenBlocked: (reason: BlockReason) => expect(found).toEqual([{ index: 0, reason }]),
      }
    },
  })
  const hindered = (reason: BlockReason) => ({ unavailableReasons: [{ index: 0, reason }] })
  const withdrawn = hindered('item_withdrawn')
  const held = (reason: BlockReason) => linesBlocked({ attemptId, lines: [{ index: 0, reason }], at: iso(5) })
  const amended = linesAmended({ attemptId, lines: [tuesday], at: iso(6) })
  const retried = (reason: BlockReason) => [...pastOf.paid, held(reason), happened.recovering('blocked')]

  describe('a paid line', () => {
    test('without a unavailableReason is ordered', () =>
      given(...pastOf.paid)
        .when({})
        .thenOrdered())
    test('is blocked by what hinders it', () =>
      given(...pastOf.paid)
        .when(hindered('day_blocked'))
        .thenBlocked('day_blocked'))
    test('is blocked where its day is somebody else’s', () =>
      given(...pastOf.paid)
        .when({ conflicts: new Set([0]) })
        .thenBlocked('duplicate_day'))
    test('an item that is sold out by now stands in the way', () =>
      given(...pastOf.paid)
        .when({ soldOut: new Set([0]) })
        .thenBlocked('sold_out'))
    test('that has its order already is as good as any', () =>
      given(...pastOf.paid)
        .when({ ...hindered('day_blocked'), alreadyOrdered: new Set([0]), conflicts: new Set([0]) })
        .thenOrdered())
  })

  describe('a paid line whose item was withdrawn', () => {
    const hold = { ...withdrawn, withdrawnItems: 'hold' as const }
    test('is honoured by default', () =>
      given(...pastOf.paid)
        .when(withdrawn)
        .thenOrdered())
    test('is held where the school holds', () =>
      given(...pastOf.paid)
        .when(hold)
        .thenBlocked('item_withdrawn'))
    test('is ordered once a person retries what was held', () =>
      given(...retried('item_withdrawn'))
        .when(hold)
        .thenOrdered())
    test('is held when a person retried it for another reason', () =>
      given(...retried('day_blocked'))
        .when(hold)
        .thenBlocked('item_withdrawn'))
    test('is ordered once a person has changed it', () =>
      given(...retried('day_blocked'), amended)
        .when(hold)
        .thenOrdered())
    test('is blocked by a day that is taken first, whatever the school does', () => {
      for (const withdrawnItems of ['honour', 'hold'] as const)
        given(...pastOf.paid)
          .when({ ...withdrawn, withdrawnItems, conflicts: new Set([0]) })
          .thenBlocked('duplicate_day')
    })
  })
})

describe('withdrawn items', () => {
  const holdingTill = () => till(undefined, undefined, 'hold')
  const withdrawn = async () => {
    const school = holdingTill()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    school.school.items = [{ ...nshima, isArchived: true }]
    return school
  }

  /** payments.md section 8 rule 1, for a school that holds. */
  describe('an item that was withdrawn after it was paid for', () => {
    test('blocks its line, and the money is held', async () => {
      const school = await withdrawn()
      const { attempt } = await school.settle()
      expect(attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'item_withdrawn' }])
      expect(recoveryStatus(attempt)).toBe('Failed to create orders during recovery')
      expect(recoveryError(attempt)).toBe('This meal was taken off the menu after it was paid for')
      expect(ledgerOf(attempt)).toMatchObject({ received: 4550, ordered: 0 })
    })
    test('holds up no other line', async () => {
      const school = holdingTill()
      const soup = { ...nshima, id: 5 }
      school.school.items = [nshima, soup]
      await school.pay([nshimaOn(3), nshimaOn(4, { menuItemId: soup.id })])
      school.provider.paid('TOKEN-1')
      school.school.items = [nshima, { ...soup, isAvailable: false }]
      const { attempt } = await school.settle()
      expect(attempt.outcomes.map((outcome) => outcome.kind)).toEqual(['ordered', 'blocked'])
    })
    test('is ordered at the price that was paid once a person retries', async () => {
      const school = await withdrawn()
      await school.settle()
      const { attempt } = await school.retry()
      expect(attempt).toMatchObject({ status: 'fulfilled', hadProblem: true })
      expect(ledgerOf(attempt)).toMatchObject({ received: 4550, ordered: 4550 })
    })
    test('is ordered on the day to which a person moves it', async () => {
      const school = await withdrawn()
      await school.settle()
      const { attempt } = await school.retry([{ index: 0, to: nshimaOn(4) }])
      expect(attempt.status).toBe('fulfilled')
      expect((await school.slot(4)).status).toBe('ordered')
    })
    test('is owed back once a person waives it', async () => {
      const school = await withdrawn()
      await school.settle()
      const { attempt } = await school.waive()
      expect(attempt.status).toBe('refund_due')
      expect(ledgerOf(attempt)).toMatchObject({ received: 4550, owed: 4550 })
    })
    test('waits also where a retry was for another reason: nobody has judged it yet', async () => {
      const school = await withdrawn()
      school.school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 2 }] }
      expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'day_blocked' }])
      school.school.cycle = cycle
      expect((await school.retry()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'item_withdrawn' }])
      expect((await school.retry()).attempt.status).toBe('fulfilled')
    })
    test('is ordered without more where it is offered again in time', async () => {
      const school = await withdrawn()
      school.school.items = [nshima]
      expect((await school.settle()).attempt.status).toBe('fulfilled')
    })
    test('that is late too is shown as late', async () => {
      const school = holdingTill()
      await school.pay([nshimaOn(1)])
      school.provider.paid('TOKEN-1')
      school.school.items = [{ ...nshima, isAvailable: false }]
      school.clock.now = after(monday7, 76)
      expect((await school.settle()).attempt.outcomes).toEqual([{ kind: 'blocked', reason: 'cutoff_passed' }])
    })
  })
})
