import { Refusal } from '#kernel/refusal'
import { attemptIdFor } from '#modules/payments/checkout/free-checkout.job'
import { after, mary, monday7 } from '../ordering/lunches'
import { Crash } from './machine/failing-store'
import { maryAttempt, nshimaOn, oneByOne, till } from './till'

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
