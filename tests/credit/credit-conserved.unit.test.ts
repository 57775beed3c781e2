import * as fc from 'fast-check'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { isExpected } from '../payments/machine/people'
import { creditSchool, type Act } from './credit-school'
import { allTried, tries } from '../support/tries'

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
