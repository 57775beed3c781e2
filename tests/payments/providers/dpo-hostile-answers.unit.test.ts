import * as fc from 'fast-check'
import { dpoProvider } from '../../../src/modules/payments/providers/dpo'
import {
  dpoTimeouts,
  insideOf,
  readXml,
  textOf,
  writeXml,
} from '../../../src/modules/payments/providers/dpo-wire'
import { type CardProvider, verdictFor } from '../../../src/modules/payments/providers/provider'
import { tries } from '../../support/tries'
import { companyToken, dpoXml, expected, paidFields } from './answers'

const request = {
  reference: expected.reference,
  amount: expected.amount,
  unique: true,
  returnUrl: 'https://lunch.test/payment/success',
  backUrl: 'https://lunch.test/payment/cancel',
  limitMinutes: 30,
  customer: { firstName: 'Mwansa', lastName: 'Phiri', email: 'm@phiri.test', phone: null },
  description: 'School lunches x 5',
  serviceAt: new Date('2025-11-21T05:40:00Z'),
}

/** DPO's adapter before a provider that gives this answer to everything. */
const answered = (body: string | Uint8Array, init?: ResponseInit): CardProvider =>
  dpoProvider(
    {
      companyToken,
      serviceType: '45',
      createUrl: 'https://pay.test/API/v6/',
      verifyUrl: 'https://pay.test/API/v7/',
      payUrl: 'https://pay.test/payv2.php',
      timeouts: dpoTimeouts,
    },
    { now: () => new Date('2026-09-16T05:00:00Z'), zone: 'Africa/Lusaka' },
    () => Promise.resolve(new Response(body as BodyInit, init)),
  )

const airtel = { name: 'AirtelZM', country: 'zambia', countryCode: '260' }

/** Everything the adapter answers, operation by operation; it must not throw. */
const everything = async (provider: CardProvider) => ({
  created: await provider.createToken(request),
  verified: await provider.verify('TOKEN-1', { acknowledge: false }),
  cancelled: await provider.cancel('TOKEN-1'),
  refunded: await provider.refund({ token: 'TOKEN-1', amount: 100, details: 'x', refundRef: 'r-1' }),
  refunds: await provider.verifyRefund({ token: 'TOKEN-1', ref: null }),
  options: await provider.mobileOptions('TOKEN-1'),
  prompted: await provider.sendPrompt({ token: 'TOKEN-1', option: airtel, phone: '260977123456' }),
})

const isPaid = async (body: string | Uint8Array) => {
  const answer = await answered(body).verify('TOKEN-1', { acknowledge: false })
  return verdictFor(answer, expected).kind === 'paid'
}

const whole = dpoXml(paidFields)

test('the whole answer is paid', async () => {
  expect(await isPaid(whole)).toBe(true)
})

test('no beginning of an answer is anything but unreachable', async () => {
  for (let length = 0; length < whole.length; length++)
    expect(await answered(whole.slice(0, length)).verify('T', { acknowledge: false })).toMatchObject({
      kind: 'unreachable',
    })
})

const saysTheSame = {
  Result: '000',
  CompanyRef: expected.reference,
  TransactionAmount: String.raw`145(\.0+)?`,
  TransactionCurrency: 'ZMW',
}

test('no answer with one character changed is paid, unless it says the very same', async () => {
  const places = fc.nat({ max: whole.length - 1 })
  const sign = fc.oneof(
    fc.constantFrom('<', '>', '&', '/', '0', '1', ' ', '\n', '"', '\0'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  await fc.assert(
    fc.asyncProperty(places, sign, async (at, put) => {
      const changed = whole.slice(0, at) + put + whole.slice(at + 1)
      if (!(await isPaid(changed))) return
      for (const [name, text] of Object.entries(saysTheSame))
        expect(changed).toMatch(new RegExp(`<${name}>\\s*${text}\\s*</${name}\\s*>`))
    }),
    { seed: 3, numRuns: tries(1_000) },
  )
})

const tricks = [
  `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]><API3G><Result>&lol2;</Result></API3G>`,
  `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY code "000">]>${whole.replace(/^<\?.*\n/, '').replace('>000<', '>&code;<')}`,
  `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><API3G><Result>000</Result><CompanyRef>&x;</CompanyRef></API3G>`,
  `<!DOCTYPE a SYSTEM "http://pay.test/evil.dtd"><API3G><Result>000</Result></API3G>`,
  whole.replace('>000<', '>&#48;&#48;&#48;<'),
  whole.replace('>000<', '>&amp;#48;00<'),
  whole.replace('<Result>', '<!--<Result>').replace('</Result>', '</Result>-->'),
  whole.replace('<API3G>', '<API3G xmlns="x"><Result>901</Result>'),
  whole.replaceAll('API3G', 'x:API3G'),
  whole
    .replace('<API3G>', '<API3G><constructor><prototype>1</prototype></constructor>')
    .replace('>145.00<', '>1.00<'),
  `<API3G><__proto__><Result>000</Result><TransactionAmount>145.00</TransactionAmount></__proto__></API3G>`,
  `<API3G>${'<a>'.repeat(5_000)}</API3G>`,
  `<API3G>${'&amp;'.repeat(40_000)}</API3G>`,
  `${'<'.repeat(200_000)}`,
  '\0\0\0\0',
  '\ufeff',
  '[object Object]',
]

test.each(tricks)('a trick is not paid and nothing breaks (%#)', async (trick) => {
  await everything(answered(trick))
  expect(await isPaid(trick)).toBe(false)
})

test('whatever comes, every operation answers in its own words and nothing is paid', async () => {
  const scrap = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '<API3G>',
        '</API3G>',
        '<Result>',
        '</Result>',
        '000',
        '901',
        '<Code>',
        '</Code>',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?xml ?>',
        '<Refunds><Refund/></Refunds>',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...Object.keys(paidFields).map((name) => `<${name}/>`)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  )
  const scraps = fc.array(scrap, { maxLength: 24 }).map((parts) => parts.join(''))
  const wrapped = scraps.map((inside) => `<API3G>${inside}</API3G>`)
  const bytes = fc.uint8Array({ maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(scraps, wrapped, bytes, fc.string({ unit: 'binary' })), async (body) => {
      const { created, verified, cancelled, refunded, refunds, options, prompted } = await everything(
        answered(body),
      )
      expect(['options', 'config', 'unreachable']).toContain(options.kind)
      expect(['sent', 'refused', 'config', 'unreachable']).toContain(prompted.kind)
      expect(['refused', 'config', 'unreachable']).toContain(created.kind)
      expect(['cancelled', 'refused', 'config', 'unreachable']).toContain(cancelled.kind)
      expect(['accepted', 'refused', 'config', 'unreachable']).toContain(refunded.kind)
      expect(['told', 'config', 'unreachable']).toContain(refunds.kind)
      expect(verdictFor(verified, expected).kind).not.toBe('paid')
    }),
    { seed: 11, numRuns: tries(700) },
  )
})

test('a status other than 200 is unreachable, whatever the body says', async () => {
  for (const status of [201, 202, 301, 302, 307, 400, 401, 403, 404, 429, 500, 502, 503, 504]) {
    const unreachable = { kind: 'unreachable', why: 'http-status', detail: String(status) }
    const all = await everything(answered(whole, { status }))
    for (const answer of Object.values(all)) expect(answer).toEqual(unreachable)
  }
})

test('nothing that comes back ever holds the company token', async () => {
  const anywhere = fc.constantFrom(
    'Result',
    'ResultExplanation',
    'CompanyRef',
    'TransactionCurrency',
    'TransToken',
    'TransRef',
    'FraudAlert',
    'CardType',
    'StatusCode',
    'instructions',
    'paymentname',
    'country',
  )
  const dressed = fc.constantFrom(
    companyToken,
    companyToken.toLowerCase(),
    `a${companyToken}b`,
    ` ${companyToken} `,
  )
  const code = fc.constantFrom('000', '002', '801', '900', '901', '905', '940', '999')
  await fc.assert(
    fc.asyncProperty(fc.dictionary(anywhere, dressed), code, async (fields, Result) => {
      const all = JSON.stringify(
        await everything(answered(dpoXml({ Result, ...fields, countrycode: '260' }))),
      )
      expect(all.toLowerCase()).not.toContain(companyToken.toLowerCase())
    }),
    { seed: 5, numRuns: tries(300) },
  )
})

const elementsOf = (xml: string) => {
  const read = readXml(xml)
  if (read.kind !== 'read') throw new Error(read.kind)
  return insideOf(read.elements, 'API3G')!
}

describe('reading', () => {
  test.each([
    ['000', '000'],
    ['00123', '00123'],
    ['1e3', '1e3'],
    ['0x10', '0x10'],
    ['145.00', '145.00'],
    ['true', 'true'],
    ['  spaced  ', 'spaced'],
    ['Phiri &amp; Sons &lt;3', 'Phiri & Sons <3'],
    ['&amp;lt;', '&lt;'],
    ['<![CDATA[A & B]]>', 'A & B'],
    ['00<!-- not here -->0', '000'],
    ['&unknown;', '&unknown;'],
    ['&#48;00', '&#48;00'],
  ])('%s stays text', (written, text) => {
    expect(textOf(elementsOf(`<API3G><Result>${written}</Result></API3G>`), 'Result')).toBe(text)
  })

  test('what is absent, repeated or holds elements has no text', () => {
    const elements = elementsOf('<API3G><A>1</A><A>2</A><B><C>3</C></B><D/></API3G>')
    expect(['A', 'B', 'D', 'E', 'toString', 'constructor'].map((name) => textOf(elements, name))).toEqual([
      null,
      null,
      '',
      null,
      null,
      null,
    ])
    expect(insideOf(elements, 'A')).toBeNull()
    expect(textOf(insideOf(elements, 'B')!, 'C')).toBe('3')
  })

  test.each([
    '<!DOCTYPE API3G><API3G><Result>000</Result></API3G>',
    '<?xml version="1.0"?><!doctype html><html></html>',
    '<API3G><!-- <!DOCTYPE x> --><Result>000</Result></API3G>',
    '<API3G><Result><![CDATA[<!ENTITY a "b">]]></Result></API3G>',
  ])('a document type anywhere is not read: %s', (xml) => {
    expect(readXml(xml)).toEqual({ kind: 'doctype' })
  })

  test.each([
    '',
    '   ',
    'OK',
    '{"Result":"000"}',
    '<API3G><Result>000</Result>',
    '<API3G><Result>000</Result></API3G',
    '<API3G><Result>000</API3G>',
    '<API3G><Result>000</Result></API3G> and more',
    '<API3G><Result>901</Result></API3G><API3G><Result>000</Result></API3G>',
    '<API3G><Result>000</Result></API3G><!-- cut',
    '<API3G><__proto__><Result>000</Result></__proto__></API3G>',
    `<API3G>${'<a>'.repeat(40)}${'</a>'.repeat(40)}</API3G>`,
  ])('what is no whole document is not read: %s', (xml) => {
    expect(readXml(xml)).toEqual({ kind: 'not-xml' })
  })

  test('a mark of byte order and blanks around the document do no harm', () => {
    expect(
      textOf(
        elementsOf('\ufeff\r\n<?xml version="1.0"?>\r\n<API3G><Result>000</Result></API3G>\n'),
        'Result',
      ),
    ).toBe('000')
  })
})

describe('writing', () => {
  test('elements in order, lists repeated, text escaped', () => {
    expect(writeXml('API3G', { A: `<b> & "c" 'd'`, Bs: { B: [{ C: '1' }, { C: '2' }] }, D: '' })).toBe(
      `<?xml version="1.0" encoding="utf-8"?>\n<API3G><A>&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;</A><Bs><B><C>1</C></B><B><C>2</C></B></Bs><D></D></API3G>`,
    )
  })

  test('characters that XML does not know are left out', () => {
    expect(writeXml('A', { B: 'a\u0000b\u0008c\ud800d\uffffe\u{1f35e}' })).toContain('<B>abcde\u{1f35e}</B>')
  })

  test('whatever is written is read again as it was', () => {
    const text = fc.string({ unit: 'grapheme' }).map((some) => some.replaceAll(/\s+/g, ' ').trim())
    fc.assert(
      fc.property(text, (some) => {
        fc.pre(!/<!(?:doctype|entity)/i.test(some))
        expect(textOf(elementsOf(writeXml('API3G', { Note: some })), 'Note')).toBe(some)
      }),
      { seed: 7, numRuns: tries(500) },
    )
  })
})
