import { channelsOf, contactNeeded } from '#modules/identity/messages/channels.decide'
import { internationalPhone } from '#modules/identity/messages/phone-number'
import { smsCharacters, smsLength, smsText } from '#modules/identity/messages/sms-text'
import { profileChanges } from '#modules/identity/accounts/profile.decide'

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

test.each([
  ['0971 234 567', '+260971234567'],
  ['971234567', '+260971234567'],
  ['+260 97-123-4567', '+260971234567'],
  ['00260971234567', '+260971234567'],
  ['260971234567', '+260971234567'],
  ['+44 20 7946 0958', '+442079460958'],
  ['0971', null],
  ['call 0971 234 567', null],
  ['+0971234567', null],
])('%s is the number %s', (written, number) => expect(internationalPhone(written)).toBe(number))

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
    expect(text).toMatch(/^Baobab School: .+\.\.\.$/)
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
