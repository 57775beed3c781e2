import { Refusal } from '#kernel/refusal'
import { linesBlocked, mismatchAccepted } from '#modules/payments/attempt/events'
import type { AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { nextCheckAfter } from '#modules/payments/attempt/payment.decide'
import { limitMinutesOf } from '#modules/payments/card/issue-token.commands'
import { cardPaymentSweeps, settlePayments } from '#modules/payments/settlement/settle-card-payments.job'
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
      'payment-acknowledged',
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
    expect(school.provider.asked.looks).toBe(1)
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
    expect(school.provider.asked.looks).toBe(1)
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

  test('the provider is told once that we know, by the one who found it paid', async () => {
    const school = await paidTill(2)
    await school.acknowledge()
    expect(school.provider.accounts.get('TOKEN-1')?.acknowledged).toBe(0)
    await Promise.all([school.settle(), school.settle(maryAttempt, 'push')])
    await school.acknowledge()
    expect(school.provider.accounts.get('TOKEN-1')?.acknowledged).toBe(1)
    expect((await school.attempt(maryAttempt)).acknowledged).toBe(true)
    const { eventStore } = school.needs
    const stored = (await eventStore.read([attemptOf])).get(attemptOf)!
    expect(stored.at(-1)).toMatchObject({
      type: 'payments.payment-acknowledged.v1',
      metadata: { actor: 'job:settle-payment' },
    })
  })
  test('nobody who asks waits until the provider is told', async () => {
    const school = await paidTill(2)
    const provider = school.needs.provider!
    const { verify } = provider
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    provider.verify = async (token, how) => {
      if (how.acknowledge) await isAnswered
      return verify(token, how)
    }
    const by = { actor: 'user:1', correlationId: 'request-1' }
    const { attempt, acknowledged } = await school.needs.settle(maryAttempt, { source: 'return' }, by)
    expect(attempt).toMatchObject({ status: 'fulfilled', acknowledged: false })
    expect((await school.attempt(maryAttempt)).acknowledged).toBe(false)
    answer()
    await acknowledged
    expect((await school.attempt(maryAttempt)).acknowledged).toBe(true)
  })
  test('an acknowledgement that is not taken is left to the sweep', async () => {
    const school = await acknowledgedLater()
    expect(await school.attempt(maryAttempt)).toMatchObject({ status: 'fulfilled', acknowledged: false })
    await school.acknowledge()
    expect((await school.attempt(maryAttempt)).acknowledged).toBe(true)
  })
  test('an acknowledgement that is not taken again is a fault of the sweep', async () => {
    const school = await acknowledgedLater()
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

/** Its orders are made; what told the provider so got no answer. */
const acknowledgedLater = async () => {
  const school = await paidTill(2)
  school.provider.mood.isDeaf = true
  await school.settle()
  school.provider.mood.isDeaf = false
  return school
}

const hour = 60
const later = ({ clock }: Awaited<ReturnType<typeof paidTill>>, minutes: number) => {
  clock.now = new Date(clock.now.getTime() + minutes * 60_000)
}
const sweepOf = (school: Awaited<ReturnType<typeof paidTill>>, named: string) =>
  cardPaymentSweeps(school.needs).find(({ name }) => name === named)!.run

describe('telling the provider that we know, again and again', () => {
  test('ever more rarely while it does not listen, and no more after a day, which the history tells', async () => {
    const school = await acknowledgedLater()
    school.provider.answers('TOKEN-1', unreachable)
    const tries: number[] = []
    for (let passed = 0; passed <= 26 * hour; passed += 1) {
      const before = school.provider.asked.acknowledgements
      // Whichever process has its turn.
      await sweepOf(school, 'acknowledge-card-payments')().catch(() => undefined)
      if (school.provider.asked.acknowledgements > before) tries.push(passed)
      later(school, 1)
    }
    expect(tries.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 32, 64])
    expect(tries.length).toBeLessThan(32)
    expect((await school.told(attemptOf)).at(-1)).toBe('acknowledgement-given-up')
    expect(tries.at(-1)!).toBeLessThanOrEqual(24 * hour)
  })

  test('at least once, however long nobody was there to tell it', async () => {
    const school = await acknowledgedLater()
    later(school, 30 * hour)
    await sweepOf(school, 'acknowledge-card-payments')()
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

test('when a mismatch is accepted it is settled', async () =>
  expect(await jobsAfter(accepted)).toEqual([settle]))

test('where the orders of a paid one cannot be made a job tries again, once for each fault', async () => {
  const school = await paidTill(2)
  const jobs: unknown[] = []
  school.needs.queue = standIn({ enqueue: async (...job: unknown[]) => void jobs.push(job) })
  school.school.isBroken = true
  expect((await school.settle()).attempt.status).toBe('paid')
  const job = [
    expect.objectContaining({ name: 'settle-payment' }),
    { attemptId: maryAttempt },
    { id: `settle-${maryAttempt}-0` },
  ]
  expect(jobs).toEqual([job])
  expect(school.provider.asked.acknowledgements).toBe(0)
})

test.each(['review', 'declined', 'create_failed'] as const)(
  'a retry of an attempt that is %s has a job of its own',
  async (prior) =>
    expect(await jobsAfter(happened.recovering(prior))).toEqual([['recover-payment', { attemptId }]]),
)

test('the sweep asks after an open token at each time of the schedule, once, whoever asked meanwhile', async () => {
  const school = till()
  await school.pay([nshimaOn(2)])
  const asked: number[] = []
  for (let passed = 0; passed <= 40; passed += 0.5) {
    if (passed === 3) await school.settle()
    const before = school.provider.asked.looks
    await sweepOf(school, 'check-card-payments')()
    if (school.provider.asked.looks > before) asked.push(passed)
    later(school, 0.5)
  }
  expect(asked).toEqual([1, 2, 4, 8, 15, 25, 32])
  school.provider.paid('TOKEN-1')
  later(school, 20)
  await sweepOf(school, 'check-card-payments')()
  expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
  const looks = school.provider.asked.looks
  later(school, 2 * 24 * hour)
  await sweepOf(school, 'check-card-payments')()
  expect(school.provider.asked.looks).toBe(looks)
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
