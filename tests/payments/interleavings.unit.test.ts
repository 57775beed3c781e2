import * as fc from 'fast-check'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { Refusal } from '#kernel/refusal'
import { attemptIdFor } from '#modules/payments/checkout/free-checkout.job'
import { ledgerOf, isMoneyOurs, type StartedAttempt } from '#modules/payments/attempt/payment-attempt'
import { after, cycle, mary, monday7 } from '../ordering/lunches'
import { Crash } from './machine/failing-store'
import { oneByOne, nshimaOn, till } from './till'
import { answerOf, declined } from './machine/bank'
import { allTried, tries } from '../support/tries'

type Till = ReturnType<typeof till>
const keys = ['key-1', 'key-2'] as const
const idOf = (key: string) => attemptIdFor(mary, key)
const tokens = ['TOKEN-1', 'TOKEN-2']

/** One thing that somebody does, to whichever payment. */
const anyAct = fc
  .record({
    what: fc.constantFrom(
      'pay again',
      'return',
      'push',
      'sweep',
      'customer pays',
      'customer pays less',
      'card declined',
      'abandon',
      'retry',
      'waive',
      'accept',
      'day blocked',
      'day opened',
      'a minute passes',
    ),
    which: fc.nat(1),
  })
  .map((act) => act)
type Act = { what: string; which: number }

const perform = async (school: Till, { what, which }: Act): Promise<unknown> => {
  const id = idOf(keys[which]!)
  const token = tokens[which]!
  const isThere = school.provider.accounts.has(token)
  switch (what) {
    case 'pay again':
      return school.pay([nshimaOn(3), nshimaOn(4)], { idempotencyKey: keys[1] })
    case 'return':
    case 'push':
    case 'sweep':
      return school.settle(id, what)
    case 'customer pays':
      return isThere && school.provider.paid(token)
    case 'customer pays less':
      return isThere && school.provider.paid(token, { transaction: { amount: 4550, currency: 'ZMW' } })
    case 'card declined':
      return isThere && school.provider.answers(token, declined)
    case 'abandon':
      return school.abandon(id)
    case 'retry':
      return school.retry([], id)
    case 'waive':
      return school.waive(id)
    case 'accept':
      return school.accept(id)
    case 'day blocked':
      school.school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 3 }] }
      return undefined
    case 'day opened':
      school.school.cycle = cycle
      return undefined
    default:
      school.clock.now = after(school.clock.now, 1)
      return undefined
  }
}

const isExpected = (error: unknown) =>
  error instanceof Refusal ||
  error instanceof Crash ||
  (error instanceof Error && /^(No attempt|No token)/.test(error.message))

/** What the worker does until nothing more is to be done. */
const settleAll = async (school: Till) => {
  school.clock.now = after(school.clock.now, 5)
  for (const id of keys.map(idOf)) {
    const before = await school.attempt(id).catch(() => null)
    if (!before) continue
    if (before.status === 'draft') await school.giveUpDraft(id)
    if (before.status === 'recovering') await school.endLostRecovery(id)
    await school.settle(id, 'sweep')
    await school.settle(id, 'sweep')
  }
}

const keepsPromises = async (school: Till) => {
  const activeOf = new Map<number, string>()
  for (const day of [2, 3, 4]) {
    const slot = await school.slot(day)
    if (slot.status === 'ordered') activeOf.set(day, slot.order.attemptId)
    const told = await school.told(`mealSlot-118.2026-09-${13 + day}`)
    // Nothing cancels here, so a second order of a day would be a second fulfilment.
    expect(told.filter((name) => name === 'lunch-ordered').length).toBeLessThanOrEqual(1)
  }
  for (const [which, id] of keys.map(idOf).entries()) {
    const attempt = await school.attempt(id).catch(() => null)
    if (!attempt) continue
    const orders = attempt.checkout.lines.filter(({ index }) => attempt.outcomes[index]?.kind === 'ordered')
    const days = orders.map(({ slot }) => slot.day)
    expect(days).toEqual([2, 3, 4].filter((day) => activeOf.get(day) === id))
    balances(attempt)
    const account = school.provider.accounts.get(tokens[which]!)
    if (account && answerOf(account).kind === 'says-paid' && attempt.token?.token === tokens[which])
      expect([attempt.status, isMoneyOurs(attempt) || attempt.status === 'review']).toEqual([
        attempt.status,
        true,
      ])
  }
}

const balances = (attempt: StartedAttempt) => {
  const { received, ordered, shortfall, held, owed, paidBack } = ledgerOf(attempt)
  expect(received + shortfall).toBe(ordered + held + owed + paidBack)
  expect(shortfall).toBeLessThanOrEqual(attempt.shortfall)
  expect(attempt.status !== 'fulfilled' || held === 0).toBe(true)
}

test.each([
  ['appends in one transaction', false],
  ['appends one stream after another', true],
])(
  'whoever does what at the same moment, and whenever the process dies (%s): money and meals agree',
  async (_store, isSplit) => {
    const ends = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAct, { minLength: 2, maxLength: 12 }),
        fc.integer({ min: 2, max: 40 }),
        fc.scheduler(),
        async (acts, diesAt, scheduler) => {
          const store = memoryEventStore()
          const pause = () => scheduler.schedule(Promise.resolve())
          const school = till(isSplit ? oneByOne((step) => step === diesAt, pause) : undefined, store)
          school.clock.now = monday7
          school.provider.mood.pause = pause
          const first = school.pay([nshimaOn(2), nshimaOn(3)])
          const doing = acts.map((act) => pause().then(() => perform(school, act)))
          const outcomes = await scheduler.waitFor(Promise.allSettled([first, ...doing]))
          const faults = outcomes.flatMap((one) =>
            one.status === 'rejected' && !isExpected(one.reason) ? [one.reason] : [],
          )
          expect(faults).toEqual([])

          const next = till(undefined, store)
          next.clock.now = school.clock.now
          next.school.cycle = school.school.cycle
          for (const [token, account] of school.provider.accounts) next.provider.accounts.set(token, account)
          await settleAll(next)
          await keepsPromises(next)
          for (const key of keys)
            ends.add((await next.attempt(idOf(key)).catch(() => null))?.status ?? 'none')
        },
      ),
      { numRuns: tries(400), seed: 20_260_914 },
    )
    const reached = allTried ? ['fulfilled', 'processing', 'cancelled', 'review', 'none', 'blocked'] : []
    expect([...ends]).toEqual(expect.arrayContaining(reached))
  },
)
