import * as fc from 'fast-check'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { Refusal } from '#kernel/refusal'
import { evolve, freeSlot, readSlotEvent } from '#modules/ordering/slot/meal-slot'
import { attemptIdFor } from '#modules/payments/checkout/free-checkout.job'
import { Crash } from './machine/failing-store'
import { freeNshima, freeTill, oneByOne } from './till'
import { tries } from '../support/tries'

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
        const own = days.filter((day) => ordersOn.get(day)?.attemptId === id)
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
      return slot.status === 'ordered' ? [[day, slot.order] as const] : []
    }),
  )
}
