import type { PayWay } from '#contracts/ordering'
import type { PaymentBypass } from '#contracts/payments'
import { Refusal } from '#kernel/refusal'
import { instructionsLetter, paymentReply, visibleBypass } from '#modules/payments/alternative/instructions'
import { payByOf } from '#modules/payments/attempt/payment-attempt'
import { attemptIdFor } from '#modules/payments/checkout/place-order.commands'
import { countUnpaidOfAccount } from '#modules/payments/checkout/unpaid-meals.commands'
import { checkoutStarted, unpaidMealsCounted } from '#modules/payments/published'
import { mary, tuesdayMeal } from '../ordering/lunches'
import { recorded } from '../support/recorded-events'
import { standIn } from '../support/stand-ins'
import { airtelAndBank } from './alternative-canteen'
import { attemptId, checkout, iso, total, tuesday } from './attempt-words'
import { atBank, declined, unreachable } from './machine/bank'
import { Crash } from './machine/failing-store'
import { maryAttempt, nshimaOn, oneByOne, till } from './till'

const refusalOf = async (doing: Promise<unknown>) => {
  const outcome = await doing.catch((error: unknown) => error)
  if (!(outcome instanceof Refusal)) throw new Error(`Not refused: ${JSON.stringify(outcome)}`)
  return outcome
}

const counter = (...machine: Parameters<typeof till>) => {
  const school = till(...machine)
  school.school.hasAlternative = true
  const order = (lines: Parameters<typeof school.place>[0], payBy: PayWay = 'airtel', key = 'airtel-1') =>
    school.place(lines, key, mary, false, payBy)
  return { ...school, order }
}
const airtelAttempt = attemptIdFor(mary, 'airtel-1')

describe('a cart that is paid for in a chosen way', () => {
  test('is ordered at once, and attempt and orders know the way', async () => {
    const school = counter()
    const orders = await school.order([nshimaOn(2), nshimaOn(3)])
    expect(orders.map(({ paymentStatus, payBy }) => [paymentStatus, payBy])).toEqual([
      ['pending', 'airtel'],
      ['pending', 'airtel'],
    ])
    const { checkout } = await school.attempt(airtelAttempt)
    expect([checkout.kind, checkout.payBy]).toEqual(['alternative', 'airtel'])
  })

  test('without a way it is paid for otherwise, by card by card, and free by nothing', async () => {
    const school = counter()
    expect(await school.place([nshimaOn(2)])).toMatchObject([{ payBy: 'other' }])
    await school.pay([nshimaOn(4)])
    school.provider.paid('TOKEN-1')
    await school.settle()
    expect(payByOf(await school.attempt(maryAttempt))).toBe('card')
    expect(await school.slot(4)).toMatchObject({ status: 'ordered' })
  })

  test('the same key with another way is another order', async () => {
    const school = counter()
    const first = await school.order([nshimaOn(2)])
    expect(await school.order([nshimaOn(2)])).toEqual(first)
    expect((await refusalOf(school.order([nshimaOn(2)], 'bank'))).code).toBe('idempotency_key_reused')
  })

  test('a way that the school does not take is refused before anything is given up for it', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    const { code } = await refusalOf(school.order([nshimaOn(2)], 'mtn'))
    expect(code).toBe('way_not_offered')
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
    expect(school.provider.asked.cancels).toBe(0)
  })
})

describe('while a card payment of the same days may still be paid (E12)', () => {
  test('unpaid it makes room: one lunch, one way', async () => {
    const school = counter()
    await school.pay([nshimaOn(2), nshimaOn(3)])
    await school.order([nshimaOn(3), nshimaOn(4)])
    expect((await school.attempt(maryAttempt)).status).toBe('cancelled')
    expect((await school.slot(2)).status).toBe('free')
    expect(await school.slot(3)).toMatchObject({ status: 'ordered', order: { attempt_id: airtelAttempt } })
  })

  test('on other days it is left alone', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    await school.order([nshimaOn(3)])
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
  })

  test.each([
    ['at the bank', atBank],
    ['unreachable', unreachable],
  ])('%s: a payment is in progress', async (_name, answer) => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', answer)
    expect((await refusalOf(school.order([nshimaOn(2), nshimaOn(3)]))).code).toBe('payment_in_progress')
    expect((await school.slot(3)).status).toBe('free')
    expect((await school.attemptOf(airtelAttempt)).status).toBe('none')
  })

  test('a token that cannot be cancelled: a payment is in progress', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    school.provider.cancels('TOKEN-1', { kind: 'refused', code: '999', explanation: 'No' })
    expect((await refusalOf(school.order([nshimaOn(2)]))).code).toBe('payment_in_progress')
  })

  test('paid meanwhile: its meals are orders, and the cart says so', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    expect((await refusalOf(school.order([nshimaOn(2)]))).extra.lines).toMatchObject([
      { code: 'already_ordered' },
    ])
    expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
  })

  test('declined: the other way is open at once, and the declined card can no longer be tried', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    await school.order([nshimaOn(2)])
    expect(school.provider.asked.cancels).toBe(1)
  })

  test('a cart that is wrong anyway does not cost the card payment', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    const wrong = [nshimaOn(2), nshimaOn(3, { category: 'fish' })]
    expect((await refusalOf(school.order(wrong))).code).toBe('lines_refused')
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
  })

  test('superseded and paid after all: the money is owed, the meal is made once', async () => {
    const school = counter()
    await school.pay([nshimaOn(2)])
    await school.order([nshimaOn(2)])
    school.provider.paid('TOKEN-1')
    await school.settle()
    expect(await school.attempt(maryAttempt)).toMatchObject({
      status: 'blocked',
      money: { late: true },
      outcomes: [{ kind: 'blocked', reason: 'duplicate_day' }],
    })
    expect(await school.slot(2)).toMatchObject({ order: { attempt_id: airtelAttempt } })
  })
})

describe('card and another way for the same day at once', () => {
  test.each([0, 1, 2, 3, 4, 5])('%s steps apart: one lunch, one way', async (steps) => {
    const school = counter(oneByOne())
    const later = async () => {
      for (let step = 0; step < steps; step += 1) await Promise.resolve()
      return school.order([nshimaOn(2)])
    }
    const outcomes = await Promise.allSettled([school.pay([nshimaOn(2)]), later()])
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Refusal)
    if (school.provider.accounts.has('TOKEN-1')) {
      school.provider.paid('TOKEN-1')
      await school.settle()
    }
    const told = await school.told('mealSlot-118.2026-09-15')
    expect(told.filter((name) => name === 'lunch-ordered')).toHaveLength(1)
  })
})

test('cut off by a crash it is finished in the way that was chosen', async () => {
  let lives = 1
  const school = counter(oneByOne((step) => step === 1 && lives-- > 0))
  await expect(school.order([nshimaOn(2)])).rejects.toBeInstanceOf(Crash)
  expect((await school.attempt(airtelAttempt)).status).toBe('draft')
  await school.complete(airtelAttempt)
  expect(await school.order([nshimaOn(2)])).toMatchObject([{ payBy: 'airtel', paymentStatus: 'pending' }])
})

const off: PaymentBypass = { ...airtelAndBank, enabled: false }
const blank: PaymentBypass = { ...off, airtelMoney: { name: '', number: '' } }

const prompts = { ...off, prompt: true }
const besidePrompts = { ...off, beside: true, prompt: true }
const onlyByHand = { ...airtelAndBank, prompt: true }

test.each([
  ['parent', true, airtelAndBank, airtelAndBank],
  ['teacher', true, airtelAndBank, airtelAndBank],
  ['parent', true, off, blank],
  ['teacher', true, off, blank],
  ['admin', true, off, off],
  ['parent', true, prompts, { ...blank, prompt: true }],
  ['parent', false, prompts, blank],
  ['parent', true, besidePrompts, besidePrompts],
  ['parent', true, onlyByHand, { ...onlyByHand, prompt: false }],
  ['admin', false, prompts, prompts],
] as const)('a %s (cards: %s) sees of the settings what they may', (role, hasCards, settings, seen) =>
  expect(visibleBypass(settings, blank, { role, hasCards })).toEqual(seen),
)

test('only ways that were filled in are told', () => {
  const { instructions } = paymentReply({ reference: 'LP-7K3QW9', amount: 4550 }, airtelAndBank)
  expect(Object.keys(instructions)).toEqual(['message', 'airtelMoney', 'bankTransfer'])
})

test('the letter tells how much, by which reference and how', () => {
  const meals = [
    tuesdayMeal,
    { ...tuesdayMeal, index: 1, mealDate: '2026-09-16', sideDish: null },
    { ...tuesdayMeal, index: 2, mealDate: '2026-09-17', category: null, sideDish: null },
  ]
  const letter = instructionsLetter({ reference: 'LP-7K3QW9', amount: 13_650, meals }, airtelAndBank)
  const rest = `
Please pay K136.50 and give the reference LP-7K3QW9 with your payment, so that we know it is yours.

Airtel Money
  Name: Lusaka Test School
  Number: 0970 000 001

Bank transfer
  Bank: Zanaco
  Account name: Tuckshop
  Account number: 0012345
  Branch: Cairo Road

Your order is shown as "Payment Pending" until we have seen the payment.`
  expect(letter).toEqual({
    subject: 'How to pay (LP-7K3QW9): ordered for Chanda, 15 to 17 Sept',
    bareSubject: 'How to pay (LP-7K3QW9): ordered, 15 to 17 Sept',
    text: `thank you for ordering 3 meals:

Chanda
- Tuesday, 15 September 2026: Nshima with relish (beef, Cabbage), K45.50
- Wednesday, 16 September 2026: Nshima with relish (beef), K45.50
- Thursday, 17 September 2026: Nshima with relish, K45.50
${rest}`,
    bareText: `thank you for ordering 3 meals:
- Tuesday, 15 September 2026: a meal, K45.50
- Wednesday, 16 September 2026: a meal, K45.50
- Thursday, 17 September 2026: a meal, K45.50
${rest}`,
    short:
      'Ordered: 3 meals (Tue 15 Sept, Wed 16 Sept, Thu 17 Sept). Please pay K136.50, reference LP-7K3QW9.',
  })
  const until = '08:00 on Tuesday, 15 September 2026'
  const lapsing = instructionsLetter({ reference: 'LP-7K3QW9', amount: 4550, meals, until }, airtelAndBank)
  expect(lapsing.text).toContain(`is cancelled: the first one at ${until}.`)
  expect(letter.text).not.toContain('is cancelled')
  const one = instructionsLetter(
    { reference: 'LP-7K3QW9', amount: 4550, meals: [tuesdayMeal] },
    airtelAndBank,
  )
  expect(one.text).toContain('ordering a meal:')
})

test('a count whose attempt the store has not stored yet is waited for, so that its meals count too', async () => {
  const counted = recorded(unpaidMealsCounted({ userId: mary, attemptId, at: iso(0) }))
  const begun = recorded(checkoutStarted({ ...checkout, kind: 'alternative', total, at: iso(0) }))
  const countWhenStored = (isStored: (look: number) => boolean, unpaid: number) => {
    let looks = 0
    const read = async ([stream]: readonly string[]) => {
      if (stream!.startsWith('unpaidMeals-')) return new Map([[stream!, [counted]]])
      looks += 1
      return new Map(isStored(looks) ? [[stream!, [begun]]] : [])
    }
    const ordering = { totals: async () => new Map([[mary, { orders: unpaid }]]) }
    const needs = { eventStore: { read }, viewsInclude: async () => {}, ordering }
    const asked = { userId: mary, attemptId: maryAttempt, at: new Date(iso(0)) }
    return countUnpaidOfAccount(standIn(needs), asked, [tuesday])
  }
  expect(begun.data).toMatchObject({ lines: { length: 2 } })
  const refused = await refusalOf(countWhenStored((look) => look > 1, 38))
  expect(refused.message).toContain('would have 41 with these')
  await expect(countWhenStored((look) => look > 1, 37)).resolves.toBeDefined()
  // A crash between the two leaves a count without an attempt.
  await expect(countWhenStored(() => false, 39)).resolves.toBeDefined()
})
