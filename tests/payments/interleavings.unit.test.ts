import * as fc from 'fast-check'
import { Refusal } from '#kernel/refusal'
import { paymentVerified, ordersCreated } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { liveLabel, parentStatus, recoveryStatus } from '#modules/payments/attempt/labels'
import {
  type StartedAttempt,
  type AttemptState,
  type PaymentAttempt,
  type AttemptEvent,
  ledgerOf,
  isMoneyOurs,
  attemptStates,
  isUnresolved,
} from '#modules/payments/attempt/payment-attempt'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { beginning } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { after, cycle, mary, monday7, otherAttempt } from '../ordering/lunches'
import { allTried, tries } from '../support/tries'
import { type AttemptCommand, decide } from './attempt-steps'
import { happened, minute, payoutOf, verdicts } from './attempt-words'
import { anyStory } from './machine/acts'
import { answerOf, declined } from './machine/bank'
import { reckon, staleReservations, drainQueues } from './machine/expected-balances'
import { Crash } from './machine/failing-store'
import { scene } from './machine/scene'
import { tablesInMemory } from './machine/tables'
import { oneByOne, nshimaOn, till } from './till'

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
    if (slot.status === 'ordered') activeOf.set(day, slot.order.attempt_id)
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

fc.configureGlobal({ seed: 20_261_121, numRuns: tries(100) })

test.each([
  ['appends in one transaction', false],
  ['appends one stream after another', true],
])(
  'whatever everybody does at the same time, and wherever processes die, on a store that %s: no money is lost',
  async (_store, isSplit) => {
    const ends = new Set<string>()
    const where = { kept: 0, due: 0, back: 0, credit: 0, held: 0, fee: 0, shortfall: 0 }
    await fc.assert(
      fc.asyncProperty(anyStory, fc.scheduler(), async (story, scheduler) => {
        const store = memoryEventStore()
        const ground = { store, isSplit, database: tablesInMemory(store), viewsInclude: async () => {} }
        const played = scene({ ...ground, start: beginning, family: 0 }, story, scheduler)
        expect(await played.play()).toEqual([])
        const survivor = played.calmDown()
        const faults = await drainQueues(played, survivor, async () => {
          // Where appends are split, a crash may lose a release: the hold then ends by its time.
          if (!isSplit) expect(await staleReservations(played, store, beginning)).toEqual([])
        })
        expect(faults).toEqual([])
        expect(await staleReservations(played, store, beginning)).toEqual([])
        const { ends: found, reckonings } = await reckon(played, store, beginning)
        for (const end of found) ends.add(end)
        for (const one of reckonings)
          for (const name of Object.keys(where) as (keyof typeof where)[]) where[name] += one[name]
      }),
    )
    // Stories in which nothing happens would keep every promise.
    const rare = ['review', 'blocked', 'expired', 'cancelled', 'create_failed']
    expect([...ends]).toEqual(expect.arrayContaining(['fulfilled', ...(allTried ? rare : [])]))
    const { shortfall: _rare, ...usual } = where
    expect(Object.values(usual).every((amount) => amount > 0 || !allTried)).toBe(true)
  },
)

type Step = (attempt: PaymentAttempt, now: Date) => AttemptCommand

const always =
  (command: Record<string, unknown>): Step =>
  (_attempt, now) =>
    ({ ...command, now }) as AttemptCommand

/** A worker that found these lines good and the others bad; it may have looked long ago. */
const fulfilment =
  (good: readonly boolean[]): Step =>
  (attempt, now) => {
    const open =
      attempt.status === 'none' ? [] : [0, 1].filter((index) => isUnresolved(attempt.outcomes[index]))
    return {
      kind: 'record-fulfilment',
      orders: open
        .filter((index) => good[index])
        .map((index) => ({ index, orderId: `118.2026-09-${15 + index}.1` })),
      blocked: open.filter((index) => !good[index]).map((index) => ({ index, reason: 'day_blocked' })),
      now,
    }
  }

/** Finance pays back all that is owed for a line. */
const refundWhole =
  (part: number): Step =>
  (attempt, now) => {
    const outcome = attempt.status === 'none' ? undefined : attempt.outcomes[part]
    const amount = outcome?.kind === 'waived' ? outcome.owed - outcome.paidBack : 1
    return { kind: 'record-refund', part, payoutId: payoutOf(part, now.getTime() % 100_000_000), amount, now }
  }

const issue: Step = (_attempt, now) => ({
  kind: 'issue-token',
  token: 'TOKEN-1',
  ref: null,
  limitAt: minute(30),
  holdUntil: minute(45),
  now,
})

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant(issue),
  fc
    .constantFrom(
      ...Object.values(verdicts),
      { ...verdicts.mismatch, received: null },
      { ...verdicts.mismatch, received: 9350 },
    )
    .map((verdict) => always({ kind: 'record-verdict', verdict })),
  fc.tuple(fc.boolean(), fc.boolean()).map(fulfilment),
  fc.constantFrom('return', 'push', 'sweep').map((source) => always({ kind: 'signal', source, claim: null })),
  fc.constantFrom(
    always({ kind: 'refuse-token', why: 'unreachable', detail: null }),
    always({ kind: 'supersede', by: otherAttempt }),
    always({ kind: 'abandon', tokenCancelled: true }),
    always({ kind: 'record-failure', error: 'Error' }),
    always({ kind: 'start-recovery', amended: [] }),
    always({ kind: 'start-recovery', amended: [] }),
    always({ kind: 'end-recovery', why: 'lease-lost' }),
    always({ kind: 'end-recovery', why: 'not-paid' }),
    always({ kind: 'accept', reason: 'why' }),
    always({ kind: 'waive', reason: 'why' }),
    always({ kind: 'record-acknowledgement' }),
  ),
  fc.constantFrom(refundWhole(0), refundWhole(1)),
  fc
    .tuple(fc.constantFrom(0, 1, 'surplus' as const), fc.constantFrom(100, 4450, 4550, 250))
    .map(([part, amount]) =>
      always({ kind: 'record-refund', part, payoutId: payoutOf(part, amount), amount }),
    ),
)

const moneyStates: AttemptState[] = [
  'paid',
  'fulfilled',
  'blocked',
  'recovering',
  'review',
  'refund_due',
  'refunded',
]

const decided = (command: AttemptCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  try {
    return decide(command, attempt)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

// Thousands of times: cheaper than expect.
const keeps = (promise: string, isKept: boolean) => {
  if (!isKept) throw new Error(`Not kept: ${promise}`)
}

const keepsBooks = (attempt: StartedAttempt) => {
  const { received, ordered, shortfall, held, owed, paidBack } = ledgerOf(attempt)
  keeps('balance', received + shortfall === ordered + held + owed + paidBack)
  keeps('only an accepted shortfall', shortfall <= attempt.shortfall)
  keeps('nothing below zero', Math.min(held, owed, paidBack) >= 0)
  const hasEnded = ['fulfilled', 'refund_due', 'refunded'].includes(attempt.status)
  keeps('nothing left over at the end', !hasEnded || held === 0)
  keeps('refunded is without orders', attempt.status !== 'refunded' || ordered === 0)
}

test('whatever happens in whatever order: money is where the books say, and no meal is ordered twice', () => {
  const reached = new Set<AttemptState>()
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyStep, fc.integer({ min: 0, max: 20_000 })), { minLength: 25, maxLength: 60 }),
      (steps) => {
        let attempt = paymentAttempt.evolve({ status: 'none' }, happened.started)
        let at = minute(0).getTime()
        let hadMoney = false
        let payments = 0
        const ordered: number[] = []
        for (const [step, ms] of steps) {
          at += ms * 6
          for (const event of decided(step(attempt, new Date(at)), attempt)) {
            attempt = paymentAttempt.evolve(attempt, event)
            if (event.type === paymentVerified.type) payments += 1
            if (event.type === ordersCreated.type)
              ordered.push(...event.data.orders.map(({ index }) => index))
          }
          if (attempt.status === 'none') throw new Error('An attempt came to nothing')
          reached.add(attempt.status)

          hadMoney ||= attempt.money !== null
          keeps('money states', !hadMoney || moneyStates.includes(attempt.status))
          keepsBooks(attempt)
          parentStatus(attempt)
          liveLabel(attempt)
          recoveryStatus(attempt)
        }
        expect(new Set(ordered).size).toBe(ordered.length)
        expect(payments).toBeLessThanOrEqual(1)
      },
    ),
    { numRuns: tries(2000), seed: 20_260_914 },
  )
  const ofCards = attemptStates.filter((state) => state !== 'releasing' && state !== 'refused')
  expect(ofCards.filter((state) => !reached.has(state))).toEqual([])
})
