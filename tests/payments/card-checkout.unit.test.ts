import { Refusal } from '#kernel/refusal'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { beginning } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { chanda, after, cycle, mary, monday7, nshima } from '../ordering/lunches'
import { atBank, declined, unreachable } from './machine/bank'
import { Crash } from './machine/failing-store'
import { by, key, maryAttempt, nshimaOn, till, oneByOne } from './till'

const codeOf = async (doing: Promise<unknown>) => {
  const outcome = await doing.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return outcome.code
}
const attemptOf = `paymentAttempt-${maryAttempt}`
const second = { idempotencyKey: 'key-2' }
const secondAttempt = attemptIdFor(mary, 'key-2')

describe('E1 and E2: beginning a payment', () => {
  test('answers where to pay, and keeps the days until limit and grace', async () => {
    const school = till()
    const started = await school.pay([nshimaOn(2), nshimaOn(3)])
    expect(started).toEqual({
      token: 'TOKEN-1',
      companyRef: expect.stringMatching(/^LP-[0-9A-Z]{10}$/),
      paymentUrl: 'https://pay.test/?ID=TOKEN-1',
      prompt: null,
    })
    expect(await school.told(attemptOf)).toEqual(['checkout-started', 'provider-token-issued'])
    expect(await school.slot(2)).toMatchObject({
      status: 'reserved',
      attemptId: maryAttempt,
      until: after(monday7, 45).toISOString(),
    })
    expect(school.provider.accounts.get('TOKEN-1')?.request).toEqual({
      reference: started.companyRef,
      amount: 9100,
      unique: true,
      returnUrl: 'https://lunch.school.test/payment/success',
      backUrl: 'https://lunch.school.test/payment/cancel',
      limitMinutes: 30,
      customer: { firstName: 'Mary', lastName: 'Banda', email: 'mary@example.org', phone: null },
      description: 'School lunches x 2 for Chanda',
      serviceAt: new Date('2026-09-15T10:00:00.000Z'),
    })
  })
  test.each([
    [['Chipo Banda'], 'School lunch for Chipo'],
    [['Chipo Banda', 'Mutinta  Banda'], 'School lunches x 2 for Chipo and Mutinta'],
    [['Chipo', 'Mutinta', 'Bupe'], 'School lunches x 3 for Chipo, Mutinta and Bupe'],
    [
      ['Aaaaaaaaaaaaaaaaaaaaaaaaa', 'B'.repeat(25), 'C'.repeat(25), 'D'.repeat(25)],
      `School lunches x 4 for Aaaaaaaaaaaaaaaaaaaaaaaaa, ${'B'.repeat(25)} and 2 more`,
    ],
    [['E'.repeat(120), 'Chipo'], 'School lunches x 2'],
  ])('the provider shows first names: %s', async (names, description) => {
    const school = till()
    school.school.students = names.map((name, index) => ({ ...chanda, id: 300 + index, name }))
    await school.pay(names.map((_, index) => nshimaOn(2, { studentId: 300 + index })))
    expect(school.provider.accounts.get('TOKEN-1')?.request.description).toBe(description)
  })
  test('a meal of the same day shortens the time to its cutoff', async () => {
    const school = till()
    school.clock.now = after(monday7, 48)
    await school.pay([nshimaOn(1), nshimaOn(2)])
    expect(school.provider.accounts.get('TOKEN-1')?.request.limitMinutes).toBe(12)
  })
  test('the same cart again is the same answer, with another key and by a double click', async () => {
    const school = till()
    const [one, other] = await Promise.all([school.pay([nshimaOn(2)]), school.pay([nshimaOn(2)])])
    expect(other).toEqual(one)
    expect(await school.pay([nshimaOn(2)], second)).toEqual(one)
    expect(await school.pay([nshimaOn(2)])).toEqual(one)
    expect(school.provider.accounts.size).toBe(1)
  })
  test('asked again because the answer was lost: that answer too waits until the views show it', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    const { position } = await school.store.end()
    expect(school.written.upTo).toBe(position)
    school.written.upTo = beginning
    await school.pay([nshimaOn(2)])
    expect(school.written.upTo).toBe(position)
  })
  test('by a double click, or asked twice for the outcome: the second answer waits for what the first wrote', async () => {
    const school = till()
    await Promise.all([school.pay([nshimaOn(2)]), school.pay([nshimaOn(2)])])
    school.provider.paid('TOKEN-1')
    school.provider.mood.isDeaf = true
    const second = { upTo: beginning }
    const settle = (written: { upTo: string }) =>
      school.needs.settle(maryAttempt, { source: 'return' }, { ...by, written })
    await Promise.all([settle({ upTo: beginning }), settle(second)])
    expect(second.upTo).toBe((await school.store.end()).position)
  })
  test('by two processes at once, each with a token of its own: both answer the one that is stored', async () => {
    const store = memoryEventStore()
    const first = till(undefined, store)
    const answers: string[] = []
    const meanwhile = async () => {
      if (second.provider.accounts.size > 0 && answers.length === 0) {
        answers.push('asked')
        answers[0] = (await first.pay([nshimaOn(2)])).token
      }
    }
    const second = till(
      oneByOne(() => false, meanwhile),
      store,
    )
    const { createToken } = second.needs.provider!
    second.needs.provider!.createToken = async (request) => ({
      ...(await createToken(request)),
      token: 'ITS-OWN',
    })
    answers.push((await second.pay([nshimaOn(2)])).token)
    const { token } = await second.attempt(maryAttempt)
    expect(answers).toEqual([token!.token, token!.token])
  })
  test('the key of another cart is refused', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect(await codeOf(school.pay([nshimaOn(3)]))).toBe('idempotency_key_reused')
  })
  test.each([
    ['a claimed amount 2 ngwee off', 45.52, 'amount_mismatch'],
    ['a negative amount', -45.5, 'amount_mismatch'],
    ['an amount that is no number', Number.NaN, 'amount_mismatch'],
    ['a huge amount', 1e300, 'amount_mismatch'],
  ])('%s leaves no trace', async (_name, amount, code) => {
    const school = till()
    expect(await codeOf(school.pay([nshimaOn(2)], { amount }))).toBe(code)
    expect(Number((await school.store.end()).events)).toBe(0)
  })
  test('one ngwee off is fine', async () => {
    const school = till()
    await school.pay([nshimaOn(2)], { amount: 45.51 })
  })
  test('nothing to pay is no card payment', async () => {
    const school = till()
    school.school.items = [{ ...nshima, price: 0 }]
    const free = nshimaOn(2, { originalPrice: 0 })
    expect(await codeOf(school.pay([free], { amount: 0 }))).toBe('nothing_to_pay')
  })
  test('with the payment bypass on, without a provider, without an email address', async () => {
    const school = till()
    school.school.isBypassed = true
    expect(await codeOf(school.pay([nshimaOn(2)]))).toBe('payment_bypass')
    school.school.isBypassed = false
    const site = 'https://lunch.school.test'
    const checkout = {
      userId: mary,
      prompt: null,
      ip: '192.0.2.1',
      lines: [nshimaOn(2)],
      useCredit: false,
      claimedAmount: 45.5,
      idempotencyKey: key,
      site,
      by,
    }
    const customer = { name: 'Mary', email: null, phone: null }
    expect(await codeOf(school.start({ ...checkout, customer }))).toBe('email_required')
    school.needs.identity.maySkipEmail = async (userId) => userId === mary
    expect(await school.start({ ...checkout, customer })).toMatchObject({ token: 'TOKEN-1' })
    school.needs.provider = null as never
    expect(await codeOf(school.start({ ...checkout, customer: { ...customer, email: 'm@x.org' } }))).toBe(
      'card_payments_off',
    )
  })
})

describe('E3: no token', () => {
  test.each([
    [
      'refused',
      { kind: 'refused', reason: 'over-limit', code: '905', explanation: 'Limit' },
      'payment_failed',
    ],
    ['unreachable', { kind: 'unreachable', why: 'timeout', detail: null }, 'payment_failed'],
    ['left alone', { kind: 'unavailable', until: monday7 }, 'payments_unavailable'],
    ['misconfigured', { kind: 'config', code: '802', explanation: 'Unknown' }, 'payments_unavailable'],
  ] as const)('%s: the days are free again at once', async (_name, answer, code) => {
    const school = till()
    school.provider.mood.creates = answer
    expect(await codeOf(school.pay([nshimaOn(2)]))).toBe(code)
    expect((await school.attempt(maryAttempt)).status).toBe('create_failed')
    expect((await school.slot(2)).status).toBe('free')
    expect(await codeOf(school.pay([nshimaOn(2)]))).toBe('payment_failed')
    school.provider.mood.creates = 'well'
    await school.pay([nshimaOn(2)], second)
  })
  test.each([
    ['its own words', 'Limit', { Result: '905', ResultExplanation: 'Limit' }],
    ['no words', '', {}],
  ])('refused by the provider with %s', async (_name, explanation, extra) => {
    const school = till()
    school.provider.mood.creates = { kind: 'refused', reason: 'over-limit', code: '905', explanation }
    await expect(school.pay([nshimaOn(2)])).rejects.toMatchObject({
      message: 'Payment initialization failed',
      extra,
    })
  })
  test('a draft that a crash left is given up, and a token that comes late is not shown', async () => {
    const school = till()
    school.provider.mood.creates = 'well'
    const original = school.needs.provider!.createToken
    school.needs.provider!.createToken = async (request) => {
      await school.giveUpDraft()
      return original(request)
    }
    expect(await codeOf(school.pay([nshimaOn(2)]))).toBe('attempt_closed')
    expect((await school.attempt(maryAttempt)).status).toBe('create_failed')
    expect((await school.slot(2)).status).toBe('free')
  })
})

describe('E12: checking out again', () => {
  test('an unpaid earlier payment of one of the days makes room', async () => {
    const school = till()
    await school.pay([nshimaOn(2), nshimaOn(3)])
    await school.pay([nshimaOn(3), nshimaOn(4)], second)
    expect((await school.attempt(maryAttempt)).status).toBe('cancelled')
    expect((await school.slot(2)).status).toBe('free')
    expect(await school.slot(3)).toMatchObject({ status: 'reserved', attemptId: secondAttempt })
  })
  test('another cart on other days leaves it alone', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.pay([nshimaOn(3)], second)
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
  })
  test('one in review of an earlier cycle blocks nothing in a later one', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1', { transaction: { amount: 1000, currency: 'ZMW' } })
    await school.settle()
    expect((await school.attempt(maryAttempt)).status).toBe('review')
    expect(await codeOf(school.pay([nshimaOn(2), nshimaOn(3)], second))).toBe('payment_in_progress')
    school.school.cycle = { ...cycle, id: cycle.id + 1, startDate: '2026-09-21' }
    expect(await school.pay([nshimaOn(2), nshimaOn(3)], second)).toMatchObject({ token: 'TOKEN-2' })
    expect((await school.attempt(maryAttempt)).status).toBe('review')
  })
  test.each([
    ['at the bank', atBank],
    ['unreachable', unreachable],
  ])('%s: a payment is in progress', async (_name, answer) => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', answer)
    expect(await codeOf(school.pay([nshimaOn(2), nshimaOn(3)], second))).toBe('payment_in_progress')
    expect((await school.slot(3)).status).toBe('free')
  })
  test('a token that cannot be cancelled: a payment is in progress', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.cancels('TOKEN-1', { kind: 'refused', code: '999', explanation: 'No' })
    expect(await codeOf(school.pay([nshimaOn(2), nshimaOn(3)], second))).toBe('payment_in_progress')
    expect((await school.attempt(maryAttempt)).status).toBe('processing')
  })
  test('paid meanwhile: its meals are orders, and the cart says so', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    expect(await codeOf(school.pay([nshimaOn(2), nshimaOn(3)], second))).toBe('lines_refused')
    expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
  })
  test('declined before: the old token is cancelled first (rule 12)', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    await school.pay([nshimaOn(2), nshimaOn(3)], second)
    expect(school.provider.asked.cancels).toBe(1)
    expect((await school.attempt(maryAttempt)).status).toBe('declined')
  })
  test('a cart that is wrong anyway does not cost the earlier payment', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    expect(await codeOf(school.pay([nshimaOn(2), nshimaOn(3, { category: 'fish' })], second))).toBe(
      'lines_refused',
    )
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
  })
  test('supersede and a late success: the money is not lost', async () => {
    const school = till()
    await school.pay([nshimaOn(2)])
    await school.pay([nshimaOn(2), nshimaOn(3)], second)
    school.provider.paid('TOKEN-1')
    school.provider.paid('TOKEN-2')
    await school.settle(secondAttempt)
    await school.settle(maryAttempt)
    expect((await school.attempt(secondAttempt)).status).toBe('fulfilled')
    expect(await school.attempt(maryAttempt)).toMatchObject({
      status: 'blocked',
      money: { late: true },
      outcomes: [{ kind: 'blocked', reason: 'duplicate_day' }],
    })
  })
})

test('rule 4: another parent of the child is refused while the day is being paid for', async () => {
  const school = till()
  await school.pay([nshimaOn(2)])
  const other = school.pay([nshimaOn(2)], { userId: 22, idempotencyKey: 'father' })
  expect(await codeOf(other)).toBe('lines_refused')
  expect((await school.attempt(maryAttempt)).status).toBe('initiated')
})

const cart = [nshimaOn(2), nshimaOn(3)]

/** A till whose process dies once, instead of its store's nth append. */
const dyingAt = (step: number) => {
  let lives = 1
  return till(oneByOne((one) => one === step && lives-- > 0))
}

/** Whatever was cut off: one answer from now on, both days held, and no page but the one that was answered. */
const carriesOn = async (school: ReturnType<typeof till>) => {
  const started = await school.pay(cart)
  expect(started).toMatchObject({ companyRef: expect.stringMatching(/^LP-/) })
  expect(await school.pay(cart)).toEqual(started)
  const { attemptId } = (await school.slot(2)) as { attemptId: string }
  const attempt = await school.attempt(attemptId)
  expect(attempt).toMatchObject({ status: 'initiated', token: { token: started.token } })
  expect(await school.slot(3)).toMatchObject({ status: 'reserved', attemptId })
  school.provider.paid(started.token)
  await school.settle(attemptId)
  expect((await school.attempt(attemptId)).status).toBe('fulfilled')
}

// The attempt, its two days, its token.
test.each([0, 1, 2, 3])('killed instead of append %d: the same request carries on', async (step) => {
  const school = dyingAt(step)
  await expect(school.pay(cart)).rejects.toBeInstanceOf(Crash)
  await carriesOn(school)
})

test.each([
  ['before it is asked', false],
  ['once it has made one', true],
])('killed at the token, %s: the same request carries on', async (_when, isMade) => {
  const school = till()
  const { createToken } = school.needs.provider!
  school.needs.provider!.createToken = async (request) => {
    if (isMade) await createToken(request)
    throw new Crash()
  }
  await expect(school.pay(cart)).rejects.toBeInstanceOf(Crash)
  school.needs.provider!.createToken = createToken
  await carriesOn(school)
})

test.each([1, 3])(
  'killed instead of append %d and given up by the sweep: the same request begins anew',
  async (step) => {
    const school = dyingAt(step)
    await expect(school.pay(cart)).rejects.toBeInstanceOf(Crash)
    school.clock.now = after(monday7, 3)
    await school.sweeps()
    expect((await school.attempt(maryAttempt)).status).toBe('create_failed')
    await carriesOn(school)
  },
)

test('asked in two processes at once: both answer the same page', async () => {
  const school = till()
  const { createToken } = school.needs.provider!
  let other: Promise<unknown> | null = null
  const neighbour = till(undefined, school.store)
  school.needs.provider!.createToken = async (request) => {
    other ??= neighbour.pay(cart)
    await other
    return createToken(request)
  }
  neighbour.needs.provider!.createToken = async () => ({ kind: 'created', token: 'TOKEN-9', ref: null })
  expect(await school.pay(cart)).toMatchObject({ token: 'TOKEN-9' })
  expect(await other).toMatchObject({ token: 'TOKEN-9' })
  expect(await school.told(`paymentAttempt-${maryAttempt}`)).toEqual([
    'checkout-started',
    'provider-token-issued',
  ])
})

test('a day that went to somebody else meanwhile is refused, and the other one is free again', async () => {
  const school = dyingAt(1)
  await expect(school.pay(cart)).rejects.toBeInstanceOf(Crash)
  await school.pay([nshimaOn(2)], { idempotencyKey: 'key-2' })
  const refused = await school.pay(cart).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused).toMatchObject({ code: 'lines_refused' })
  expect((await school.slot(3)).status).toBe('free')
  expect(await school.slot(2)).toMatchObject({ attemptId: attemptIdFor(mary, 'key-2') })
  const again = await school.pay(cart).catch((error: unknown) => error)
  expect(again).toBeInstanceOf(Refusal)
})

test('with credit, what a crash left of holding it is held once', async () => {
  const school = dyingAt(2)
  await school.gift(1000)
  await expect(school.pay(cart, { useCredit: true })).rejects.toBeInstanceOf(Crash)
  await school.pay(cart, { useCredit: true })
  expect(await school.credit()).toEqual([0, 1000])
})
