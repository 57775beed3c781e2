import { textOf, insideOf, readXml } from '../../src/modules/payments/providers/dpo-wire'
import { eventually } from '../support/eventually'
import { type TestDatabase, testDatabase } from '../support/postgres'
import { type Shop, openShop, sentTo } from './shop'

describe('page', () => {
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

  const returnUrl = 'https://lunch.test/payment/success'
  const backUrl = 'https://lunch.test/payment/cancel'

  describe('the page', () => {
    test('tells who is paid how much for what, and is marked as a sandbox', async () => {
      const { token } = await shop.token({ reference: 'LP-P1', description: 'Lunch <x> & "co"' })
      const { status, text, headers } = await shop.page(token)
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(headers['cache-control']).toBe('no-store')
      for (const words of [
        '<title>SANDBOX: Pay Phiri &#38; Sons &#60;School&#62;</title>',
        '<strong>SANDBOX</strong>',
        '145.00',
        'Lunch &#60;x&#62; &#38; &#34;co&#34;',
        'LP-P1',
        '30 minutes',
        '4111 1111 1111 1111',
        '4000 0000 0000 0002',
        `action="/sandbox/pay/${token}"`,
      ])
        expect(text).toContain(words)
      for (const outcome of ['pay', 'decline', 'cancel', 'close', 'slow'])
        expect(text).toContain(`name="outcome" value="${outcome}"`)
    })

    test('nothing that is typed into it is sent', async () => {
      const { token } = await shop.token({ reference: 'LP-P2' })
      const { text } = await shop.page(token)
      const typed = [...text.matchAll(/<input (?![^>]*type="(?:radio|checkbox)")[^>]*>/g)].map(
        ([input]) => input,
      )
      expect(typed).toHaveLength(3)
      for (const input of typed) expect(input).not.toContain('name=')
    })

    test('its own policy lets in its style and script, no other host, and the way back', async () => {
      const { token } = await shop.token({
        reference: 'LP-P3',
        returnUrl,
        backUrl: 'http://127.0.0.1:3000/back',
      })
      const { text, headers } = await shop.page(token)
      const policy = String(headers['content-security-policy'])
      const nonce = /style-src 'nonce-([^']+)'/.exec(policy)![1]!
      expect(policy).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; form-action 'self' https://lunch.test http://127.0.0.1:3000; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(text).toContain(`<style nonce="${nonce}">`)
      expect(text).toContain(`<script type="module" nonce="${nonce}">`)
      expect(text).not.toMatch(/(?:src|href)="https?:/)
      expect((await shop.page(token)).headers['content-security-policy']).not.toBe(policy)
    })

    test.each(['', 'NO-SUCH', `a'b"<c>`, 'x'.repeat(500), '../..'])('there is none for %j', async (token) => {
      const { status, text, headers } = await shop.page(token)
      expect(status).toBe(404)
      expect(text).toContain('There is no such payment')
      expect(text).toContain('<strong>SANDBOX</strong>')
      expect(headers['content-security-policy']).toContain("form-action 'self';")
    })

    test.each([
      ['pay', 'This has been paid', returnUrl],
      ['slow', 'The bank is still busy', returnUrl],
      ['cancel', 'This was cancelled', backUrl],
    ])('after %s it says so, with the way back', async (outcome, words, where) => {
      const { token } = await shop.token({ reference: `LP-P4-${outcome}`, returnUrl, backUrl })
      await shop.leave(token, { outcome })
      const { text } = await shop.page(token)
      expect(text).toContain(`<h1>${words}</h1>`)
      expect(text).toContain(`href="${where}?`)
      expect(text).not.toContain('name="outcome"')
    })

    test('after a declined card another one may be tried, until the limit has passed', async () => {
      const { token } = await shop.token({ reference: 'LP-P5', limitMinutes: 1 })
      await shop.leave(token, { outcome: 'decline' })
      const { text } = await shop.page(token)
      expect(text).toContain('The bank declined that card')
      expect(text).toContain('1 minute<')
      shop.later(60_000)
      expect((await shop.page(token)).text).toContain('The time to pay has passed')
      expect(await shop.verify(token)).toMatchObject({ kind: 'declined' })
    })
  })

  describe('leaving the page', () => {
    test('pay goes to the return address with what DPO appends', async () => {
      const { token } = await shop.token({ reference: 'LP-L1', returnUrl })
      const answer = await shop.leave(token, { outcome: 'pay' })
      expect(answer.status).toBe(303)
      expect(sentTo(answer)).toEqual({
        where: returnUrl,
        TransID: token,
        CCDapproval: expect.stringMatching(/^\d{6}$/),
        PnrID: 'LP-L1',
        TransactionToken: token,
        CompanyRef: 'LP-L1',
      })
    })

    test.each([
      [
        'https://lunch.test/back?returnUrl=%2Fcart&x=a+b',
        /^https:\/\/lunch\.test\/back\?returnUrl=%2Fcart&x=a\+b&TransID=/,
      ],
      ['https://lunch.test/back?', /^https:\/\/lunch\.test\/back\?TransID=/],
      ['https://lunch.test/back?x=1&', /^https:\/\/lunch\.test\/back\?x=1&TransID=/],
      ['https://lunch.test/back#top', /^https:\/\/lunch\.test\/back\?TransID=.*#top$/],
      ['https://lunch.test', /^https:\/\/lunch\.test\/\?TransID=/],
    ])('also when the address is %s', async (address, expected) => {
      const { token } = await shop.token({ reference: 'LP-L2', returnUrl: address, unique: false })
      expect((await shop.leave(token, { outcome: 'pay' })).headers.location).toMatch(expected)
    })

    test('decline goes to the return address without an approval, and is declined', async () => {
      const { token } = await shop.token({ reference: 'LP-L3', returnUrl })
      expect(sentTo(await shop.leave(token, { outcome: 'decline' }))).toMatchObject({
        where: returnUrl,
        CCDapproval: '',
        TransID: token,
      })
      expect(await shop.verify(token)).toMatchObject({ kind: 'declined', code: '901' })
    })

    test('paying with the card that is declined is declined; the next card pays', async () => {
      const { token } = await shop.token({ reference: 'LP-L4' })
      await shop.leave(token, { outcome: 'pay', card: 'refused' })
      expect(await shop.verify(token)).toMatchObject({ kind: 'declined' })
      await shop.leave(token, { outcome: 'pay', card: 'visa' })
      expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid', report: { cardLast4: '1111' } })
    })

    test('cancel goes to the back address, and is cancelled', async () => {
      const { token } = await shop.token({ reference: 'LP-L5', backUrl: `${backUrl}?returnUrl=%2Fcart` })
      expect(sentTo(await shop.leave(token, { outcome: 'cancel' }))).toEqual({
        where: backUrl,
        returnUrl: '/cart',
        TransactionToken: token,
        CompanyRef: 'LP-L5',
      })
      expect(await shop.verify(token)).toMatchObject({ kind: 'cancelled', code: '904' })
    })

    test('close pays and stays: 204', async () => {
      const { token } = await shop.token({ reference: 'LP-L6' })
      const { status, headers, text } = await shop.leave(token, { outcome: 'close' })
      expect([status, headers.location, text]).toEqual([204, undefined, ''])
      expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid' })
    })

    test('slow stays, is pending at the bank, and is paid after its time, though the limit has passed', async () => {
      const { token } = await shop.token({ reference: 'LP-L7', limitMinutes: 1 })
      expect((await shop.leave(token, { outcome: 'slow' })).status).toBe(204)
      shop.later(89_999)
      expect(await shop.verify(token)).toMatchObject({ kind: 'pending', code: '003' })
      shop.later(1)
      expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid' })
    })

    test('paying again is sent the same way again; anything else is shown what has happened', async () => {
      const { token } = await shop.token({ reference: 'LP-L8' })
      const first = await shop.leave(token, { outcome: 'pay' })
      expect((await shop.leave(token, { outcome: 'pay' })).headers.location).toBe(first.headers.location)
      for (const outcome of ['decline', 'cancel', 'close', 'slow'])
        expect(await shop.leave(token, { outcome })).toMatchObject({
          status: 303,
          headers: { location: `/sandbox/pay?ID=${token}` },
        })
      expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid' })
    })

    test('twenty at once end in one way', async () => {
      const { token } = await shop.token({ reference: 'LP-L9' })
      const outcomes = ['pay', 'cancel', 'slow', 'close']
      await Promise.all(
        Array.from({ length: 20 }, (_, one) => shop.leave(token, { outcome: outcomes[one % 4]! })),
      )
      const first = await shop.verify(token)
      await Promise.all(outcomes.map((outcome) => shop.leave(token, { outcome })))
      expect(await shop.verify(token)).toEqual(first)
    })

    test('a page of another site may post it, as DPO is one', async () => {
      const { token } = await shop.token({ reference: 'LP-L10' })
      const answer = await shop.leave(token, { outcome: 'pay' }, { origin: 'https://elsewhere.test' })
      expect(answer.status).toBe(303)
    })

    test.each([{}, { outcome: 'steal' }, { outcome: '' }, { outcome: 'constructor' }])(
      'not with %j',
      async (form) => {
        const { token } = await shop.token({ reference: 'LP-L11', unique: false })
        const { status, text } = await shop.leave(token, form as Record<string, string>)
        expect([status, JSON.parse(text)]).toMatchObject([422, { code: 'validation_failed' }])
        expect(await shop.verify(token)).toMatchObject({ kind: 'pending' })
      },
    )

    test('nor without a payment, nor with a long story', async () => {
      expect(await shop.leave('NO-SUCH', { outcome: 'pay' })).toMatchObject({ status: 404 })
      expect(await shop.leave('a%00b', { outcome: 'pay' })).toMatchObject({ status: 404 })
      expect(await shop.leave('NO-SUCH', { outcome: 'x'.repeat(5_000) })).toMatchObject({ status: 413 })
    })
  })
})

describe('push', () => {
  let database: TestDatabase
  let shop: Shop

  beforeAll(async () => {
    database = await testDatabase()
  })
  beforeEach(async () => {
    await database.database.pool.query('truncate payments.sandbox_transactions')
    shop = await openShop(database)
  })
  afterEach(() => shop.close())
  afterAll(() => database.close())

  const minute = 60_000

  const due = async () => {
    const { rows } = await database.database.pool.query<{ push_at: Date | null }>(
      'select push_at from payments.sandbox_transactions where push_at is not null',
    )
    return rows.length
  }

  test('a paid token is pushed to the shop, which asks itself what has become of it', async () => {
    const { token, ref } = await shop.token({ reference: 'LP-1' })
    await shop.leave(token, { outcome: 'pay' })
    await eventually(async () => (await due()) === 0)
    expect(shop.pushed).toHaveLength(1)
    const { path, headers, body } = shop.pushed[0]!
    expect(path).toBe('/api/payments/push/secret')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const read = readXml(body)
    const fields = insideOf(read.kind === 'read' ? read.elements : {}, 'API3G')!
    expect(
      ['Result', 'TransactionToken', 'TransactionRef', 'TransactionAmount', 'CompanyRef'].map((name) =>
        textOf(fields, name),
      ),
    ).toEqual(['000', token, ref, '145.00', null])
    await shop.sweep()
    expect(shop.pushed).toHaveLength(1)
  })

  test('so is one whose browser was closed', async () => {
    const { token } = await shop.token({ reference: 'LP-2' })
    await shop.leave(token, { outcome: 'close' })
    await eventually(() => expect(shop.pushed).toHaveLength(1))
  })

  test.each(['decline', 'cancel'])('nothing is pushed after %s', async (outcome) => {
    const { token } = await shop.token({ reference: 'LP-3' })
    await shop.leave(token, { outcome })
    await shop.sweep()
    expect(shop.pushed).toEqual([])
  })

  test.each(['pay', 'close', 'slow'])('a push may be lost: %s with push=off', async (outcome) => {
    const { token } = await shop.token({ reference: 'LP-4' })
    await shop.leave(token, { outcome, push: 'off' })
    shop.later(10 * minute)
    await shop.sweep()
    expect(shop.pushed).toEqual([])
  })

  test('a slow bank is pushed once it has paid, by the sweep', async () => {
    const { token } = await shop.token({ reference: 'LP-5' })
    await shop.leave(token, { outcome: 'slow' })
    shop.later(89_999)
    await shop.sweep()
    expect(shop.pushed).toEqual([])
    shop.later(1)
    await Promise.all([shop.sweep(), shop.sweep()])
    expect(shop.pushed).toHaveLength(1)
    expect(await due()).toBe(0)
  })

  test.each([
    [500, 'OK'],
    [200, 'no'],
    [302, 'OK'],
  ])('a push answered %d %s is repeated by the sweep, five times in all', async (status, push) => {
    Object.assign(shop.answers, { status, push })
    const { token } = await shop.token({ reference: 'LP-6' })
    await shop.leave(token, { outcome: 'pay' })
    await eventually(() =>
      expect(shop.log.lines.some(({ message }) => message.includes('was not taken'))).toBe(true),
    )
    await shop.sweep()
    expect(shop.pushed).toHaveLength(1)
    for (let again = 0; again < 6; again++) {
      shop.later(30_000)
      await shop.sweep()
    }
    expect(shop.pushed).toHaveLength(5)
    expect(await due()).toBe(0)
  })

  test('a push that was cut off goes out after a restart', async () => {
    Object.assign(shop.answers, { status: 503 })
    const { token } = await shop.token({ reference: 'LP-7' })
    await shop.leave(token, { outcome: 'pay' })
    await eventually(() => expect(shop.pushed).toHaveLength(1))
    await shop.close()
    shop = await openShop(database)
    expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid' })
    shop.later(30_000)
    await shop.sweep()
    expect(shop.pushed.map(({ body }) => body.includes(token))).toEqual([true])
  })

  test('many payments at once are all pushed, some by the sweep', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 12 }, async (_, one) => (await shop.token({ reference: `LP-8-${one}` })).token),
    )
    await Promise.all(tokens.map((token) => shop.leave(token, { outcome: 'pay' })))
    await shop.sweep()
    await eventually(async () => (await due()) === 0)
    expect(new Set(shop.pushed.map(({ body }) => /<TransactionToken>(.*?)</.exec(body)?.[1]))).toEqual(
      new Set(tokens),
    )
    expect(shop.pushed).toHaveLength(12)
  })

  test('a shop that never answers holds nothing up, and closing ends the push', async () => {
    shop.answers.silent = true
    const { token } = await shop.token({ reference: 'LP-9' })
    // The push would give up by itself; here it goes on until it is ended.
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
    expect(await shop.leave(token, { outcome: 'pay' })).toMatchObject({ status: 303 })
    await eventually(() => expect(shop.pushed).toHaveLength(1))
    expect(await due()).toBe(1)
    await shop.close()
    expect(shop.log.lines.map(({ message }) => message)).toContain(
      'a push of the sandbox provider was not taken',
    )
    shop = await openShop(database)
  })
})
