import { eventually } from '../support/eventually'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { element, notPaid, openShop, optionsIn, type Shop } from './shop'

let database: TestDatabase
let shop: Shop

beforeAll(async () => {
  database = await testDatabase()
  shop = await openShop(database)
})
afterAll(async () => {
  await shop.close()
  await database.close()
})

const minute = 60_000

const newToken = async (reference: string) => (await shop.token({ reference })).token

const asked = async (reference: string) => {
  const token = await newToken(reference)
  expect(element(await shop.charge(token), 'StatusCode')).toBe('130')
  return token
}

describe('the options of mobile money', () => {
  test('are those of Zambia, after an Airtel and an MTN of other countries', async () => {
    const answer = await shop.options(await newToken('LP-M1'))
    expect(element(answer, 'Result')).toBe('000')
    const options = optionsIn(answer)
    expect(options.map(({ paymentname, countryCode }) => [paymentname, countryCode])).toEqual([
      ['AirtelKE', '254'],
      ['AirtelTZ', '255'],
      ['MTNUG', '256'],
      ['AirtelZM', '260'],
      ['MTNZM', '260'],
    ])
    expect(options[3]).toEqual({
      paymentname: 'AirtelZM',
      country: 'zambia',
      countryCode: '260',
      cellularprefix: '260',
      logo: expect.stringMatching(/^https:/),
      amount: '145.00',
      currency: 'ZMW',
    })
  })

  test('need a token that is known', async () => {
    expect(element(await shop.ask('GetMobilePaymentOptions', {}), 'Result')).toBe('950')
    expect(element(await shop.options('NO-SUCH-TOKEN'), 'Result')).toBe('902')
  })
})

describe('charging a phone', () => {
  test('puts a prompt on it and says what the payer does', async () => {
    const token = await newToken('LP-N1')
    const answer = await shop.charge(token)
    expect(
      ['StatusCode', 'ResultExplanation', 'RedirectOption', 'Result'].map((name) => element(answer, name)),
    ).toEqual(['130', 'New invoice', '0', null])
    expect(element(answer, 'instructions')).toBe(
      'Enter your Airtel Money PIN on the phone to approve the payment.',
    )
    expect(await shop.told(token)).toEqual(notPaid)
    expect(await shop.waits(token)).toBe(true)
    expect(await storedPrompts(token)).toEqual([
      {
        phone: '260977123456',
        network: 'AirtelZM',
        sentAt: expect.stringMatching(/^2026-/),
        shownAt: expect.stringMatching(/^2026-/),
        runsOutAt: null,
        answer: null,
      },
    ])
  })

  test.each<[name: string, fields: Record<string, string>]>([
    ['another country’s network', { MNO: 'AirtelKE', MNOcountry: 'kenya' }],
    ['the country of another network', { MNOcountry: 'kenya' }],
    ['a network in other letters', { MNO: 'airtelzm' }],
    ['a country in other letters', { MNOcountry: 'Zambia' }],
    ['an unknown network', { MNO: 'ZamtelZM' }],
    ['a number with a sign', { PhoneNumber: '+260977123456' }],
    ['a number without the country', { PhoneNumber: '0977123456' }],
    ['a number that is too short', { PhoneNumber: '26097712345' }],
  ])('not with %s: 999', async (name, fields) => {
    const token = await newToken(`LP-N2-${name.length}-${Object.keys(fields).length}`)
    expect(element(await shop.charge(token, fields), 'StatusCode')).toBe('999')
    expect(await shop.waits(token)).toBe(false)
    expect(await shop.told(token)).toEqual(notPaid)
  })

  test.each(['TransactionToken', 'PhoneNumber', 'MNO', 'MNOcountry'])('not without %s: 950', async (name) => {
    const answer = await shop.charge(await newToken('LP-N3'), { [name]: '' })
    expect(element(answer, 'Result')).toBe('950')
    expect(element(answer, 'ResultExplanation')).toContain(name)
    expect(element(answer, 'StatusCode')).toBeNull()
  })

  test('not for an unknown token (902), nor with another credential (802)', async () => {
    expect(element(await shop.charge('NO-SUCH-TOKEN'), 'Result')).toBe('902')
    expect(element(await shop.charge('NO-SUCH-TOKEN', { CompanyToken: 'other' }), 'Result')).toBe('802')
  })

  test.each([
    ['AirtelZM', 1_000_001],
    ['AirtelZM', 99],
    ['MTNZM', 2_000_001],
  ])('%s takes no %d ngwee: 999', async (MNO, amount) => {
    const { token } = await shop.token({ reference: `LP-N4-${MNO}-${amount}`, amount })
    expect(element(await shop.charge(token, { MNO }), 'StatusCode')).toBe('999')
  })

  test('a paid token is 200, a cancelled or expired one or one at the bank 999', async () => {
    const paid = await newToken('LP-N5')
    await shop.leave(paid, { outcome: 'pay' })
    expect(element(await shop.charge(paid), 'StatusCode')).toBe('200')
    const cancelled = await asked('LP-N6')
    await shop.provider.cancel(cancelled)
    const atBank = await newToken('LP-N7')
    await shop.leave(atBank, { outcome: 'slow' })
    const expired = (await shop.token({ reference: 'LP-N8', limitMinutes: 1 })).token
    expect(element(await shop.charge(expired), 'StatusCode')).toBe('130')
    shop.later(minute)
    for (const token of [cancelled, atBank, expired]) {
      expect(element(await shop.charge(token), 'StatusCode')).toBe('999')
      expect(await shop.waits(token)).toBe(false)
    }
  })

  test('twenty prompts of a token are the most', async () => {
    const token = await newToken('LP-N9')
    for (let count = 0; count < 20; count++) await shop.charge(token)
    expect(element(await shop.charge(token), 'StatusCode')).toBe('999')
    expect(await storedPrompts(token)).toHaveLength(20)
  })
})

describe('what the payer does', () => {
  test.each([
    ['AirtelZM', 'Airtel Money'],
    ['MTNZM', 'MTN Money'],
  ])('approving pays by %s, without digits of a card', async (MNO) => {
    const token = await newToken(`LP-O1-${MNO}`)
    await shop.charge(token, { MNO })
    await shop.answer('approve', `${token}.1`)
    expect(await shop.told(token)).toEqual(['000', 'Transaction Paid'])
    const [v6, v7] = [await shop.verified(token, 'v6'), await shop.verified(token)]
    expect(element(v6, 'CustomerCreditType')).toBe(MNO)
    expect(element(v6, 'CustomerCredit')).toBeNull()
    expect(element(v7, 'CardType')).toBe(MNO)
    expect(element(v7, 'CardLastFour')).toBeNull()
    expect(await shop.verify(token)).toMatchObject({
      kind: 'says-paid',
      report: { method: MNO, cardLast4: null, reference: `LP-O1-${MNO}`, approval: expect.any(String) },
    })
    expect(await shop.waits(token)).toBe(false)
    await eventually(() => expect(shop.pushed.at(-1)?.body).toContain(token))
  })

  test.each([
    ['wrong-pin', 'Wrong PIN'],
    ['not-enough', 'Insufficient funds'],
    ['decline', 'Declined by the customer'],
  ])('%s is 901 "%s", and a newer prompt may be approved', async (choice, words) => {
    const token = await asked(`LP-O2-${choice}`)
    await shop.answer(choice, `${token}.1`)
    expect(await shop.told(token)).toEqual(['901', words])
    expect(await shop.waits(token)).toBe(false)
    expect(element(await shop.charge(token, { PhoneNumber: '260966123456' }), 'StatusCode')).toBe('130')
    expect(await shop.told(token)).toEqual(notPaid)
    await shop.answer('approve', `${token}.2`, '260966123456')
    expect((await shop.told(token))[0]).toBe('000')
  })

  test('ignoring takes it from the phone, and the token stays open', async () => {
    const token = await asked('LP-O3')
    await shop.answer('ignore', `${token}.1`)
    expect(await shop.waits(token)).toBe(false)
    expect(await shop.told(token)).toEqual(notPaid)
  })

  test('an older prompt may be approved after a newer one was asked: one payment', async () => {
    const token = await asked('LP-O4')
    await shop.charge(token, { MNO: 'MTNZM' })
    await shop.answer('approve', `${token}.1`)
    await shop.answer('approve', `${token}.2`)
    expect(element(await shop.verified(token), 'CardType')).toBe('AirtelZM')
    expect(element(await shop.charge(token), 'StatusCode')).toBe('200')
    await eventually(() => expect(shop.pushed.filter(({ body }) => body.includes(token))).toHaveLength(1))
  })

  test('refusing an older prompt changes nothing while a newer one waits', async () => {
    const token = await asked('LP-O5')
    await shop.charge(token)
    await shop.answer('wrong-pin', `${token}.1`)
    expect(await shop.told(token)).toEqual(notPaid)
    expect(await shop.waits(token)).toBe(true)
  })

  test('a card may pay what the phone declined, and the other way round', async () => {
    const byCard = await asked('LP-O6')
    await shop.answer('wrong-pin', `${byCard}.1`)
    expect((await shop.page(byCard)).text).toContain('On the phone: Wrong PIN.')
    await shop.leave(byCard, { outcome: 'pay' })
    expect(await shop.verify(byCard)).toMatchObject({ report: { method: 'Card', cardLast4: '1111' } })
    const byPhone = await asked('LP-O7')
    await shop.leave(byPhone, { outcome: 'decline' })
    expect(await shop.told(byPhone)).toEqual(['901', 'Transaction declined'])
    await shop.answer('approve', `${byPhone}.1`)
    expect(await shop.verify(byPhone)).toMatchObject({ report: { method: 'AirtelZM', cardLast4: null } })
  })

  test('nothing waits once a card has paid', async () => {
    const token = await asked('LP-O8')
    await shop.leave(token, { outcome: 'pay' })
    expect(await shop.waits(token)).toBe(false)
    await shop.answer('approve', `${token}.1`)
    expect(await shop.verify(token)).toMatchObject({ report: { method: 'Card' } })
  })

  test('twenty answers at once end in one way', async () => {
    const token = await asked('LP-O9')
    const choices = ['approve', 'wrong-pin', 'ignore', 'decline']
    await Promise.all(Array.from({ length: 20 }, (_, one) => shop.answer(choices[one % 4]!, `${token}.1`)))
    const first = await shop.told(token)
    await Promise.all(choices.map((choice) => shop.answer(choice, `${token}.1`)))
    expect(await shop.told(token)).toEqual(first)
  })
})

const storedPrompts = async (token: string): Promise<unknown> => {
  const { rows } = await database.database.pool.query<{ state: { prompts: unknown } }>(
    'select state from payments.sandbox_transactions where token = $1',
    [token],
  )
  return rows[0]!.state.prompts
}
