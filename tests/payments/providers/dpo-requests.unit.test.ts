import {
  cancelTokenXml,
  createTokenXml,
  refundTokenXml,
  verifyRefundXml,
  verifyTokenXml,
  dpoTimeouts,
} from '../../../src/modules/payments/providers/dpo-wire'
import type { TokenRequest } from '../../../src/modules/payments/providers/provider'
import { companyToken } from './answers'

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
