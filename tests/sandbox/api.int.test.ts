import { dpoProvider } from '../../src/modules/payments/providers/dpo'
import { createTokenXml, verifyTokenXml } from '../../src/modules/payments/providers/dpo-wire'
import { verdictFor } from '../../src/modules/payments/providers/provider'
import { request } from '../payments/providers/facing'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { openShop, type Shop } from './shop'

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

const asked = (reference: string) => ({ amount: 14500, currency: 'ZMW', reference })

describe('the adapter and the sandbox', () => {
  test('a payment from the token to the acknowledgement', async () => {
    const { token, ref } = await shop.token({ reference: 'LP-A1' })
    expect(token).toMatch(/^[0-9A-F-]{36}$/)
    expect(ref).toMatch(/^R\d{8}$/)
    expect(await shop.verify(token)).toMatchObject({ kind: 'pending', code: '900' })
    await shop.leave(token, { outcome: 'pay', card: 'mastercard' })
    const paid = await shop.provider.verify(token, { acknowledge: true })
    expect(verdictFor(paid, asked('LP-A1'))).toEqual({
      kind: 'paid',
      code: '000',
      amount: 14500,
      fee: 0,
      report: {
        explanation: 'Transaction Paid',
        transaction: { amount: 14500, currency: 'ZMW' },
        final: { amount: 14500, currency: 'ZMW' },
        reference: 'LP-A1',
        markupFee: null,
        fraud: { flagged: false, code: '000', explanation: 'Genuine transaction' },
        method: 'Card',
        cardLast4: '4444',
        approval: expect.stringMatching(/^\d{6}$/),
      },
    })
    expect(await storedState(token)).toMatchObject({ acknowledged: true })
  })

  test('looking does not acknowledge', async () => {
    const { token } = await shop.token({ reference: 'LP-A2' })
    await shop.verify(token)
    expect(await storedState(token)).toMatchObject({ acknowledged: false })
  })

  test('an answer of version 6 tells no reference, and so is never paid', async () => {
    const { token } = await shop.token({ reference: 'LP-A3' })
    await shop.leave(token, { outcome: 'pay' })
    const config = { ...shop.config, verifyUrl: shop.config.createUrl }
    const version6 = dpoProvider(config, { now: () => new Date(), zone: 'Africa/Lusaka' })
    const answer = await version6.verify(token, { acknowledge: false })
    expect(answer).toMatchObject({ kind: 'says-paid', report: { cardLast4: '1111', reference: null } })
    expect(verdictFor(answer, asked('LP-A3'))).toMatchObject({
      kind: 'mismatch',
      differences: [{ what: 'reference', reported: null }],
    })
  })

  test('a payment is for its own reference only', async () => {
    const { token } = await shop.token({ reference: 'LP-A4' })
    await shop.leave(token, { outcome: 'pay' })
    expect(verdictFor(await shop.verify(token), asked('LP-A5')).kind).toBe('mismatch')
  })

  test('an unknown token is a fault of ours', async () => {
    expect(await shop.verify('NO-SUCH-TOKEN')).toMatchObject({ kind: 'config', code: '902' })
    expect(await shop.provider.cancel('NO-SUCH-TOKEN')).toMatchObject({ kind: 'config', code: '902' })
  })

  test('the limit to pay passes by the clock', async () => {
    const { token } = await shop.token({ reference: 'LP-A6', limitMinutes: 7 })
    shop.later(7 * 60_000 - 1)
    expect(await shop.verify(token)).toMatchObject({ kind: 'pending' })
    shop.later(1)
    expect(await shop.verify(token)).toMatchObject({ kind: 'expired', code: '903' })
    expect(await shop.leave(token, { outcome: 'pay' })).toMatchObject({
      status: 303,
      headers: { location: `/sandbox/pay?ID=${token}` },
    })
    expect(await shop.verify(token)).toMatchObject({ kind: 'expired' })
  })

  test('a paid reference is not taken again, an unpaid one is', async () => {
    const first = await shop.token({ reference: 'LP-A7' })
    const second = await shop.token({ reference: 'LP-A7' })
    expect(second.token).not.toBe(first.token)
    await shop.leave(second.token, { outcome: 'pay' })
    const again = { ...request, reference: 'LP-A7' }
    expect(await shop.provider.createToken(again)).toMatchObject({ kind: 'refused', reason: 'already-paid' })
    expect(await shop.provider.createToken({ ...again, unique: false })).toMatchObject({ kind: 'created' })
  })

  test('names and addresses arrive as they were sent', async () => {
    const { token } = await shop.token({
      reference: 'LP-A8',
      description: `Phiri's <lunch> & "more" \u{1f35e}`,
      returnUrl: 'https://lunch.test/payment/success?a=1&b=2',
    })
    expect(await storedState(token)).toMatchObject({
      description: `Phiri's <lunch> & "more" \u{1f35e}`,
      redirectUrl: 'https://lunch.test/payment/success?a=1&b=2',
    })
  })
})

describe('cancelling', () => {
  test('an open or declined payment is cancelled, and stays so', async () => {
    const { token } = await shop.token({ reference: 'LP-B1' })
    await shop.leave(token, { outcome: 'decline' })
    expect(await shop.provider.cancel(token)).toEqual({ kind: 'cancelled' })
    expect(await shop.provider.cancel(token)).toEqual({ kind: 'cancelled' })
    expect(await shop.verify(token)).toMatchObject({ kind: 'cancelled', code: '904' })
    await shop.leave(token, { outcome: 'pay' })
    expect(await shop.verify(token)).toMatchObject({ kind: 'cancelled' })
  })

  test.each(['pay', 'slow'])('but not after %s', async (outcome) => {
    const { token } = await shop.token({ reference: `LP-B2-${outcome}` })
    await shop.leave(token, { outcome })
    expect(await shop.provider.cancel(token)).toMatchObject({ kind: 'refused', code: '999' })
  })

  test('paid and cancelled at once is one of the two', async () => {
    const { token } = await shop.token({ reference: 'LP-B3' })
    const [cancelled] = await Promise.all([
      shop.provider.cancel(token),
      shop.leave(token, { outcome: 'pay' }),
    ])
    const { kind } = await shop.verify(token)
    expect(kind).toBe(cancelled.kind === 'cancelled' ? 'cancelled' : 'says-paid')
  })
})

describe('refunds', () => {
  test('in parts up to what was paid, told by the short reference or the token', async () => {
    const { token, ref } = await shop.token({ reference: 'LP-C1' })
    const refund = (amount: number, refundRef: string) =>
      shop.provider.refund({ token, amount, details: 'Duplicate', refundRef })
    expect(await refund(100, 'r-0')).toMatchObject({ kind: 'refused', code: '999' })
    await shop.leave(token, { outcome: 'pay' })
    expect(await refund(4500, 'r-1')).toEqual({ kind: 'accepted' })
    expect(await refund(10_001, 'r-2')).toMatchObject({ kind: 'refused', code: '999' })
    expect(await refund(10_000, 'r-3')).toEqual({ kind: 'accepted' })
    const refunds = [
      { status: 'done', code: '003', amount: 4500 },
      { status: 'done', code: '003', amount: 10_000 },
    ]
    expect(await shop.provider.verifyRefund({ token, ref })).toMatchObject({ kind: 'reported', refunds })
    expect(await shop.provider.verifyRefund({ token, ref: null })).toMatchObject({
      kind: 'reported',
      refunds,
    })
    const byRef = await shop.post(
      '/sandbox/api/v7/',
      `<API3G><CompanyToken>${shop.config.companyToken}</CompanyToken><Request>verifyRefund</Request><TransRef>${ref}</TransRef></API3G>`,
    )
    expect(byRef.text).toContain('<RefundAmount>100.0000</RefundAmount>')
  })

  test('twenty at once do not come to more than was paid', async () => {
    const { token } = await shop.token({ reference: 'LP-C2' })
    await shop.leave(token, { outcome: 'pay' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        shop.provider.refund({ token, amount: 5000, details: 'x', refundRef: `r-${index}` }),
      ),
    )
    expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(2)
  })
})

const wrap = (inside: string) => `<API3G>${inside}</API3G>`
const credential = () => `<CompanyToken>${shop.config.companyToken}</CompanyToken>`
const createXml = (changes: Partial<typeof request>) =>
  createTokenXml(shop.config, { ...request, reference: 'LP-D1', ...changes }, 'Africa/Lusaka')

describe('what DPO refuses, the sandbox refuses', () => {
  test.each<[name: string, xml: () => string, code: string]>([
    ['no company token', () => wrap('<Request>verifyToken</Request>'), '801'],
    [
      'an unknown company token',
      () => wrap('<CompanyToken>other</CompanyToken><Request>verifyToken</Request>'),
      '802',
    ],
    ['an unknown request', () => wrap(`${credential()}<Request>payOut</Request>`), '803'],
    ['a request named after a property', () => wrap(`${credential()}<Request>constructor</Request>`), '803'],
    ['words', () => 'hello', '804'],
    ['a document type', () => `<!DOCTYPE a>${wrap(credential())}`, '804'],
    ['another root', () => '<Other/>', '804'],
    ['no token to verify', () => wrap(`${credential()}<Request>verifyToken</Request>`), '950'],
    ['no token to cancel', () => wrap(`${credential()}<Request>cancelToken</Request>`), '950'],
    ['nothing to refund', () => wrap(`${credential()}<Request>refundToken</Request>`), '950'],
    ['no refund to look for', () => wrap(`${credential()}<Request>verifyRefund</Request>`), '950'],
    ['no transaction', () => wrap(`${credential()}<Request>createToken</Request>`), '950'],
    ['no services', () => createXml({}).replace(/<Services>.*<\/Services>/, ''), '950'],
    ['another kind of service', () => createXml({}).replace('<ServiceType>1000', '<ServiceType>9'), '950'],
    ['no amount', () => createXml({}).replace(/<PaymentAmount>.*<\/PaymentAmount>/, ''), '902'],
    ['an amount of nothing', () => createXml({ amount: 0 }), '902'],
    ['no currency', () => createXml({}).replace(/<PaymentCurrency>.*<\/PaymentCurrency>/, ''), '902'],
    ['another currency', () => createXml({}).replace('>ZMW<', '>EUR<'), '904'],
    ['an address that is none', () => createXml({ returnUrl: 'javascript:alert(1)' }), '902'],
    ['a repeated tag', () => createXml({}).replace('<Services>', '<Services></Services><Services>'), '960'],
  ])('%s', async (_name, xml, code) => {
    const { status, text } = await shop.post('/sandbox/api/v6/', xml())
    expect(status).toBe(200)
    expect(text).toContain(`<Result>${code}</Result>`)
  })

  test('a limit without a type is in hours, and no limit is four days', async () => {
    for (const [change, hours] of [
      [(xml: string) => xml.replace('<PTLtype>minutes</PTLtype>', ''), 30],
      [(xml: string) => xml.replace(/<PTL>.*<\/PTLtype>/, ''), 96],
    ] as const) {
      const { text } = await shop.post('/sandbox/api/v6/', change(createXml({})))
      const made = await storedState(/<TransToken>(.*)<\/TransToken>/.exec(text)![1]!)
      expect(Date.parse(made.expiresAt!) - Date.parse(made.createdAt!)).toBe(hours * 3_600_000)
    }
  })

  test('whoever has no User-Agent gets a page with 403', async () => {
    const answer = await shop.post('/sandbox/api/v6/', verifyTokenXml(shop.config, 'T', false), {})
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('<html>')
  })

  test('verifying acknowledges unless it says that it does not', async () => {
    const { token: made } = await shop.token({ reference: 'LP-D2' })
    await shop.post(
      '/sandbox/api/v7/',
      verifyTokenXml(shop.config, made, false).replace(/<Verify.*Transaction>/, ''),
    )
    expect(await storedState(made)).toMatchObject({ acknowledged: true })
  })
})

test('nothing it logs holds a company token', () => {
  expect(shop.log.lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(shop.log.lines)).not.toContain(shop.config.companyToken)
})

const storedState = async (token: string): Promise<Record<string, string>> => {
  const { rows } = await database.database.pool.query<{ state: Record<string, string> }>(
    'select state from payments.sandbox_transactions where token = $1',
    [token],
  )
  return rows[0]!.state
}
