import { readXml } from '../../src/modules/payments/providers/dpo-wire'
import { promptTags } from '../../src/sandbox/script'
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

const tried = new Set<string>()
const tagged = (tag: string) => {
  tried.add(tag)
  return newToken(`LP-${tag}`)
}

test.each([
  ['OPTIONSHTML', 502, 'read', '<h1>502 Bad Gateway'],
  ['OPTIONSTRUNCATED', 200, 'not-xml', '</paymentoptions>'],
  ['OPTIONSDOCTYPE', 200, 'doctype', '<!DOCTYPE'],
  ['OPTIONSHUGE', 200, 'read', 'x'.repeat(256 * 1024)],
  ['OPTIONS950', 200, 'read', '<Result>950</Result>'],
])('%s answers options that nobody can use', async (tag, status, kind, words) => {
  const answer = await shop.options(await tagged(tag))
  expect(answer.status).toBe(status)
  expect(readXml(answer.text).kind).toBe(kind)
  expect(answer.text).toContain(words)
})

test('OPTIONSNONE has none of Zambia, OPTIONSEMPTY none at all', async () => {
  const abroad = optionsIn(await shop.options(await tagged('OPTIONSNONE')))
  expect(abroad.map(({ countryCode }) => countryCode)).toEqual(['254', '255', '256'])
  const none = await shop.options(await tagged('OPTIONSEMPTY'))
  expect(element(none, 'Result')).toBe('000')
  expect(none.text).toContain('<paymentoptions></paymentoptions>')
})

/** Whether an answer came within a moment; the caller goes away as one that has waited long enough. */
const isSilent = async (request: string, token: string) => {
  const body = `<API3G><CompanyToken>${shop.config.companyToken}</CompanyToken><Request>${request}</Request><TransactionToken>${token}</TransactionToken><PhoneNumber>260977123456</PhoneNumber><MNO>AirtelZM</MNO><MNOcountry>zambia</MNOcountry></API3G>`
  const answer = await fetch(`${shop.url}/sandbox/api/v6/`, {
    method: 'POST',
    headers: { 'user-agent': 'test' },
    body,
    signal: AbortSignal.timeout(500),
  }).catch((error: unknown) => error)
  return answer instanceof DOMException && answer.name === 'TimeoutError'
}

test.each([
  ['OPTIONSSTALL', 'GetMobilePaymentOptions', false],
  ['CHARGESTALL', 'ChargeTokenMobile', true],
  ['CHARGELOST', 'ChargeTokenMobile', false],
])('%s answers nothing', async (tag, request, isOnPhone) => {
  const token = await tagged(tag)
  expect(await isSilent(request, token)).toBe(true)
  await eventually(async () => expect(await shop.waits(token)).toBe(isOnPhone))
  expect(await shop.told(token)).toEqual(notPaid)
})

test.each([
  ['CHARGEHTML', 502, 'read', '<html>'],
  ['CHARGETRUNCATED', 200, 'not-xml', '<StatusCode>130</StatusCode>'],
  ['CHARGEDOCTYPE', 200, 'doctype', '<!DOCTYPE'],
  ['CHARGETWICE', 200, 'read', '<StatusCode>999</StatusCode><StatusCode>130</StatusCode>'],
  ['CHARGE000', 200, 'read', '<StatusCode>000</StatusCode>'],
  ['CHARGE777', 200, 'read', '<StatusCode>777</StatusCode>'],
  ['CHARGEMARKUP', 200, 'read', '&lt;b&gt;Dial'],
  ['CHARGEMUTE', 200, 'read', '<instructions></instructions>'],
])('%s answers so, and the prompt is on the phone', async (tag, status, kind, words) => {
  const token = await tagged(tag)
  const answer = await shop.charge(token)
  expect(answer.status).toBe(status)
  expect(readXml(answer.text).kind).toBe(kind)
  expect(answer.text).toContain(words)
  expect(await shop.waits(token)).toBe(true)
})

test.each([
  ['CHARGENO', '<StatusCode>999</StatusCode>'],
  ['CHARGE999', '<StatusCode>999</StatusCode>'],
  ['CHARGE802', '<Result>802</Result>'],
])('%s refuses, and nothing is on the phone', async (tag, words) => {
  const token = await tagged(tag)
  expect((await shop.charge(token)).text).toContain(words)
  expect(await shop.waits(token)).toBe(false)
  expect(await shop.told(token)).toEqual(notPaid)
})

test('CHARGEPAID is paid already', async () => {
  const token = await tagged('CHARGEPAID')
  expect(element(await shop.charge(token), 'StatusCode')).toBe('200')
  expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid', report: { method: 'AirtelZM' } })
})

test('PAIDLATER says declined, and is paid ten minutes later', async () => {
  const token = await tagged('PAIDLATER')
  await shop.charge(token)
  await shop.answer('approve', `${token}.1`)
  expect((await shop.told(token))[0]).toBe('901')
  shop.later(10 * minute - 1)
  await shop.sweep()
  expect((await shop.told(token))[0]).toBe('901')
  expect(shop.pushed.some(({ body }) => body.includes(token))).toBe(false)
  shop.later(1)
  await shop.sweep()
  expect(element(await shop.verified(token), 'CardType')).toBe('AirtelZM')
  expect(shop.pushed.some(({ body }) => body.includes(token))).toBe(true)
})

test.each(['ignore', 'wrong-pin'])('PAIDLATER is paid though a newer prompt met %s', async (choice) => {
  const token = await newToken(`LP-PAIDLATER-${choice}`)
  await shop.charge(token)
  await shop.answer('approve', `${token}.1`)
  await shop.charge(token)
  expect(await shop.told(token)).toEqual(notPaid)
  await shop.answer(choice, `${token}.2`)
  expect((await shop.told(token))[0]).toBe(choice === 'ignore' ? '900' : '901')
  shop.later(10 * minute)
  expect((await shop.told(token))[0]).toBe('000')
})

test('SLOWPROMPT reaches the phone a minute later', async () => {
  const token = await tagged('SLOWPROMPT')
  await shop.charge(token)
  expect(await shop.waits(token)).toBe(false)
  await shop.answer('approve', `${token}.1`)
  expect(await shop.told(token)).toEqual(notPaid)
  shop.later(minute)
  expect(await shop.waits(token)).toBe(true)
  await shop.answer('approve', `${token}.1`)
  expect((await shop.told(token))[0]).toBe('000')
})

test('PROMPTOUT runs out after a minute, until a newer one is asked; the older may still be approved', async () => {
  const token = await tagged('PROMPTOUT')
  await shop.charge(token)
  shop.later(minute)
  expect((await shop.told(token))[0]).toBe('903')
  expect(element(await shop.charge(token), 'StatusCode')).toBe('130')
  expect(await shop.told(token)).toEqual(notPaid)
  await shop.answer('approve', `${token}.1`)
  expect((await shop.told(token))[0]).toBe('000')
})

test('PROMPTSTAYS may be approved after the token was cancelled, or has expired', async () => {
  const token = await tagged('PROMPTSTAYS')
  await shop.charge(token)
  await shop.provider.cancel(token)
  expect(await shop.waits(token)).toBe(true)
  expect((await shop.told(token))[0]).toBe('904')
  await shop.answer('approve', `${token}.1`)
  expect((await shop.told(token))[0]).toBe('000')
  const other = (await shop.token({ reference: 'LP-PROMPTSTAYS-2', limitMinutes: 1 })).token
  await shop.charge(other)
  shop.later(minute)
  expect((await shop.told(other))[0]).toBe('903')
  await shop.answer('approve', `${other}.1`)
  expect((await shop.told(other))[0]).toBe('000')
})

test('PROMPTCANCEL tells a refusal as cancelled, and a newer prompt may be approved', async () => {
  const token = await tagged('PROMPTCANCEL')
  await shop.charge(token)
  await shop.answer('decline', `${token}.1`)
  expect(await shop.told(token)).toEqual(['904', 'Transaction cancelled'])
  expect(element(await shop.charge(token), 'StatusCode')).toBe('130')
  await shop.answer('approve', `${token}.2`)
  expect((await shop.told(token))[0]).toBe('000')
})

test.each([
  ['PROMPTCARD', 'Visa'],
  ['PROMPTSILENT', null],
])('%s reports %s', async (tag, method) => {
  const token = await tagged(tag)
  await shop.charge(token)
  await shop.answer('approve', `${token}.1`)
  expect(element(await shop.verified(token), 'CardType')).toBe(method)
  expect(element(await shop.verified(token, 'v6'), 'CustomerCreditType')).toBe(method)
  expect(element(await shop.verified(token), 'CardLastFour')).toBeNull()
})

test('every tag has been tried here', () => {
  expect(promptTags.filter((tag) => !tried.has(tag))).toEqual([])
})

describe('what the adapter makes of it', () => {
  const sent = async (tag: string) => {
    const token = await newToken(`LP-${tag}-ADAPTER`)
    const answer = await shop.provider.mobileOptions(token)
    if (answer.kind !== 'options') return answer
    const option = answer.options.find(({ name, countryCode }) => countryCode === '260' && /mtn/i.test(name))
    return option ? shop.provider.sendPrompt({ token, option, phone: '260966123456' }) : 'no option'
  }

  test.each([
    ['NOTHING', { kind: 'sent', code: '130', instructions: expect.stringContaining('MTN Money PIN') }],
    ['OPTIONSHTML', { kind: 'unreachable', why: 'http-status' }],
    ['OPTIONSTRUNCATED', { kind: 'unreachable', why: 'not-xml' }],
    ['OPTIONSDOCTYPE', { kind: 'unreachable', why: 'doctype' }],
    ['OPTIONSHUGE', { kind: 'unreachable', why: 'too-large' }],
    ['OPTIONS950', { kind: 'config', code: '950' }],
    ['CHARGEHTML', { kind: 'unreachable', why: 'http-status' }],
    ['CHARGETRUNCATED', { kind: 'unreachable', why: 'not-xml' }],
    ['CHARGEDOCTYPE', { kind: 'unreachable', why: 'doctype' }],
    ['CHARGETWICE', { kind: 'unreachable', why: 'no-code' }],
    ['CHARGE000', { kind: 'sent', code: '000' }],
    ['CHARGE802', { kind: 'config', code: '802' }],
    ['CHARGENO', { kind: 'refused', code: '999' }],
    ['CHARGEPAID', { kind: 'paid', code: '200' }],
    ['CHARGEMARKUP', { kind: 'sent', instructions: expect.stringMatching(/^Dial \*115# and/) }],
    ['CHARGEMUTE', { kind: 'sent', instructions: null }],
  ])('of %s', async (tag, expected) => {
    expect(await sent(tag)).toMatchObject(expected)
  })

  test.each(['OPTIONSNONE', 'OPTIONSEMPTY'])('%s has no option', async (tag) => {
    expect(await sent(tag)).toBe('no option')
  })
})
