import { Refusal } from '#kernel/refusal'
import { linesBlocked, mismatchAccepted, providerTokenIssued } from '#modules/payments/attempt/events'
import type { AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { nextCheckAfter } from '#modules/payments/attempt/payment.decide'
import { limitMinutesOf } from '#modules/payments/card/issue-token.commands'
import {
  cardPaymentSweeps,
  settlePayments,
  verifyPayments,
} from '#modules/payments/settlement/settle-card-payments.job'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { nshima } from '../ordering/lunches'
import { recorded } from '../support/recorded-events'
import { standIn } from '../support/stand-ins'
import { attemptId, happened, iso, minute } from './attempt-words'
import { declined, unreachable } from './machine/bank'
import { Crash } from './machine/failing-store'
import { oneByOne, maryAttempt, nshimaOn, paidTill, till } from './till'

const attemptOf = `paymentAttempt-${maryAttempt}`
const codeOf = async (doing: Promise<unknown>) => {
  const outcome = await doing.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return outcome.code
}
describe('verifyAndSettle', () => {
  test('a paid token becomes its orders', async () => {
    const school = await paidTill(2, 3)
    const { attempt } = await school.settle()
    expect(attempt.status).toBe('fulfilled')
    expect(await school.told(attemptOf)).toEqual([
      'checkout-started',
      'provider-token-issued',
      'customer-signalled',
      'payment-verified',
      'orders-created',
    ])
    expect(await school.slot(2)).toMatchObject({ status: 'ordered', order: { payment_status: 'confirmed' } })
  })

  test.each([
    ['a store with transactions', undefined],
    ['a store that appends one stream after another', oneByOne()],
  ])('twenty at once are one question and one set of orders, on %s', async (_store, appendTo) => {
    const school = till(appendTo)
    await school.pay([nshimaOn(2), nshimaOn(3)])
    school.provider.paid('TOKEN-1')
    const settled = await Promise.all(Array.from({ length: 20 }, () => school.settle()))
    expect(new Set(settled.map(({ attempt }) => attempt.status))).toEqual(new Set(['fulfilled']))
    expect(school.provider.asked.verifies).toBe(1)
    expect(await school.told('mealSlot-118.2026-09-15')).toEqual(['lunch-reserved', 'lunch-ordered'])
  })

  test('twenty processes at once are one set of orders', async () => {
    const store = memoryEventStore()
    const first = till(undefined, store)
    await first.pay([nshimaOn(2)])
    first.provider.paid('TOKEN-1')
    const others = Array.from({ length: 20 }, () => {
      const process = till(undefined, store)
      process.needs.provider!.verify = first.provider.port.verify
      return process
    })
    await Promise.allSettled(others.map((process) => process.settle()))
    expect((await first.attempt(maryAttempt)).status).toBe('fulfilled')
    const told = await first.told(attemptOf)
    expect(told.filter((name) => name === 'payment-verified')).toHaveLength(1)
    expect(told.filter((name) => name === 'orders-created')).toHaveLength(1)
    expect(await first.told('mealSlot-118.2026-09-15')).toEqual(['lunch-reserved', 'lunch-ordered'])
  })

  test('what is ours is not asked about again', async () => {
    const school = await paidTill(2)
    await school.settle()
    await school.settle(maryAttempt, 'push')
    expect(school.provider.asked.verifies).toBe(1)
  })

  test('declined gives back the days, and a second card on the same page still wins (rules 11 and 12)', async () => {
    const school = await paidTill(2)
    school.provider.answers('TOKEN-1', declined)
    expect((await school.settle()).attempt.status).toBe('declined')
    expect((await school.slot(2)).status).toBe('free')
    school.provider.paid('TOKEN-1')
    expect((await school.settle(maryAttempt, 'sweep')).attempt).toMatchObject({
      status: 'fulfilled',
      hadProblem: true,
      money: { late: true },
    })
  })

  test('an unknown attempt is not found', async () =>
    expect(await codeOf(till().settle(maryAttempt))).toBe('attempt_not_found'))

  test('the provider is told once that we know', async () => {
    const school = await paidTill(2)
    await school.acknowledge()
    expect(school.provider.accounts.get('TOKEN-1')?.acknowledged).toBe(0)
    await school.settle()
    await school.acknowledge()
    await school.acknowledge()
    expect(school.provider.accounts.get('TOKEN-1')?.acknowledged).toBe(1)
    expect((await school.attempt(maryAttempt)).acknowledged).toBe(true)
  })
  test('an acknowledgement that is not taken is tried again', async () => {
    const school = await paidTill(2)
    await school.settle()
    school.provider.answers('TOKEN-1', unreachable)
    await expect(school.acknowledge()).rejects.toThrow('unreachable')
  })
})

describe('10 a crash between any two steps', () => {
  test('of a payment on a store that appends one stream after another: the next one completes it', async () => {
    const ends = new Set<string>()
    for (let dies = 0; dies < 12; dies += 1) {
      const store = memoryEventStore()
      const school = till(
        oneByOne((step) => step === dies),
        store,
      )
      const started = await school.pay([nshimaOn(2), nshimaOn(3)]).catch((error: unknown) => error)
      if (!(started instanceof Error)) {
        school.provider.paid('TOKEN-1')
        await school.settle().catch((error: unknown) => expect(error).toBeInstanceOf(Crash))
      }
      // A new process on the same store.
      const next = till(undefined, store)
      next.needs.provider!.verify = school.provider.port.verify
      const before = await next.attempt(maryAttempt).catch(() => null)
      if (!before) continue
      if (before.status === 'draft') await next.giveUpDraft()
      else await next.settle(maryAttempt, 'sweep')
      const { status } = await next.attempt(maryAttempt)
      ends.add(status)
      expect(['create_failed', 'initiated', 'processing', 'fulfilled']).toContain(status)
      if (status === 'fulfilled')
        for (const day of [2, 3]) {
          expect(await next.slot(day)).toMatchObject({
            status: 'ordered',
            order: { attempt_id: maryAttempt },
          })
          const told = await next.told(`mealSlot-118.2026-09-${13 + day}`)
          expect(told.filter((name) => name === 'lunch-ordered')).toHaveLength(1)
        }
    }
    expect([...ends]).toEqual(expect.arrayContaining(['create_failed', 'fulfilled']))
  })

  test('E16 a fault in making the orders leaves it paid, the fifth blocks it, a retry heals it', async () => {
    const school = await paidTill(2)
    school.school.isBroken = true
    await school.settle()
    for (let again = 0; again < 3; again += 1) await expect(school.fulfil()).rejects.toThrow('away')
    expect((await school.attempt(maryAttempt)).status).toBe('paid')
    await expect(school.fulfil()).rejects.toThrow('away')
    expect(await school.attempt(maryAttempt)).toMatchObject({
      status: 'blocked',
      outcomes: [{ kind: 'blocked', reason: 'error' }],
    })
    school.school.isBroken = false
    expect((await school.retry()).attempt).toMatchObject({ status: 'fulfilled', hadProblem: true })
  })
})

const hour = 60
const later = ({ clock }: Awaited<ReturnType<typeof paidTill>>, minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000)
}
const sweepOf = (school: Awaited<ReturnType<typeof paidTill>>) =>
  cardPaymentSweeps(school.needs).find(({ name }) => name === 'acknowledge-card-payments')!.run

describe('telling the provider that we know, again and again', () => {
  test('ever more rarely while it does not listen, and no more after a day, which the history tells', async () => {
    const school = await paidTill(2)
    await school.settle()
    school.provider.answers('TOKEN-1', unreachable)
    const asked = school.provider.asked.verifies
    const tries: number[] = []
    for (let passed = 0; passed <= 26 * hour; passed += 1) {
      const before = school.provider.asked.verifies
      // Whichever process has its turn.
      await sweepOf(school)().catch(() => undefined)
      if (school.provider.asked.verifies > before) tries.push(passed)
      later(school, 1)
    }
    expect(tries.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 64])
    expect(school.provider.asked.verifies - asked).toBeLessThan(32)
    expect((await school.told(attemptOf)).at(-1)).toBe('acknowledgement-given-up')
    expect(tries.at(-1)!).toBeLessThanOrEqual(24 * hour)
  })

  test('at least once, however long nobody was there to tell it', async () => {
    const school = await paidTill(2)
    await school.settle()
    later(school, 30 * hour)
    await sweepOf(school)()
    expect((await school.told(attemptOf)).at(-1)).toBe('payment-acknowledged')
  })
})

/** The jobs that are asked for when these events are heard. */
const jobsAfter = async (...events: AttemptEvent[]) => {
  const jobs: [name: string, payload: unknown][] = []
  const queue = {
    enqueue: async ({ name }: { name: string }, payload: unknown) => void jobs.push([name, payload]),
  }
  const { types, react } = settlePayments(standIn({ queue })).reactor
  for (const event of events) {
    expect(types).toContain(event.type)
    await react(recorded(event))
  }
  return jobs
}

const settle = ['settle-payment', { attemptId }]
const accepted = mismatchAccepted({
  attemptId,
  amount: 9100,
  surplus: 0,
  shortfall: 0,
  reason: 'A bank fee',
  at: iso(3),
})

test.each([
  ['a payment is verified', happened.verified],
  ['a mismatch is accepted', accepted],
])('when %s it is settled', async (_what, event) => expect(await jobsAfter(event)).toEqual([settle]))

test.each(['review', 'declined', 'create_failed'] as const)(
  'a retry of an attempt that is %s has a job of its own',
  async (prior) =>
    expect(await jobsAfter(happened.recovering(prior))).toEqual([['recover-payment', { attemptId }]]),
)

test('a token that was issued is checked by a job after a minute, one of long ago by none', async () => {
  const asked: unknown[] = []
  const reactor = (now: Date) =>
    verifyPayments(
      standIn({
        now: () => now,
        queue: standIn({ enqueue: async (...job: unknown[]) => void asked.push(job) }),
      }),
    ).reactor
  const issued = providerTokenIssued({
    attemptId,
    token: 'TOKEN-1',
    ref: null,
    limitAt: iso(30),
    holdUntil: iso(45),
    at: iso(0),
  })
  await reactor(minute(0)).react(recorded(issued))
  await reactor(minute(0)).react(recorded(issued))
  const job = [
    expect.objectContaining({ name: 'verify-payment' }),
    { attemptId },
    { id: `${attemptId}-${minute(1).getTime()}`, delayMs: 60_000 },
  ]
  expect(asked).toEqual([job, job])
  await reactor(minute(3 * 24 * 60)).react(recorded(issued))
  expect(asked).toHaveLength(2)
})

test('each answer that is not final enqueues the next check of the schedule, a final one none', async () => {
  const school = till()
  const times: number[] = []
  school.needs.queue = standIn({
    enqueue: async (_job: unknown, _payload: unknown, { delayMs = 0 }: { delayMs?: number }) =>
      void times.push(delayMs / 60_000),
  })
  await school.pay([nshimaOn(2)])
  await school.settle()
  school.clock.now = new Date(school.clock.now.getTime() + 60_000)
  await school.settle()
  school.provider.answers('TOKEN-1', unreachable)
  school.clock.now = new Date(school.clock.now.getTime() + 120_000)
  await school.settle()
  expect(times).toEqual([1, 1, 1])
  school.provider.paid('TOKEN-1')
  await school.settle()
  expect(times).toHaveLength(3)
})

test('the sweep enqueues what is due, and asks itself in the next round where no job did', async () => {
  const school = till()
  const jobs: string[] = []
  await school.pay([nshimaOn(2)])
  school.needs.queue = standIn({ enqueue: async ({ name }: { name: string }) => void jobs.push(name) })
  const check = verifyPayments(school.needs).sweep
  await check.run()
  expect(jobs).toEqual([])
  school.clock.now = new Date(school.clock.now.getTime() + 60_000)
  const before = school.provider.asked.verifies
  await check.run()
  expect([jobs, school.provider.asked.verifies]).toEqual([['verify-payment'], before])
  await check.run()
  expect(school.provider.asked.verifies).toBe(before + 1)
  await check.run()
  expect(school.provider.asked.verifies).toBe(before + 1)
})

test('meals that could not become orders, or were given up, are nothing to settle', () => {
  const { types } = settlePayments(standIn({ queue: { enqueue: async () => {} } })).reactor
  expect(types).not.toContain(linesBlocked.type)
  expect(types).not.toContain(happened.secondWaived.type)
})

const closingAt = (cutoffMinute: number) => ({ cutoffAt: iso(cutoffMinute) })
const token = { issuedAt: minute(0), limitAt: minute(30) }

test('the checks of an attempt: 60 s, 2, 4, 8, 15, 25 min, then 2 and 30 min and 24 h after the limit', () => {
  const times: number[] = []
  for (let at: Date | null = minute(0); at; at = nextCheckAfter(at, token))
    times.push((at.getTime() - minute(0).getTime()) / 60_000)
  expect(times).toEqual([0, 1, 2, 4, 8, 15, 25, 32, 60, 30 + 24 * 60])
})

test('with a short limit the closing comes between them', () =>
  expect(nextCheckAfter(minute(4), { ...token, limitAt: minute(5) })).toEqual(minute(7)))

test('what was missed is made up for by one check', () =>
  expect(nextCheckAfter(minute(100), token)).toEqual(minute(30 + 24 * 60)))

describe('the time limit', () => {
  test.each([
    ['30 minutes', [closingAt(1500)], 30],
    ['fewer before the first cutoff', [closingAt(60), closingAt(12.9), closingAt(1500)], 12],
    ['but at least 5', [closingAt(2)], 5],
    [
      '10 with a meal of a limited dish',
      [closingAt(1500), { ...closingAt(1500), limited: true as const }],
      10,
    ],
  ])('%s', (_name, lines, expected) => expect(limitMinutesOf(lines, minute(0))).toBe(expected))
})

describe("a browser's claims", () => {
  test('"verified" and "failed" move no money', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect((await school.advise('verified')).attempt.status).toBe('processing')
    expect((await school.advise('failed')).attempt.status).toBe('processing')
  })
  test('coming back cancels what is unpaid, and fulfils what is paid', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect((await school.advise('cancelled')).attempt.status).toBe('cancelled')
    expect((await school.slot(2)).status).toBe('free')
    const paid = till()
    await paid.pay([nshimaOn(2)])
    paid.provider.paid('TOKEN-1')
    expect((await paid.advise('cancelled')).attempt.status).toBe('fulfilled')
  })
  test('items withdrawn before the browser leaves stop the payment', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.confirmItems()
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
    school.school.items = [{ ...nshima, isArchived: true }]
    const refused = (await school.confirmItems().catch((error: unknown) => error)) as Refusal
    expect([refused.code, refused.extra]).toEqual([
      'items_unavailable',
      { archivedItems: ['Nshima with relish'], unavailableItems: [], missingItems: [] },
    ])
    expect((await school.attempt(maryAttempt)).status).toBe('cancelled')
  })
})
