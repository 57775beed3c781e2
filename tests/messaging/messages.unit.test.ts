import { forAnyAddress } from '#kernel/meal-line'
import { profileChanges } from '#modules/identity/users/credentials.decide'
import { channelsOf, contactNeeded } from '#modules/messaging/channels.decide'
import { messageMail, oneSms, smsCharacters, smsLength, smsText } from '#modules/messaging/letters'

const verified = {
  email: 'mwila@example.org',
  phone: '0971 234 567',
  phoneVerifiedAt: new Date('2026-09-01T06:00:00Z'),
}

describe('the channels of a message', () => {
  test.each([
    ['mail', {}, true, false, ['mail']],
    ['sms', {}, true, false, ['sms']],
    ['both', {}, true, false, ['mail', 'sms']],
    ['sms', {}, false, false, ['mail']],
    ['sms', { phoneVerifiedAt: null }, true, false, ['mail']],
    ['sms', { phone: 'ask my wife' }, true, false, ['mail']],
    ['sms', { phone: '+27 82 123 4567' }, true, false, ['mail']],
    ['sms', { phone: '+260 97 123' }, true, false, ['mail']],
    ['mail', { email: null }, true, false, ['sms']],
    ['mail', { email: null }, false, false, []],
    ['both', { email: null }, true, false, ['sms']],
    ['sms', {}, true, true, ['mail']],
    ['sms', { email: null }, true, true, ['sms']],
  ] as const)(
    'of who chose %s with %j, SMS on: %s, day full: %s, are %j',
    (channel, more, sms, isDayFull, are) =>
      expect(channelsOf({ ...verified, messageChannel: channel, ...more }, { sms }, isDayFull)).toEqual(are),
  )
})

test.each([
  [{}, {}, null],
  [{ email: null }, {}, null],
  [{ email: null, phoneVerifiedAt: null }, {}, 'email_or_phone'],
  [{ email: null, phone: null, phoneVerifiedAt: null }, {}, 'email_or_phone'],
  [{ email: null }, { sms: false }, 'email'],
  [{ email: null }, { orderWithPhone: false }, 'email'],
  [{ phoneVerifiedAt: null }, { sms: false }, null],
])('to order, who differs by %j lacks, where the school differs by %j: %s', (account, settings, lacking) =>
  expect(contactNeeded({ ...verified, ...account }, { sms: true, orderWithPhone: true, ...settings })).toBe(
    lacking,
  ),
)

describe('the text of a mail', () => {
  const account = {
    id: 7,
    name: 'Mwila',
    username: 'mwila.banda',
    role: 'parent' as const,
    ...verified,
    emailVerifiedAt: null,
    messageChannel: 'mail' as const,
    deletedAt: null,
  }
  const needs = {
    publicUrl: 'https://lunch.example.com',
    schoolName: 'Baobab School',
    addressees: { confirmLink: (id: number, email: string) => `https://lunch.example.com/c?${id}&${email}` },
  }
  const message = { subject: 'Cancelled', text: 'Stew for Chanda (the oven broke)' }
  const proven = { ...account, emailVerifiedAt: new Date('2026-09-01T06:00:00Z') }
  const end = 'Log in at https://lunch.example.com\n\nKind regards,\nBaobab School\n'
  const confirm = 'Confirm this address: https://lunch.example.com/c?7&mwila@example.org'

  test('to a verified address greets by name', () =>
    expect(messageMail(needs, proven, { ...message, bareText: 'Stew for Chanda' }).text).toBe(
      `Dear Mwila,\n\nStew for Chanda (the oven broke)\n\n${end}`,
    ))

  test('to another says nothing that was typed, and how to confirm the address', () =>
    expect(messageMail(needs, account, { ...message, bareText: 'Stew for Chanda' }).text).toBe(
      `Good day,\n\nStew for Chanda\n\n${confirm}\n\n${end}`,
    ))

  test('to another is the same where nothing was typed', () =>
    expect(messageMail(needs, account, forAnyAddress(message)).text).toBe(
      `Good day,\n\n${message.text}\n\n${confirm}\n\n${end}`,
    ))
})

const writeCode = (name: string) => `123456 is your code for ${name}. It is valid for 10 minutes.`

describe('the text of an SMS', () => {
  const about = { schoolName: 'Baobab School', publicUrl: 'https://lunch.example.com' }

  test('names the school, and the portal where there is room', () => {
    expect(smsText({ ...about, short: '1 meal ordered.' })).toBe(
      'Baobab School: 1 meal ordered. https://lunch.example.com',
    )
    const short = `${'x'.repeat(140)}.`
    expect(smsText({ ...about, short })).toBe(`Baobab School: ${short}`)
  })

  test.each([['x'], ['€'], ['ł'], ['é'], ['ê'], ['’']])('of many %s fits one SMS', (sign) => {
    const text = smsText({ ...about, short: sign.repeat(300) })
    expect(smsLength(text)).toBeLessThanOrEqual(smsCharacters)
    expect(text).toMatch(/^Baobab School: .+\.\.\..*$/)
  })

  const letters = 'Holy Family of Saint Francis and Saint Clare Primary and Secondary School of Lusaka East'

  test('is shortened in the middle of the school’s name', () => {
    const short =
      'Your payment of K1,250.00 has arrived for 12 meals that you ordered for two children. Receipt 2026-000123.'
    const text = smsText({ ...about, schoolName: letters, short })
    expect(smsLength(text)).toBeLessThanOrEqual(smsCharacters)
    expect(text).toMatch(/^Holy Family.*\.\.\..*Lusaka East: Your payment/)
    expect(text.endsWith(short)).toBe(true)
  })

  const link = `https://lunch.school-of-saint-francis.example/stop/${'k7'.repeat(20)}`
  test.each([
    [
      'links',
      `No lunch ordered for next week, says the whole school, its kitchen and its office too. No more reminders: ${link}`,
      link,
    ],
    [
      'amounts',
      `${'Please pay very soon. '.repeat(9)}You owe K12,345.50, reference KMB7-22`,
      'K12,345.50, reference KMB7-22',
    ],
    ['receipt numbers', `${'Thank you for your payment. '.repeat(6)}Receipt 2026-000123.`, '2026-000123.'],
  ])('leaves %s whole', (_what, short, whole) => {
    const text = smsText({ ...about, schoolName: letters, short })
    expect(smsLength(text)).toBeLessThanOrEqual(smsCharacters)
    expect(text).toContain(whole)
    expect(text.match(/K12|reference|https?:/g)).toEqual(short.match(/K12|reference|https?:/g))
  })

  test('is longer than one SMS rather than half a link', () => {
    const long = `https://lunch.example/${'stop'.repeat(40)}`
    expect(smsText({ ...about, short: `No more reminders: ${long}` })).toContain(long)
  })

  test('of a code gives way in the school’s name, counted in the phones’ alphabet', () => {
    expect(oneSms(writeCode, 'Baobab School')).toBe(writeCode('Baobab School'))
    const text = oneSms(writeCode, `École ‘Ñ’ 日本 ${'€'.repeat(80)}`)
    expect(smsLength(text)).toBeLessThanOrEqual(smsCharacters)
    expect(text).toMatch(/^123456 is your code for .*\.\.\..*€\. It is valid for 10 minutes\.$/)
  })

  test('is in the alphabet of the phone networks', () => {
    expect(smsText({ ...about, short: 'Ngwerê – “ok” 日' })).toContain('Ngwere - "ok" ?')
  })
})

test('another phone is not verified, the same one stays so', () => {
  const account = { name: 'Mwila', email: null, phone: '0971' }
  expect(profileChanges(account, { name: 'Mwila', phone: '0972' })).toMatchObject({ phoneVerifiedAt: null })
  expect(profileChanges(account, { name: 'Mwila', phone: '0971' })).not.toHaveProperty('phoneVerifiedAt')
})
