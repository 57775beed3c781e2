import * as fc from 'fast-check'
import {
  type Breaker,
  type Outcome,
  type Pass,
  admit,
  closedBreaker,
  record,
} from '../../../src/modules/payments/providers/dpo'
import {
  cancelTokenXml,
  chargeMobileXml,
  createTokenXml,
  mobileOptionsXml,
  refundTokenXml,
  verifyRefundXml,
  verifyTokenXml,
  dpoTimeouts,
} from '../../../src/modules/payments/providers/dpo-wire'
import {
  type TokenRequest,
  type Difference,
  type ProviderAnswer,
  type ReportedPayment,
  verdictFor,
} from '../../../src/modules/payments/providers/provider'
import { tries } from '../../support/tries'
import { companyToken, expected, saysPaid, report } from './answers'

const config = {
  companyToken,
  serviceType: '45',
  createUrl: 'https://pay.test/API/v6/',
  verifyUrl: 'https://pay.test/API/v7/',
  payUrl: 'https://pay.test/payv2.php',
  timeouts: dpoTimeouts,
}

const request: TokenRequest = {
  reference: 'LP-7K3QW9ZD2M',
  amount: 14500,
  unique: true,
  returnUrl: 'https://lunch.test/payment/success?a=1&b=2',
  backUrl: 'https://lunch.test/payment/cancel',
  limitMinutes: 30,
  customer: {
    firstName: "Mwansa <b>&'",
    lastName: 'Phiri',
    email: 'm@phiri.test',
    phone: '+260 (0)97-7123 456',
  },
  description: 'School lunches x 5',
  serviceAt: new Date('2025-11-21T05:40:00Z'),
}

const zone = 'Africa/Lusaka'
const opening = `<?xml version="1.0" encoding="utf-8"?>\n<API3G><CompanyToken>${companyToken}</CompanyToken>`

test('createToken asks for kwacha and ngwee, a limit in minutes, a unique reference and a card', () => {
  expect(createTokenXml(config, request, zone)).toBe(
    `${opening}<Request>createToken</Request><Transaction><PaymentAmount>145.00</PaymentAmount><PaymentCurrency>ZMW</PaymentCurrency><CompanyRef>LP-7K3QW9ZD2M</CompanyRef><CompanyRefUnique>1</CompanyRefUnique><RedirectURL>https://lunch.test/payment/success?a=1&amp;b=2</RedirectURL><BackURL>https://lunch.test/payment/cancel</BackURL><PTL>30</PTL><PTLtype>minutes</PTLtype><customerFirstName>Mwansa &lt;b&gt;&amp;&apos;</customerFirstName><customerLastName>Phiri</customerLastName><customerEmail>m@phiri.test</customerEmail><customerPhone>260977123456</customerPhone><customerCountry>ZM</customerCountry><customerDialCode>ZM</customerDialCode><DefaultPayment>CC</DefaultPayment><TransactionSource>web</TransactionSource></Transaction><Services><Service><ServiceType>45</ServiceType><ServiceDescription>School lunches x 5</ServiceDescription><ServiceDate>2025/11/21 07:40</ServiceDate></Service></Services></API3G>`,
  )
})

test('what a customer has not told is left out', () => {
  const customer = { firstName: 'Mwansa', lastName: ' ', email: '', phone: 'none' }
  const xml = createTokenXml(config, { ...request, customer }, zone)
  expect(xml).toContain('<customerFirstName>Mwansa</customerFirstName><customerCountry>')
  expect(createTokenXml(config, { ...request, customer: { ...customer, phone: null } }, zone)).toBe(xml)
})

test.each([
  [1, '0.01'],
  [100, '1.00'],
  [1_234_567, '12345.67'],
])('%d ngwee are written %s', (amount, written) => {
  expect(createTokenXml(config, { ...request, amount }, zone)).toContain(
    `<PaymentAmount>${written}</PaymentAmount>`,
  )
})

test('a reference that may be paid again is asked for as such', () => {
  expect(createTokenXml(config, { ...request, unique: false }, zone)).toContain(
    '<CompanyRefUnique>0</CompanyRefUnique>',
  )
})

test.each([
  [true, '1'],
  [false, '0'],
])('verifyToken always says whether it acknowledges: %s', (acknowledge, flag) => {
  expect(verifyTokenXml(config, 'TOKEN-1', acknowledge)).toBe(
    `${opening}<Request>verifyToken</Request><TransactionToken>TOKEN-1</TransactionToken><VerifyTransaction>${flag}</VerifyTransaction></API3G>`,
  )
})

test('cancelToken', () => {
  expect(cancelTokenXml(config, 'TOKEN-1')).toBe(
    `${opening}<Request>cancelToken</Request><TransactionToken>TOKEN-1</TransactionToken></API3G>`,
  )
})

test('GetMobilePaymentOptions', () => {
  expect(mobileOptionsXml(config, 'TOKEN-1')).toBe(
    `${opening}<Request>GetMobilePaymentOptions</Request><TransactionToken>TOKEN-1</TransactionToken></API3G>`,
  )
})

test("ChargeTokenMobile names network and country in the provider's own words", () => {
  const option = { name: 'Airtel & Co', country: 'zambia', countryCode: '260' }
  expect(chargeMobileXml(config, { token: 'TOKEN-1', option, phone: '260977123456' })).toBe(
    `${opening}<Request>ChargeTokenMobile</Request><TransactionToken>TOKEN-1</TransactionToken><PhoneNumber>260977123456</PhoneNumber><MNO>Airtel &amp; Co</MNO><MNOcountry>zambia</MNOcountry></API3G>`,
  )
})

test('refundToken always carries our id of the refund', () => {
  expect(
    refundTokenXml(config, {
      token: 'TOKEN-1',
      amount: 4550,
      details: 'Duplicate & odd',
      refundRef: 'refund-9',
    }),
  ).toBe(
    `${opening}<Request>refundToken</Request><TransactionToken>TOKEN-1</TransactionToken><refundAmount>45.50</refundAmount><refundDetails>Duplicate &amp; odd</refundDetails><refundRef>refund-9</refundRef></API3G>`,
  )
})

test('verifyRefund asks by the short reference where there is one', () => {
  expect(verifyRefundXml(config, { token: 'TOKEN-1', ref: 'R497' })).toBe(
    `${opening}<Request>verifyRefund</Request><TransRef>R497</TransRef><TransactionToken>TOKEN-1</TransactionToken></API3G>`,
  )
  expect(verifyRefundXml(config, { token: 'TOKEN-1', ref: null })).toBe(
    `${opening}<Request>verifyRefund</Request><TransactionToken>TOKEN-1</TransactionToken></API3G>`,
  )
})

const pair = (amount: number | null, currency: string | null) => ({ amount, currency })
const nothing = pair(null, null)

const amount = (text: string | null): Difference => ({ what: 'amount', expected: '145.00', reported: text })
const currency = (text: string | null): Difference => ({ what: 'currency', expected: 'ZMW', reported: text })
const reference = (text: string | null): Difference => ({
  what: 'reference',
  expected: 'LP-7K3QW9ZD2M',
  reported: text,
})

describe('an answer 000 is paid when amount, currency and reference are as asked', () => {
  const cases: [name: string, changes: Partial<ReportedPayment>, fee: number][] = [
    ['to the ngwee', {}, 0],
    ['in the final pair alone', { transaction: nothing, final: pair(14500, 'ZMW') }, 0],
    ['in the final pair after a conversion', { transaction: pair(580, 'USD'), final: pair(14500, 'ZMW') }, 0],
    ['in the first pair before a conversion', { final: pair(580, 'USD') }, 0],
    ['with a fee on top', { transaction: pair(14850, 'ZMW'), markupFee: 350 }, 350],
    [
      'with a fee on top in the final pair',
      { transaction: nothing, final: pair(14850, 'ZMW'), markupFee: 350 },
      350,
    ],
    ['with a fee that was not charged', { markupFee: 350 }, 0],
    ['with a fee in one pair and without in the other', { final: pair(14850, 'ZMW'), markupFee: 350 }, 0],
    ['with a fee of nothing', { markupFee: 0 }, 0],
    [
      'flagged as fraud: it is paid all the same',
      { fraud: { flagged: true, code: '001', explanation: null } },
      0,
    ],
  ]
  test.each(cases)('%s', (_name, changes, fee) => {
    expect(verdictFor(saysPaid(changes), expected)).toEqual({
      kind: 'paid',
      code: '000',
      amount: 14500,
      fee,
      report: report(changes),
    })
  })
})

describe('an answer 000 is a mismatch when something is not as asked', () => {
  const cases: [
    name: string,
    changes: Partial<ReportedPayment>,
    differences: Difference[],
    received: number | null,
  ][] = [
    ['a ngwee too little', { transaction: pair(14499, 'ZMW') }, [amount('144.99')], 14499],
    ['a ngwee too much', { transaction: pair(14501, 'ZMW') }, [amount('145.01')], 14501],
    ['nothing', { transaction: pair(0, 'ZMW') }, [amount('0.00')], 0],
    ['no amount', { transaction: pair(null, 'ZMW') }, [amount(null)], null],
    ['no currency', { transaction: pair(14500, null) }, [currency(null)], null],
    ['neither', { transaction: nothing }, [amount(null), currency(null)], null],
    ['the amount in another currency', { transaction: pair(14500, 'USD') }, [currency('USD')], null],
    ['a currency in small letters', { transaction: pair(14500, 'zmw') }, [currency('zmw')], null],
    [
      'another amount in another currency',
      { transaction: pair(580, 'USD') },
      [amount('5.80'), currency('USD')],
      null,
    ],
    [
      'both pairs wrong',
      { transaction: pair(580, 'USD'), final: pair(14000, 'ZMW') },
      [amount('140.00')],
      14000,
    ],
    [
      'amount and currency of two pairs',
      { transaction: pair(14500, 'USD'), final: pair(null, 'ZMW') },
      [amount(null)],
      null,
    ],
    [
      'more than the fee on top',
      { transaction: pair(14851, 'ZMW'), markupFee: 350 },
      [amount('148.51')],
      14851,
    ],
    [
      'less than the fee on top',
      { transaction: pair(14849, 'ZMW'), markupFee: 350 },
      [amount('148.49')],
      14849,
    ],
    ['too much without a told fee', { transaction: pair(14850, 'ZMW') }, [amount('148.50')], 14850],
    [
      'the fee on top in another currency',
      { transaction: pair(14850, 'USD'), markupFee: 350 },
      [amount('148.50'), currency('USD')],
      null,
    ],
    ['no reference', { reference: null }, [reference(null)], 14500],
    ["another payment's reference", { reference: 'LP-OTHER' }, [reference('LP-OTHER')], 14500],
    ['a reference in small letters', { reference: 'lp-7k3qw9zd2m' }, [reference('lp-7k3qw9zd2m')], 14500],
    [
      'everything',
      { transaction: pair(100, 'USD'), reference: 'LP-OTHER' },
      [amount('1.00'), currency('USD'), reference('LP-OTHER')],
      null,
    ],
  ]
  test.each(cases)('%s', (_name, changes, differences, received) => {
    expect(verdictFor(saysPaid(changes), expected)).toEqual({
      kind: 'mismatch',
      code: '000',
      received,
      differences,
      report: report(changes),
    })
  })
})

const saysMismatch = (changes: Partial<ReportedPayment> = {}): ProviderAnswer => ({
  kind: 'says-mismatch',
  code: '002',
  report: report(changes),
})

describe('an answer 002 is a mismatch', () => {
  test('with what was received', () => {
    expect(verdictFor(saysMismatch({ transaction: pair(10000, 'ZMW') }), expected)).toMatchObject({
      kind: 'mismatch',
      code: '002',
      received: 10000,
      differences: [amount('100.00')],
    })
  })

  test('even when nothing that is told differs', () => {
    expect(verdictFor(saysMismatch(), expected)).toMatchObject({
      kind: 'mismatch',
      received: 14500,
      differences: [],
    })
  })
})

test.each<ProviderAnswer>([
  { kind: 'pending', code: '900', explanation: '', unusual: false },
  { kind: 'pending', code: '007', explanation: '', unusual: true },
  { kind: 'declined', code: '901', explanation: '' },
  { kind: 'expired', code: '903', explanation: '' },
  { kind: 'cancelled', code: '904', explanation: '' },
  { kind: 'config', code: '802', explanation: '' },
  { kind: 'unreachable', why: 'timeout', detail: null },
])('any other answer is its own verdict: $kind $code', (answer) => {
  expect(verdictFor(answer, expected)).toBe(answer)
})

test('no amounts, fees and currencies but the asked ones are ever paid', () => {
  const near = fc.oneof(fc.integer({ min: 14400, max: 14600 }), fc.nat(), fc.constant(null))
  const coin = fc.constantFrom('ZMW', 'USD', 'zmw', '', null)
  const anyPair = fc.record({ amount: near, currency: coin })
  const anyTold = fc.record({
    transaction: anyPair,
    final: anyPair,
    markupFee: fc.oneof(fc.nat({ max: 200 }), fc.constant(null)),
    reference: fc.constantFrom('LP-7K3QW9ZD2M', 'LP-7K3QW9ZD2', null),
  })
  fc.assert(
    fc.property(anyTold, (changes) => {
      const verdict = verdictFor(saysPaid(changes), expected)
      const asAsked = [changes.transaction, changes.final].some(
        (one) =>
          one.currency === 'ZMW' &&
          one.amount !== null &&
          (one.amount === 14500 || (changes.markupFee !== null && one.amount === 14500 + changes.markupFee)),
      )
      expect(verdict.kind).toBe(asAsked && changes.reference === 'LP-7K3QW9ZD2M' ? 'paid' : 'mismatch')
      if (verdict.kind === 'mismatch') expect(verdict.differences).not.toEqual([])
    }),
    { seed: 145, numRuns: tries(2_000) },
  )
})

/** One call after another at these instants (ms): how each was let through. */
const calls = (...story: [at: number, outcome: Outcome][]) => {
  let breaker: Breaker = closedBreaker
  const passes: (Pass | null)[] = []
  for (const [at, outcome] of story) {
    const admitted = admit(breaker, at)
    passes.push(admitted.pass)
    breaker = admitted.pass === null ? admitted.breaker : record(admitted.breaker, admitted.pass, outcome, at)
  }
  return { passes, breaker }
}

const failures = (count: number): [number, Outcome][] => Array.from({ length: count }, () => [0, 'failed'])

test('four failures in a row stop nothing', () => {
  expect(calls(...failures(4), [0, 'works'], ...failures(4), [0, 'works']).passes).not.toContain(null)
})

test('the fifth failure in a row stops calls for 60 seconds', () => {
  const { passes } = calls(
    ...failures(5),
    [0, 'works'],
    [59_999, 'works'],
    [60_000, 'works'],
    [60_000, 'works'],
  )
  expect(passes).toEqual([...Array(5).fill('usual'), null, null, 'trial', 'usual'])
})

test('a hopeless call stops calls at once', () => {
  expect(calls([0, 'hopeless'], [1, 'works'], [60_000, 'works']).passes).toEqual(['usual', null, 'trial'])
})

test('a trial that fails stops calls for another 60 seconds', () => {
  const { passes } = calls(
    [0, 'hopeless'],
    [60_000, 'failed'],
    [60_001, 'works'],
    [119_999, 'works'],
    [120_000, 'works'],
  )
  expect(passes).toEqual(['usual', 'trial', null, null, 'trial'])
})

test('while the trial is on its way nobody else passes', () => {
  const open: Breaker = { status: 'open', until: 60_000 }
  const { breaker, pass } = admit(open, 60_000)
  expect(pass).toBe('trial')
  expect(admit(breaker, 70_000)).toEqual({ breaker: { status: 'trying', until: 120_000 }, pass: null })
})

test('a call that set out before the breaker opened closes it when it works, and changes nothing when it fails', () => {
  const open: Breaker = { status: 'open', until: 60_000 }
  expect(record(open, 'usual', 'failed', 10_000)).toBe(open)
  expect(record(open, 'usual', 'hopeless', 10_000)).toBe(open)
  expect(record(open, 'usual', 'works', 10_000)).toEqual(closedBreaker)
})
