import { Refusal } from '#kernel/refusal'
import { payByOf, phonesThatPaid } from '#modules/payments/attempt/payment-attempt'
import type { MobileOptionsAnswer, PromptAnswer } from '#modules/payments/providers/provider'
import { monday7, nshima } from '../ordering/lunches'
import { declined, unpaid, unreachable } from './machine/bank'
import { Crash } from './machine/failing-store'
import { maryAttempt, nshimaOn, oneByOne, till } from './till'

const airtel = { network: 'airtel', phone: '+260977123456' } as const
const mtn = { network: 'mtn', phone: '+260966111222' } as const

const open = (...asked: Parameters<typeof till>) => {
  const school = till(...asked)
  school.school.hasPrompts = true
  const account = () => school.provider.accounts.get('TOKEN-1')!
  return {
    ...school,
    account,
    payByPhone: (prompt = { ...airtel } as typeof airtel | typeof mtn, idempotencyKey = 'key-1') =>
      school.pay([nshimaOn(2)], { prompt, idempotencyKey }),
    later: (seconds: number) => {
      school.clock.now = new Date(school.clock.now.getTime() + seconds * 1000)
    },
    phones: () => account().prompts.map(({ phone }) => phone),
  }
}

const codeOf = async (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

describe('a payment by phone', () => {
  test('sends one prompt, by the names that the provider gave for Zambia', async () => {
    const school = open()
    expect(await school.payByPhone()).toMatchObject({
      token: 'TOKEN-1',
      prompt: {
        phone: '+260 97• ••• 456',
        network: 'airtel',
        instructions: 'Enter your PIN',
        expiresAt: new Date(monday7.getTime() + 300_000).toISOString(),
        againAt: new Date(monday7.getTime() + 60_000).toISOString(),
      },
    })
    expect(school.account().prompts).toEqual([
      { phone: '260977123456', option: { name: 'AirtelZM', country: 'zambia', countryCode: '260' } },
    ])
    expect(await school.attempt(maryAttempt)).toMatchObject({
      status: 'initiated',
      prompt: { requests: [expect.any(String)] },
    })
  })

  test('approved: the meals are ordered and paid by that network', async () => {
    const school = open()
    await school.payByPhone()
    school.provider.paid('TOKEN-1', { method: 'AirtelZM' })
    await school.settle()
    const attempt = await school.attempt(maryAttempt)
    expect([attempt.status, payByOf(attempt)]).toEqual(['fulfilled', 'airtel'])
    expect(await school.slot(2)).toMatchObject({ status: 'ordered' })
  })

  test.each([
    ['MTN MoMo', 'mtn'],
    ['AIRTELZM', 'airtel'],
    ['Visa', 'card'],
    [null, 'airtel'],
  ])('the method reported as paid wins over the one asked for: %s', async (method, payBy) => {
    const school = open()
    await school.payByPhone()
    school.provider.paid('TOKEN-1', { method })
    await school.settle()
    expect(payByOf(await school.attempt(maryAttempt))).toBe(payBy)
  })

  test('needs no address, but the school must send prompts', async () => {
    const school = open()
    school.school.hasPrompts = false
    expect(await codeOf(school.payByPhone())).toBe('prompt_off')
    expect(school.provider.asked.prompts).toBe(0)
    school.school.hasPrompts = true
    const checkout = {
      userId: 1,
      prompt: airtel,
      ip: '192.0.2.1',
      lines: [nshimaOn(2)],
      useCredit: false,
      claimedAmount: 45.5,
    }
    const customer = { name: 'Mary', email: null, phone: null }
    const by = { actor: 'user:1', correlationId: 'x' }
    const asked = { ...checkout, customer, idempotencyKey: 'key-9', site: 'https://x.test', by }
    expect(await codeOf(school.start(asked))).not.toBe('email_required')
  })
})

describe('a prompt that cannot be sent', () => {
  const options: [string, MobileOptionsAnswer][] = [
    ['no options', { kind: 'options', options: [] }],
    [
      'another country',
      { kind: 'options', options: [{ name: 'Airtel', country: 'kenya', countryCode: '254' }] },
    ],
    [
      'another network',
      { kind: 'options', options: [{ name: 'MTN', country: 'zambia', countryCode: '260' }] },
    ],
    ['no answer', unreachable],
    ['wrong credentials', { kind: 'config', code: '802', explanation: '' }],
  ]
  test.each(options)('%s: cancels the token and frees the days', async (_, answer) => {
    const school = open()
    school.provider.mood.options = answer
    const refused = await school.payByPhone().catch((error: Refusal) => error)
    expect(refused).toMatchObject({
      code: 'prompt_unavailable',
      message: 'Airtel Money cannot be reached at the moment. Choose another way to pay; nothing was taken.',
    })
    expect([school.account().state, school.provider.asked.prompts]).toEqual(['cancelled', 0])
    expect((await school.attempt(maryAttempt)).status).toBe('cancelled')
    expect(await school.slot(2)).toMatchObject({ status: 'free' })
  })

  const refusals: [string, PromptAnswer][] = [
    ['this number is refused', { kind: 'refused', code: '999', explanation: 'Wrong number' }],
    ['the request is refused', { kind: 'config', code: '950', explanation: '' }],
  ]
  test.each(refusals)('%s: the same', async (_, answer) => {
    const school = open()
    school.provider.mood.prompts = answer
    expect(await codeOf(school.payByPhone())).toBe('prompt_unavailable')
    expect((await school.attempt(maryAttempt)).status).toBe('cancelled')
    expect(school.school.promptsLeft).toBe(10)
  })

  test.each(refusals)('%s: the repeat of the request is told the same', async (_, answer) => {
    const school = open()
    school.provider.mood.prompts = answer
    for (const _repeat of [1, 2, 3]) expect(await codeOf(school.payByPhone())).toBe('prompt_unavailable')
    expect(school.provider.asked.prompts).toBe(1)
  })
  test.each(options)('%s: the repeat of the request is told the same', async (_, answer) => {
    const school = open()
    school.provider.mood.options = answer
    for (const _repeat of [1, 2]) expect(await codeOf(school.payByPhone())).toBe('prompt_unavailable')
  })

  test('where the provider does not cancel, the attempt stays until its time limit', async () => {
    const school = open()
    school.provider.mood.prompts = { kind: 'refused', code: '999', explanation: '' }
    school.provider.mood.pause = async () => {
      const account = school.provider.accounts.get('TOKEN-1')
      if (account) account.saysToCancel = { kind: 'refused', code: '999', explanation: '' }
    }
    expect(await codeOf(school.payByPhone())).toBe('prompt_unavailable')
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
    expect(await school.slot(2)).toMatchObject({ status: 'reserved' })
    // Nothing is on the phone, so that nobody is told to answer it.
    school.provider.mood.prompts = 'well'
    expect(await school.payByPhone(airtel, 'key-2')).toMatchObject({ prompt: { network: 'airtel' } })
    expect(school.phones()).toHaveLength(1)
  })

  test('no answer to the charge changes nothing, and verifying settles it', async () => {
    const school = open()
    school.provider.mood.prompts = 'lost'
    expect(await school.payByPhone()).toMatchObject({ prompt: { instructions: null } })
    expect((await school.attempt(maryAttempt)).status).toBe('initiated')
    school.provider.paid('TOKEN-1')
    await school.settle()
    expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
  })

  test('paid already is settled at once', async () => {
    const school = open()
    school.provider.mood.prompts = { kind: 'paid', code: '200' }
    school.provider.mood.pause = async () => {
      const account = school.provider.accounts.get('TOKEN-1')
      if (account && school.provider.asked.prompts > 0)
        Object.assign(account, { state: 'paid', way: 'exactly' })
    }
    expect(await school.payByPhone()).toMatchObject({ prompt: null })
    expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
  })
})

describe('no prompt is sent twice unasked', () => {
  test('the same request again', async () => {
    const school = open()
    const first = await school.payByPhone()
    expect(await school.payByPhone()).toEqual(first)
    expect(school.phones()).toEqual(['260977123456'])
  })

  test('twenty at once', async () => {
    const school = open()
    await Promise.all(Array.from({ length: 20 }, () => school.payByPhone()))
    expect(school.phones()).toHaveLength(1)
  })

  test('the same key for another phone is refused, also after another one was asked', async () => {
    const school = open()
    const elsewhere = { ...airtel, phone: '+260977999888' }
    await school.payByPhone()
    expect(await codeOf(school.payByPhone(elsewhere as never))).toBe('idempotency_key_reused')
    school.later(61)
    await school.payByPhone(elsewhere as never, 'key-2')
    expect(await codeOf(school.payByPhone(elsewhere as never))).toBe('idempotency_key_reused')
    expect(await school.payByPhone()).toMatchObject({ token: 'TOKEN-1' })
  })

  test('the same key for another network is refused', async () => {
    const school = open()
    await school.payByPhone()
    expect(await codeOf(school.payByPhone(mtn))).toBe('idempotency_key_reused')
    expect(await codeOf(school.pay([nshimaOn(2)]))).toBe('idempotency_key_reused')
  })

  test('a process that dies at any of its appends leaves at most one, and the repeat sends the first', async () => {
    for (let dying = 0; dying < 8; dying += 1) {
      let died = false
      const once = (step: number) => step === dying && !died && (died = true)
      const school = open(oneByOne(once))
      await school.payByPhone().catch((error: unknown) => expect(error).toBeInstanceOf(Crash))
      await school.sweeps()
      expect(school.provider.accounts.get('TOKEN-1')?.prompts.length ?? 0).toBeLessThan(2)
      if (!died) continue
      const answer = await school.payByPhone()
      const sent = [...school.provider.accounts.values()].flatMap(({ prompts }) => prompts)
      expect([dying, sent.length]).toEqual([dying, 1])
      expect(answer.prompt).not.toBeNull()
    }
  })
})

describe('again (E22)', () => {
  const waiting = async () => {
    const school = open()
    await school.payByPhone()
    return school
  }
  const ended = async (answer = declined) => {
    const school = await waiting()
    school.provider.answers('TOKEN-1', answer)
    await school.settle()
    return school
  }

  test('while one waits, none is sent', async () => {
    const school = await waiting()
    expect(await codeOf(school.promptAgain())).toBe('prompt_waiting')
    expect(school.phones()).toHaveLength(1)
  })

  test('a minute later without an answer it is sent again', async () => {
    const school = await waiting()
    school.later(60)
    const { attempt } = await school.promptAgain()
    expect(attempt).toMatchObject({
      status: 'processing',
      prompt: { requests: [expect.any(String), expect.any(String)] },
    })
    expect(school.phones()).toHaveLength(2)
  })

  test('the same request repeated after a crash sends none, however late', async () => {
    const school = await waiting()
    school.later(60)
    await school.promptAgain({}, maryAttempt, 'again-1')
    school.later(120)
    await school.promptAgain({}, maryAttempt, 'again-1')
    expect(school.phones()).toHaveLength(2)
    school.later(120)
    await school.payByPhone()
    expect(school.phones()).toHaveLength(2)
  })

  test('nor does the same cart with another key, repeated', async () => {
    const school = await ended()
    await school.payByPhone(airtel, 'key-2')
    school.later(120)
    await school.payByPhone(airtel, 'key-2')
    expect(school.phones()).toHaveLength(2)
  })

  test.each([
    ['declined', declined],
    ['cancelled', { kind: 'cancelled', code: '904', explanation: '' }],
    ['expired', { kind: 'expired', code: '903', explanation: '' }],
  ] as const)('after it was %s the days are held anew', async (status, answer) => {
    const school = await ended(answer as typeof declined)
    expect((await school.attempt(maryAttempt)).status).toBe(status)
    expect(await school.slot(2)).toMatchObject({ status: 'free' })
    const { attempt } = await school.promptAgain()
    expect(attempt.status).toBe('processing')
    expect(await school.slot(2)).toMatchObject({ status: 'reserved', attemptId: maryAttempt })
    expect(await school.told(`paymentAttempt-${maryAttempt}`)).toEqual(
      expect.arrayContaining(['payment-reopened', 'prompt-asked']),
    )
    school.provider.paid('TOKEN-1')
    await school.settle()
    expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
  })

  test('to another number and network', async () => {
    const school = await ended()
    const { attempt } = await school.promptAgain(mtn)
    expect(payByOf(attempt)).toBe('mtn')
    expect(school.phones()).toEqual(['260977123456', '260966111222'])
  })

  test('credit is held anew', async () => {
    const school = open()
    await school.gift(1000)
    await school.pay([nshimaOn(2)], { prompt: airtel, useCredit: true })
    expect(await school.credit()).toEqual([0, 1000])
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    expect(await school.credit()).toEqual([1000, 0])
    await school.promptAgain()
    expect(await school.credit()).toEqual([0, 1000])
  })

  test('credit spent meanwhile: nothing is sent', async () => {
    const school = open()
    await school.gift(1000)
    await school.pay([nshimaOn(2)], { prompt: airtel, useCredit: true })
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    school.school.items = [{ ...nshima, price: 1000 }]
    await school.place([nshimaOn(3, { originalPrice: 10 })], 'key-2', undefined, true)
    expect(await codeOf(school.promptAgain())).toBe('lines_refused')
    expect(school.phones()).toHaveLength(1)
  })

  test('a day taken meanwhile: nothing is sent', async () => {
    const school = await ended()
    await school.pay([nshimaOn(2)], { userId: 9 })
    expect(await codeOf(school.promptAgain())).toBe('already_ordered')
    expect((await school.attempt(maryAttempt)).status).toBe('declined')
    expect(school.phones()).toHaveLength(1)
  })

  test('a day closed meanwhile: nothing is sent', async () => {
    const school = await ended()
    school.school.cycle = { ...school.school.cycle!, blockedDays: [{ week: 1, day: 2 }] }
    expect(await codeOf(school.promptAgain())).toBe('lines_refused')
    expect(school.phones()).toHaveLength(1)
  })

  test('where the school sends none any more, but a payment is known', async () => {
    const school = await ended()
    school.school.hasPrompts = false
    expect(await codeOf(school.promptAgain())).toBe('prompt_off')
    school.provider.paid('TOKEN-1')
    expect((await school.promptAgain()).attempt.status).toBe('fulfilled')
  })

  test('past the time limit', async () => {
    const school = await ended()
    school.later(31 * 60)
    expect(await codeOf(school.promptAgain())).toBe('payment_expired')
  })

  test('paid meanwhile: nothing is sent', async () => {
    const school = await ended()
    school.provider.paid('TOKEN-1')
    const { attempt } = await school.promptAgain()
    expect([attempt.status, school.phones().length]).toEqual(['fulfilled', 1])
  })

  test('the sixth of an attempt', async () => {
    const school = await waiting()
    for (let sent = 1; sent < 5; sent += 1) {
      school.later(60)
      await school.promptAgain()
    }
    school.later(60)
    expect(await codeOf(school.promptAgain())).toBe('too_many_prompts')
    expect(school.phones()).toHaveLength(5)
  })

  test('too many of a number', async () => {
    const school = await ended()
    school.school.promptsLeft = 0
    expect(await codeOf(school.promptAgain())).toBe('too_many_requests')
    expect(await school.slot(2)).toMatchObject({ status: 'free' })
    expect(await codeOf(school.payByPhone(airtel, 'key-2'))).toBe('too_many_requests')
  })

  test('too many of a number at create: nothing is held', async () => {
    const school = open()
    school.school.promptsLeft = 0
    expect(await codeOf(school.payByPhone())).toBe('too_many_requests')
    expect(await school.attemptOf(maryAttempt)).toMatchObject({ status: 'none' })
    expect(await school.slot(2)).toMatchObject({ status: 'free' })
  })

  test('abandoned or superseded: it has ended', async () => {
    const school = await waiting()
    await school.settle()
    await school.abandon()
    expect(await codeOf(school.promptAgain())).toBe('attempt_closed')

    const other = await waiting()
    await other.settle()
    await other.pay([nshimaOn(2, { comments: 'another cart' })], { idempotencyKey: 'key-2' })
    expect((await other.attempt(maryAttempt)).status).toBe('cancelled')
    expect(await codeOf(other.promptAgain())).toBe('attempt_closed')
  })
})

describe('the same cart', () => {
  test('by card: the token of its prompt', async () => {
    const school = open()
    await school.payByPhone()
    expect(await school.pay([nshimaOn(2)], { idempotencyKey: 'key-2' })).toMatchObject({
      token: 'TOKEN-1',
      prompt: null,
    })
    expect(payByOf(await school.attempt(maryAttempt))).toBe('card')
  })

  test('by card after the prompt was declined', async () => {
    const school = open()
    await school.payByPhone()
    school.provider.answers('TOKEN-1', declined)
    await school.settle()
    expect(await school.pay([nshimaOn(2)], { idempotencyKey: 'key-2' })).toMatchObject({ token: 'TOKEN-1' })
    expect((await school.attempt(maryAttempt)).status).toBe('processing')
    expect(await school.slot(2)).toMatchObject({ status: 'reserved' })
  })

  test('by phone after the card page', async () => {
    const school = open()
    await school.pay([nshimaOn(2)])
    expect(await school.payByPhone(airtel, 'key-2')).toMatchObject({ token: 'TOKEN-1', prompt: {} })
    expect(payByOf(await school.attempt(maryAttempt))).toBe('airtel')
  })

  test('to another number: once the last has ended', async () => {
    const school = open()
    await school.payByPhone()
    expect(await codeOf(school.payByPhone(mtn, 'key-2'))).toBe('prompt_waiting')
    school.provider.answers('TOKEN-1', declined)
    expect(await school.payByPhone(mtn, 'key-3')).toMatchObject({ token: 'TOKEN-1' })
    expect(school.phones()).toEqual(['260977123456', '260966111222'])
  })

  test('to the same number from another page: the prompt that waits', async () => {
    const school = open()
    const first = await school.payByPhone()
    expect(await school.payByPhone(airtel, 'key-2')).toEqual(first)
    expect(school.phones()).toHaveLength(1)
  })
})

test('an older prompt approved after a newer one: one payment', async () => {
  const school = open()
  await school.payByPhone()
  school.later(60)
  await school.promptAgain()
  school.provider.paid('TOKEN-1')
  await school.settle()
  await school.settle()
  expect(await school.told(`paymentAttempt-${maryAttempt}`)).toEqual(
    expect.arrayContaining(['payment-verified', 'orders-created']),
  )
  expect(
    (await school.told(`paymentAttempt-${maryAttempt}`)).filter((one) => one === 'payment-verified'),
  ).toHaveLength(1)
})

test('paid after it was declined still wins', async () => {
  const school = open()
  await school.payByPhone()
  school.provider.answers('TOKEN-1', declined)
  await school.settle()
  school.provider.paid('TOKEN-1')
  await school.settle()
  expect((await school.attempt(maryAttempt)).status).toBe('fulfilled')
})

test('nobody answers: the attempt expires after its limit', async () => {
  const school = open()
  await school.payByPhone()
  school.provider.answers('TOKEN-1', unpaid)
  school.later(33 * 60)
  await school.settle()
  expect((await school.attempt(maryAttempt)).status).toBe('expired')
})

describe('the phones that may have paid', () => {
  const elsewhere = { network: 'airtel', phone: '+260977999888' } as const
  const page = null

  /** A prompt to the first phone, and then these. */
  const asked = async (...then: ('ended' | 'page' | typeof elsewhere | typeof mtn)[]) => {
    const school = open()
    await school.payByPhone()
    for (const [index, next] of then.entries()) {
      school.later(61)
      if (next === 'page') await school.pay([nshimaOn(2)], { idempotencyKey: `page-${index}` })
      else if (next === 'ended') {
        school.provider.answers('TOKEN-1', declined)
        await school.settle()
        school.account().says = null
      } else await school.promptAgain(next, maryAttempt, `again-${index}`)
    }
    return school
  }
  const thatPaid = async (school: Awaited<ReturnType<typeof asked>>, method: string | null = null) => {
    school.provider.paid('TOKEN-1', { method })
    await school.settle()
    return phonesThatPaid(await school.attempt(maryAttempt))
  }

  test('nobody has, before it is paid', async () => {
    const school = await asked()
    expect(phonesThatPaid(await school.attempt(maryAttempt))).toEqual([])
  })

  test('the one that was asked', async () => {
    expect(await thatPaid(await asked())).toEqual([airtel.phone])
  })

  test('the one that was asked, also after it had been declined', async () => {
    expect(await thatPaid(await asked('ended'))).toEqual([airtel.phone])
  })

  test('the second, where the first had ended', async () => {
    expect(await thatPaid(await asked('ended', elsewhere))).toEqual([elsewhere.phone])
  })

  test('either, where the first was still unanswered', async () => {
    expect(await thatPaid(await asked(elsewhere))).toEqual([airtel.phone, elsewhere.phone])
  })

  test('the one of the network that is reported', async () => {
    expect(await thatPaid(await asked(mtn), 'AirtelZM')).toEqual([airtel.phone])
    expect(await thatPaid(await asked(mtn), 'MTN MoMo')).toEqual([mtn.phone])
  })

  test('none, by card', async () => {
    expect(await thatPaid(await asked('page'), 'Visa')).toEqual([])
  })

  test("an unknown one too, on the provider's page after the prompt", async () => {
    expect(await thatPaid(await asked('page'), 'AirtelZM')).toEqual([airtel.phone, page])
    expect(await thatPaid(await asked('ended', 'page'), 'AirtelZM')).toEqual([page])
    const school = open()
    await school.pay([nshimaOn(2)])
    await school.payByPhone(airtel, 'key-2')
    expect(await thatPaid(school, 'AirtelZM')).toEqual([page, airtel.phone])
  })
})
