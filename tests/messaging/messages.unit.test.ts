import { forAnyAddress, mealMessage, mealSubject } from '#kernel/meal-line'
import { profileChanges } from '#modules/identity/users/credentials.decide'
import { channelsOf, contactNeeded } from '#modules/messaging/channels.decide'
import { htmlOf, messageMail, oneSms, smsCharacters, smsLength, smsText } from '#modules/messaging/letters'

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

const bodyOf = (html: string) => html.split('anywhere">\n')[1]!.split('\n</div></div>')[0]!

describe('the HTML of a mail', () => {
  test('has the school at its head, a head for each child and a list of its meals', () => {
    const text =
      'Dear Mwila,\n\nThese are ordered:\n\nLuyando Banda\n- Monday: Stew\n- Tuesday: Fish\n\nLog in at https://lunch.example.com.\n'
    const html = htmlOf(text, 'St "Mary" & Co')
    expect(html).toContain('>St &quot;Mary&quot; &amp; Co</div>')
    expect(bodyOf(html).replaceAll(/ style="[^"]*"/g, '')).toBe(
      [
        '<p>Dear Mwila,</p>',
        '<p>These are ordered:</p>',
        '<h2>Luyando Banda</h2>',
        '<ul><li>Monday: Stew</li><li>Tuesday: Fish</li></ul>',
        '<p>Log in at <a href="https://lunch.example.com">https://lunch.example.com</a>.</p>',
      ].join('\n'),
    )
  })

  test('keeps lines, and words before and after a list', () => {
    expect(bodyOf(htmlOf('Bank\n  Branch: A\n\nIt is:\n- one - two\nBye', 'School'))).toMatch(
      /^<p>Bank<br> {2}Branch: A<\/p>\n<p>It is:<\/p>\n<ul[^>]*><li>one - two<\/li><\/ul>\n<p>Bye<\/p>$/,
    )
  })

  test.each(['<script>', '"onclick=', 'a & b', 'https://x.example/"><img>'])('escapes %s', (typed) => {
    const body = bodyOf(htmlOf(`${typed}\n- ${typed}`, typed))
    expect(body).not.toMatch(/<(script|img)/)
    expect(body.replaceAll(/<[^>]*>/g, '')).not.toMatch(/["<]|&(?!quot;|lt;|gt;|amp;)/)
  })
})

const mealOn = (mealDate: string, name: string, dish = 'Stew') => ({
  mealDate,
  student: { name },
  item: { name: dish },
})

describe('a message about meals', () => {
  const luyando = 'Luyando Banda'
  const thabo = 'Thabo Banda'

  test.each([
    ['one meal', [mealOn('2026-11-30', luyando)], 'Luyando, 30 Nov'],
    ['two days', [mealOn('2026-12-01', luyando), mealOn('2026-11-30', luyando)], 'Luyando, 30 Nov and 1 Dec'],
    [
      'two children',
      ['2026-11-30', '2026-12-01', '2026-12-03'].flatMap((date) => [
        mealOn(date, luyando),
        mealOn(date, thabo),
      ]),
      'Luyando and Thabo, 30 Nov to 3 Dec',
    ],
    [
      'days of one month',
      ['2026-12-01', '2026-12-02', '2026-12-03'].map((date) => mealOn(date, luyando)),
      'Luyando, 1 to 3 Dec',
    ],
    [
      'children of one first name',
      [mealOn('2026-11-30', luyando), mealOn('2026-11-30', 'Luyando\nPhiri')],
      'Luyando Banda and Luyando Phiri, 30 Nov',
    ],
    [
      'many children',
      [luyando, thabo, 'Mary Banda', 'Chipo Banda'].map((name) => mealOn('2026-11-30', name)),
      '4 children, 30 Nov',
    ],
  ])('names children and days of %s in its subject', (_what, meals, words) => {
    expect(mealSubject({ what: 'Ordered', meals }).subject).toBe(`Ordered for ${words}`)
    expect(mealSubject({ what: 'Ordered', meals }).bareSubject).toBe(`Ordered, ${words.split(', ')[1]}`)
  })

  test('has a block for each child, its days in order, and nothing typed for an unverified address', () => {
    const message = mealMessage({
      what: 'Cancelled',
      why: ': not paid for',
      meals: [
        mealOn('2026-12-01', luyando, 'Fish'),
        mealOn('2026-11-30', thabo),
        mealOn('2026-11-30', luyando),
      ],
      start: 'These meals are cancelled (the oven broke):',
      bareStart: 'These meals are cancelled:',
      more: (meal, isBare) => (isBare ? '' : `, not ${meal.item.name}`),
      end: ['You owe nothing.'],
      short: (meals) => `Cancelled: ${meals}.`,
    })
    expect(message).toEqual({
      subject: 'Cancelled for Luyando and Thabo, 30 Nov and 1 Dec: not paid for',
      bareSubject: 'Cancelled, 30 Nov and 1 Dec: not paid for',
      text: `These meals are cancelled (the oven broke):

Luyando Banda
- Monday, 30 November 2026: Stew, not Stew
- Tuesday, 1 December 2026: Fish, not Fish

Thabo Banda
- Monday, 30 November 2026: Stew, not Stew

You owe nothing.`,
      bareText: `These meals are cancelled:
- Monday, 30 November 2026: a meal
- Monday, 30 November 2026: a meal
- Tuesday, 1 December 2026: a meal

You owe nothing.`,
      short: 'Cancelled: 3 meals (Mon 30 Nov, Tue 1 Dec).',
    })
  })
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
