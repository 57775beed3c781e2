import { testDatabase, type TestDatabase } from '../support/postgres'
import { openShop, type Shop } from './shop'

let database: TestDatabase
let shop: Shop

beforeAll(async () => {
  database = await testDatabase()
  shop = await openShop(database, 'Phiri & Sons <School>')
})
afterAll(async () => {
  await shop.close()
  await database.close()
})

const prompted = async (reference: string, PhoneNumber: string, description = 'School lunches x 5') => {
  const { token } = await shop.token({ reference, description })
  await shop.charge(token, { PhoneNumber })
  return token
}

describe('the page of a phone', () => {
  test('tells who asks for how much, and is marked as a sandbox', async () => {
    const token = await prompted('LP-F1', '260971000001', 'Lunch <x> & "co"')
    const { status, text, headers } = await shop.phone('0971000001')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    for (const words of [
      '<title>SANDBOX: Phone +260 97 100 0001</title>',
      '<strong>SANDBOX</strong>',
      'One payment waits for an answer.',
      'Pay Phiri &#38; Sons &#60;School&#62;?',
      '145.00',
      'Airtel Money',
      'Lunch &#60;x&#62; &#38; &#34;co&#34;',
      'LP-F1',
      'action="/sandbox/phone/260971000001"',
      `name="prompt" value="${token}.1"`,
      'name="choice" value="approve">Approve</button>',
      'name="choice" value="wrong-pin">Wrong PIN</button>',
      'name="choice" value="not-enough">Not enough money</button>',
      'name="choice" value="ignore">Ignore</button>',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('http-equiv="refresh"')
  })

  test('a phone on which nothing waits says so, and looks again by itself', async () => {
    const { status, text } = await shop.phone('0971000002')
    expect(status).toBe(200)
    expect(text).toContain('Nothing waits on this phone.')
    expect(text).not.toContain('name="choice"')
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>')
  })

  test.each([
    '0971000003',
    '971000003',
    '260971000003',
    '+260971000003',
    '%2B260%20971%20000%20003',
    '00260971000003',
    '+260%20(0)97-100-0003',
  ])('its number may be written %s', async (written) => {
    const reference = `LP-F3-${written.length}`
    const token = await prompted(reference, '260971000003')
    expect((await shop.phone(written)).text).toContain(token)
    expect((await shop.phone('0971000004')).text).not.toContain(token)
  })

  test.each(['12', 'hello', '+27821234567', '097712345', '%3Cb%3E', '0977123456'.repeat(9)])(
    'there is none for %s',
    async (written) => {
      const { status, text } = await shop.phone(written)
      expect(status).toBe(404)
      expect(text).toContain('There is no such phone')
      expect((await shop.answer('approve', 'X.1', written)).status).toBe(404)
    },
  )

  test('its own policy lets in its style and script, and no other host', async () => {
    const { text, headers } = await shop.phone('0971000002')
    const policy = String(headers['content-security-policy'])
    const nonce = /style-src 'nonce-([^']+)'/.exec(policy)![1]!
    expect(policy).toBe(
      `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(text).toContain(`<style nonce="${nonce}">`)
    expect(text).toContain(`<script type="module" nonce="${nonce}">`)
    expect(text).not.toMatch(/(?:src|href)="https?:/)
  })

  test('several prompts stand newest first, and tell which of its token each is', async () => {
    const first = await prompted('LP-F6', '260971000006')
    shop.later(1000)
    const second = await prompted('LP-F7', '260971000006')
    shop.later(1000)
    await shop.charge(second, { PhoneNumber: '260971000006', MNO: 'MTNZM' })
    const { text } = await shop.phone('0971000006')
    expect([...text.matchAll(/name="prompt" value="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      `${second}.2`,
      `${second}.1`,
      `${first}.1`,
    ])
    expect(text).toContain('3 payments wait for an answer.')
    expect(text).toContain('<dd>2 of 2</dd>')
    expect(text).toContain('MTN Money')
  })

  test('no more than the twenty newest tokens are shown', async () => {
    const tokens: string[] = []
    for (let count = 0; count < 21; count++) {
      shop.later(1000)
      tokens.push(await prompted(`LP-F8-${count}`, '260971000008'))
    }
    const { text } = await shop.phone('0971000008')
    expect(tokens.filter((token) => !text.includes(token))).toEqual([tokens[0]])
  })

  test('an index finds the prompts of a number', async () => {
    const client = await database.database.pool.connect()
    try {
      await client.query('set enable_seqscan = off')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select state from payments.sandbox_transactions where prompted_phones <> '{}' and prompted_phones @> array['260971000008']
         order by prompted_at desc, token limit 20`,
      )
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('sandbox_transactions_phones')
    } finally {
      await client.query('reset enable_seqscan')
      client.release()
    }
  })
})

describe('answering', () => {
  test.each([
    ['approve', 'Approved.', '000'],
    ['wrong-pin', 'That PIN was wrong.', '901'],
    ['not-enough', 'There was not enough money.', '901'],
    ['decline', 'Declined.', '901'],
    ['ignore', 'The prompt went away without an answer.', '900'],
  ])('%s goes back to the phone, which says so', async (choice, words, code) => {
    const token = await prompted(`LP-G1-${choice}`, '260971000011')
    const { status, headers } = await shop.answer(choice, `${token}.1`, '0971000011')
    expect([status, headers.location]).toEqual([303, `/sandbox/phone/260971000011?did=${choice}`])
    const { text } = await shop.phone(`260971000011?did=${choice}`)
    expect(text).toContain(words)
    expect(text).not.toContain(token)
    expect(await shop.verify(token)).toMatchObject({ code })
  })

  test('a prompt of another phone, of no token, or that has ended is gone', async () => {
    const token = await prompted('LP-G2', '260971000012')
    const gone = { status: 303, headers: { location: '/sandbox/phone/260971000013?did=gone' } }
    for (const prompt of [
      `${token}.1`,
      `${token}.2`,
      `${token}.0`,
      'NO-SUCH.1',
      '',
      'constructor',
      `${token}`,
    ])
      expect(await shop.answer('approve', prompt, '0971000013')).toMatchObject(gone)
    expect(await shop.verify(token)).toMatchObject({ code: '900' })
    await shop.answer('ignore', `${token}.1`, '0971000012')
    const { headers } = await shop.answer('approve', `${token}.1`, '0971000012')
    expect(headers.location).toContain('did=gone')
    expect((await shop.phone('0971000012?did=gone')).text).toContain('That prompt had ended already.')
    expect(await shop.verify(token)).toMatchObject({ code: '900' })
  })

  test('pressing twice is told as pressing once', async () => {
    const token = await prompted('LP-G4', '260971000015')
    const answers = [1, 2].map(() => shop.answer('approve', `${token}.1`, '0971000015'))
    for (const { headers } of await Promise.all(answers))
      expect(headers.location).toBe('/sandbox/phone/260971000015?did=approve')
  })

  test('what the address claims is not repeated', async () => {
    const { text } = await shop.phone('0971000012?did=constructor&did=%3Cb%3E')
    expect(text).not.toContain('class="said')
  })

  test.each(['', 'steal', 'constructor'])('not with the choice %j', async (choice) => {
    const { status, text } = await shop.answer(choice, 'X.1')
    expect([status, JSON.parse(text)]).toMatchObject([422, { code: 'validation_failed' }])
  })

  test('nor with a long story', async () => {
    expect((await shop.answer('approve', 'x'.repeat(5_000))).status).toBe(413)
  })

  test('a push may be lost: approve with push=off', async () => {
    const token = await prompted('LP-G3', '260971000014')
    await shop.answer('approve', `${token}.1`, '0971000014', { push: 'off' })
    shop.later(600_000)
    await shop.sweep()
    expect(shop.pushed.some(({ body }) => body.includes(token))).toBe(false)
    expect(await shop.verify(token)).toMatchObject({ code: '000' })
  })
})

test('nothing it logs holds a number', () => {
  expect(shop.log.lines.length).toBeGreaterThan(0)
  expect(JSON.stringify(shop.log.lines)).not.toContain('97100')
})
