import { gzipSync } from 'node:zlib'
import { addStudent } from '#contracts/identity'
import { createPayment } from '#contracts/payments'
import { clientOf, signIn } from '../../../src/app/demo/client'
import { dpoProvider } from '../../../src/modules/payments/providers/dpo'
import { verdictFor, type TokenAnswer } from '../../../src/modules/payments/providers/provider'
import { scriptTags } from '../../../src/sandbox/script'
import { type Canteen, openCanteen } from '../../ordering/canteen'
import { companyToken, dpoXml, paidFields, saysPaid } from './answers'
import { brief, facing, patient, request, serving } from './facing'
import { startFakeDpo, type FakeDpo } from './fake-dpo'

const verify = ({ provider }: Awaited<ReturnType<typeof facing>>) =>
  provider.verify('TOKEN-0001', { acknowledge: false })

describe('on the wire', () => {
  test('every operation posts XML with a User-Agent to its address', async () => {
    const { provider, server } = await facing((response) => response.end(dpoXml({ Result: '000' })))
    await provider.createToken(request)
    await provider.verify('TOKEN-0001', { acknowledge: true })
    await provider.cancel('TOKEN-0001')
    await provider.refund({ token: 'TOKEN-0001', amount: 100, details: 'x', refundRef: 'r-1' })
    await provider.verifyRefund({ token: 'TOKEN-0001', ref: 'R1' })
    expect(server.asked.map(({ path, body }) => `${path} ${/<Request>(\w+)</.exec(body)?.[1]}`)).toEqual([
      '/API/v6/ createToken',
      '/API/v7/ verifyToken',
      '/API/v6/ cancelToken',
      '/API/v6/ refundToken',
      '/API/v7/ verifyRefund',
    ])
    for (const { headers } of server.asked) {
      expect(headers['user-agent']).toBe('Tuckshop/1.0')
      expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    }
  })

  test('the payment page is named with the token', async () => {
    const { provider, server, config } = await facing((response) => response.end())
    expect(provider.paymentPageUrl('A&B')).toBe(`${server.url}/payv2.php?ID=A%26B`)
    const elsewhere = { ...config, payUrl: 'https://pay.test/pay?lang=en' }
    const other = dpoProvider(elsewhere, { now: () => new Date(), zone: 'Africa/Lusaka' })
    expect(other.paymentPageUrl('TOKEN')).toBe('https://pay.test/pay?lang=en&ID=TOKEN')
  })

  test('an answer that comes in pieces or compressed is read', async () => {
    const xml = dpoXml(paidFields)
    const inPieces = await facing((response) => {
      response.write(xml.slice(0, 50))
      setImmediate(() => response.end(xml.slice(50)))
    })
    expect(await verify(inPieces)).toEqual(saysPaid())
    const compressed = await facing((response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(gzipSync(xml))
    })
    expect(await verify(compressed)).toEqual(saysPaid())
  })

  test('a redirect is not followed: the credential goes nowhere else', async () => {
    const elsewhere = await serving((response) => response.end(dpoXml(paidFields)))
    for (const status of [301, 302, 303, 307, 308]) {
      const near = await facing((response) => {
        response.writeHead(status, { Location: `${elsewhere.url}/API/v7/` })
        response.end()
      })
      expect(await verify(near)).toEqual({ kind: 'unreachable', why: 'http-status', detail: String(status) })
    }
    expect(elsewhere.asked).toEqual([])
  })
})

describe('an answer that is none', () => {
  test.each([
    [502, '<html><body><h1>502 Bad Gateway</h1></body></html>', { why: 'http-status', detail: '502' }],
    [403, '<html><body>Forbidden</body></html>', { why: 'http-status', detail: '403' }],
    [200, '<html><body><h1>We will be back</h1></body></html>', { why: 'no-code', detail: null }],
    [200, '<!DOCTYPE html><html></html>', { why: 'doctype', detail: null }],
    [200, '', { why: 'not-xml', detail: null }],
    [204, '', { why: 'http-status', detail: '204' }],
    [500, dpoXml(paidFields), { why: 'http-status', detail: '500' }],
  ])('%d with %s', async (status, body, unreachable) => {
    const near = await facing((response) => {
      response.writeHead(status)
      response.end(body)
    })
    expect(await verify(near)).toEqual({ kind: 'unreachable', ...unreachable })
  })

  test('more than 256 KiB are not read, compressed or not', async () => {
    const large = dpoXml({ ...paidFields, Note: 'x'.repeat(256 * 1024) })
    const plain = await facing((response) => response.end(large))
    expect(await verify(plain)).toEqual({ kind: 'unreachable', why: 'too-large', detail: null })
    const compressed = await facing((response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(gzipSync(dpoXml({ Note: 'x'.repeat(50_000_000) })))
    })
    expect(await verify(compressed)).toEqual({ kind: 'unreachable', why: 'too-large', detail: null })
  })

  test('an answer that stops half way is ended by the time-out', async () => {
    const near = await facing((response) => void response.write(dpoXml(paidFields).slice(0, 100)), brief)
    expect(await verify(near)).toEqual({ kind: 'unreachable', why: 'timeout', detail: null })
  })

  test('a broken connection names its code word', async () => {
    const near = await facing((response) => void response.socket?.destroy())
    expect(await verify(near)).toEqual({
      kind: 'unreachable',
      why: 'no-connection',
      detail: 'UND_ERR_SOCKET',
    })
    await near.server.close()
    expect(await verify(near)).toEqual({ kind: 'unreachable', why: 'no-connection', detail: 'ECONNREFUSED' })
  })
})

test('the company token stands in no answer, not even when the provider sends back what it was sent', async () => {
  const echo = await serving((response, { body }) =>
    response.end(body.replace('<Request>', '<Result>000</Result><Request>')),
  )
  const config = {
    companyToken,
    serviceType: '45',
    createUrl: echo.url,
    verifyUrl: echo.url,
    payUrl: echo.url,
    timeouts: patient,
  }
  const echoed = dpoProvider(config, { now: () => new Date(0), zone: 'Africa/Lusaka' })
  const everything = JSON.stringify([
    await echoed.createToken(request),
    await echoed.verify('TOKEN-0001', { acknowledge: true }),
    await echoed.cancel('TOKEN-0001'),
    await echoed.refund({ token: 'TOKEN-0001', amount: 100, details: 'x', refundRef: 'r-1' }),
    await echoed.verifyRefund({ token: 'TOKEN-0001', ref: 'R1' }),
    echoed.paymentPageUrl('TOKEN-0001'),
  ])
  expect(echo.asked[0]!.body).toContain(companyToken)
  expect(everything).not.toContain(companyToken)
})

const createdXml = dpoXml({
  Result: '000',
  ResultExplanation: 'Created',
  TransToken: 'TOKEN-0001',
  TransRef: 'R1',
})
const created = { kind: 'created', token: 'TOKEN-0001', ref: 'R1' }
const coded = (code: string) => dpoXml({ Result: code, ResultExplanation: 'In words' })

describe('creating a token', () => {
  test('a lost connection is tried once more', async () => {
    let calls = 0
    const { provider, server } = await facing((response) => {
      calls += 1
      if (calls === 1) response.socket?.destroy()
      else response.end(createdXml)
    })
    expect(await provider.createToken(request)).toEqual(created)
    expect(server.asked).toHaveLength(2)
    expect(server.asked[1]!.body).toBe(server.asked[0]!.body)
  })

  test('and no more than once', async () => {
    const { provider, server } = await facing((response) => void response.socket?.destroy())
    expect(await provider.createToken(request)).toMatchObject({ kind: 'unreachable', why: 'no-connection' })
    expect(server.asked).toHaveLength(2)
  })

  test('neither a time-out nor a page is tried again', async () => {
    const silent = await facing(() => undefined, brief)
    expect(await silent.provider.createToken(request)).toMatchObject({ why: 'timeout' })
    expect(silent.server.asked).toHaveLength(1)
    const page = await facing((response) => {
      response.statusCode = 502
      response.end('<html></html>')
    })
    expect(await page.provider.createToken(request)).toMatchObject({ why: 'http-status' })
    expect(page.server.asked).toHaveLength(1)
  })

  test('verifying, cancelling and refunding are never tried again by themselves', async () => {
    const { provider, server } = await facing((response) => void response.socket?.destroy())
    await provider.verify('TOKEN-0001', { acknowledge: false })
    await provider.cancel('TOKEN-0001')
    await provider.refund({ token: 'TOKEN-0001', amount: 100, details: 'x', refundRef: 'r-1' })
    await provider.verifyRefund({ token: 'TOKEN-0001', ref: null })
    expect(server.asked).toHaveLength(4)
  })
})

describe('a provider that keeps failing is left alone', () => {
  test('after five failures in a row for 60 seconds, then one may try', async () => {
    let answer = '<html></html>'
    const { provider, server, pass } = await facing((response) => response.end(answer))
    for (let call = 0; call < 5; call++)
      expect(await provider.createToken(request)).toMatchObject({ kind: 'unreachable' })
    const unavailable = { kind: 'unavailable', until: new Date('2026-09-16T05:01:00Z') }
    expect(await provider.createToken(request)).toEqual(unavailable)
    pass(59_999)
    expect(await provider.createToken(request)).toEqual(unavailable)
    expect(server.asked).toHaveLength(5)
    pass(1)
    answer = createdXml
    const [one, other] = await Promise.all([provider.createToken(request), provider.createToken(request)])
    expect(one).toEqual(created)
    expect(other).toMatchObject({ kind: 'unavailable' })
    expect(await provider.createToken(request)).toEqual(created)
  })

  test.each(['801', '802', '904', '950'])(
    'at once when it refuses our credentials or request (%s)',
    async (code) => {
      const { provider, server, pass } = await facing((response) => response.end(coded(code)))
      expect(await provider.createToken(request)).toMatchObject({ kind: 'config', code })
      expect(await provider.createToken(request)).toMatchObject({ kind: 'unavailable' })
      pass(60_000)
      expect(await provider.createToken(request)).toMatchObject({ kind: 'config', code })
      expect(await provider.createToken(request)).toMatchObject({ kind: 'unavailable' })
      expect(server.asked).toHaveLength(2)
    },
  )

  test.each(['905', '906', '940'])('but not for refusing one payment (%s)', async (code) => {
    const { provider, server } = await facing((response) => response.end(coded(code)))
    for (let call = 0; call < 8; call++)
      expect(await provider.createToken(request)).toMatchObject({ kind: 'refused', code })
    expect(server.asked).toHaveLength(8)
  })

  test('payments that have begun are still looked after', async () => {
    const { provider } = await facing((response) => response.end(coded('802')))
    await provider.createToken(request)
    expect(await provider.createToken(request)).toMatchObject({ kind: 'unavailable' })
    expect(await provider.verify('TOKEN-0001', { acknowledge: false })).toMatchObject({ kind: 'config' })
    expect(await provider.cancel('TOKEN-0001')).toMatchObject({ kind: 'config' })
  })
})

describe('return address', () => {
  let canteen: Canteen
  beforeAll(async () => {
    canteen = await openCanteen()
    await canteen.parent('mwila', { email: 'mwila@example.org' })
  })
  afterAll(() => canteen.close())

  /** The browser keeps its session per host name, so the payment page must lead back to the name that was used. */
  test.each(['127.0.0.1', 'localhost'])('a parent who came by %s is led back there', async (host) => {
    const address = new URL(canteen.url)
    address.hostname = host
    const parent = await signIn(address.href, 'mwila', 'parent-password')
    const child = await parent.call(addStudent, { body: { name: `Child by ${host}`, grade: '9' } })
    const cart = {
      amount: 45.5,
      redirectURL: 'https://evil.example/steal',
      cartItems: [canteen.stewFor(child, 2)],
    }
    const { paymentUrl, TransToken } = await parent.call(createPayment, { body: cart })
    expect(new URL(paymentUrl).origin).toBe(address.origin)

    const page = await clientOf(address.href).fetch(`/sandbox/pay/${TransToken}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }),
    })
    expect(page.headers.get('location')).toMatch(`${address.origin}/payment/success?`)
  })
})

describe('the fake DPO', () => {
  let dpo: FakeDpo
  let at = new Date('2026-09-16T05:00:00Z')
  const now = () => at
  const later = (minutes: number) => void (at = new Date(at.getTime() + minutes * 60_000))

  beforeAll(async () => {
    dpo = await startFakeDpo({ now })
  })
  afterAll(() => dpo.close())
  beforeEach(() => {
    at = new Date('2026-09-16T05:00:00Z')
  })

  const provider = (timeouts = dpo.config.timeouts) =>
    dpoProvider({ ...dpo.config, timeouts }, { now, zone: 'Africa/Lusaka' })

  const brief = { createMs: 200, verifyMs: 200 }
  let number = 0

  /** A new payment of K145.00 whose reference carries the tag. */
  const create = async (tag: string, timeouts = dpo.config.timeouts) => {
    number += 1
    const reference = `LP-${tag}-${number}`
    const answer = await provider(timeouts).createToken({ ...request, reference })
    return { answer, reference }
  }

  const tokenOf = (answer: TokenAnswer) => {
    if (answer.kind !== 'created') throw new Error(`Not created: ${JSON.stringify(answer)}`)
    return answer.token
  }

  const tried = new Set<string>()

  /** What becomes of a payment whose reference carries the tag. */
  const verdict = async (tag: string, timeouts = dpo.config.timeouts) => {
    tried.add(tag)
    const { answer, reference } = await create(tag)
    const verified = await provider(timeouts).verify(tokenOf(answer), { acknowledge: false })
    return verdictFor(verified, { amount: request.amount, currency: 'ZMW', reference })
  }

  test.each([
    ['PAID', { kind: 'paid', amount: 14500, fee: 0 }],
    ['ALTCCY', { kind: 'paid', amount: 14500, fee: 0 }],
    ['MARKUP', { kind: 'paid', amount: 14500, fee: 350 }],
    ['V7ENVELOPE', { kind: 'paid', amount: 14500 }],
    ['FRAUD', { kind: 'paid', report: { fraud: { flagged: true, code: '001' } } }],
    ['WAIT', { kind: 'pending', code: '900' }],
    ['DECLINE', { kind: 'declined', code: '901' }],
    ['EXPIRE', { kind: 'expired', code: '903' }],
    ['CANCEL', { kind: 'cancelled', code: '904' }],
    ['UNDER', { kind: 'mismatch', received: 14499, differences: [{ what: 'amount', reported: '144.99' }] }],
    ['OVER', { kind: 'mismatch', received: 14501, differences: [{ what: 'amount', reported: '145.01' }] }],
    ['NOAMT', { kind: 'mismatch', received: null, differences: [{ what: 'amount', reported: null }] }],
    ['OTHERCCY', { kind: 'mismatch', differences: [{ what: 'currency', reported: 'USD' }] }],
    ['OTHERREF', { kind: 'mismatch', differences: [{ what: 'reference' }] }],
    ['NOREF', { kind: 'mismatch', differences: [{ what: 'reference', reported: null }] }],
    ['HTML502', { kind: 'unreachable', why: 'http-status', detail: '502' }],
    ['HTML200', { kind: 'unreachable', why: 'no-code' }],
    ['TRUNCATED', { kind: 'unreachable', why: 'not-xml' }],
    ['DOCTYPE', { kind: 'unreachable', why: 'doctype' }],
    ['HUGE', { kind: 'unreachable', why: 'too-large' }],
    ['LEAK', { kind: 'paid', report: { explanation: 'Paid to [struck out]' } }],
    ['CODE001', { kind: 'pending', code: '001', unusual: true }],
    ['CODE002', { kind: 'mismatch', code: '002', received: 14500 }],
    ['CODE003', { kind: 'pending', code: '003', unusual: false }],
    ['CODE005', { kind: 'pending', code: '005', unusual: false }],
    ['CODE007', { kind: 'pending', code: '007', unusual: true }],
    ['CODE801', { kind: 'config', code: '801' }],
    ['CODE951', { kind: 'config', code: '951' }],
    ['CODE777', { kind: 'unreachable', why: 'unknown-code', detail: '777' }],
  ])('a payment tagged %s', async (tag, expected) => {
    expect(await verdict(tag)).toMatchObject(expected)
  })

  test('STALL: no answer within the time-out', async () => {
    expect(await verdict('STALL', brief)).toEqual({ kind: 'unreachable', why: 'timeout', detail: null })
  })

  test('LATEPAY: open, expired, and paid ten minutes after the limit', async () => {
    tried.add('LATEPAY')
    const { answer } = await create('LATEPAY')
    const look = async () => (await provider().verify(tokenOf(answer), { acknowledge: false })).kind
    expect(await look()).toBe('pending')
    later(30)
    expect(await look()).toBe('expired')
    later(10)
    expect(await look()).toBe('says-paid')
  })

  test('WAIT: still 900 long after the limit', async () => {
    const { answer } = await create('WAIT')
    later(60 * 24 * 30)
    expect(await provider().verify(tokenOf(answer), { acknowledge: false })).toMatchObject({ code: '900' })
  })

  test.each([
    ['NOTOKEN', { kind: 'unreachable', why: 'no-token' }],
    ['LIMIT', { kind: 'refused', reason: 'over-limit', code: '905' }],
    ['PAIDREF', { kind: 'refused', reason: 'already-paid', code: '940' }],
    ['CREATEHTML', { kind: 'unreachable', why: 'http-status' }],
    ['CREATESTALL', { kind: 'unreachable', why: 'timeout' }],
    ['CREATE802', { kind: 'config', code: '802' }],
    ['CREATE904', { kind: 'config', code: '904' }],
  ])('creating a payment tagged %s', async (tag, expected) => {
    tried.add(tag)
    expect((await create(tag, brief)).answer).toMatchObject(expected)
  })

  test('KEEP: cancelling is refused', async () => {
    tried.add('KEEP')
    const { answer } = await create('KEEP')
    expect(await provider().cancel(tokenOf(answer))).toMatchObject({ kind: 'refused', code: '999' })
  })

  test.each([
    ['PAID', { kind: 'accepted' }, [{ status: 'done', code: '003', amount: 4500 }]],
    ['REFUNDWAIT', { kind: 'accepted' }, [{ status: 'pending', code: '009', amount: 4500 }]],
    ['REFUNDDECLINED', { kind: 'accepted' }, [{ status: 'declined', code: '008', amount: 4500 }]],
    ['REFUNDNO', { kind: 'refused', code: '999' }, []],
  ])('refunding a payment tagged %s', async (tag, expected, refunds) => {
    tried.add(tag)
    const { answer } = await create(tag)
    const token = tokenOf(answer)
    const asked = { token, amount: 4500, details: 'Duplicate', refundRef: 'refund-1' }
    expect(await provider().refund(asked)).toMatchObject(expected)
    expect(await provider().verifyRefund({ token, ref: null })).toMatchObject({ kind: 'reported', refunds })
  })

  const listedNow = [{ status: 'done', code: '003', amount: 4500 }]

  test.each([
    ['REFUNDHTML', 'http-status', listedNow, listedNow],
    ['REFUNDSTALL', 'timeout', listedNow, listedNow],
    ['REFUNDLATE', 'no-code', [], listedNow],
    ['REFUNDLOST', 'not-xml', [], []],
  ])(
    'refunding a payment tagged %s tells nothing (%s), and its list does',
    async (tag, why, atOnce, afterwards) => {
      tried.add(tag)
      const token = tokenOf((await create(tag)).answer)
      const asked = { token, amount: 4500, details: 'Duplicate', refundRef: 'refund-1' }
      expect(await provider(brief).refund(asked)).toMatchObject({ kind: 'unreachable', why })
      const list = () => provider().verifyRefund({ token, ref: null })
      expect(await list()).toMatchObject({ kind: 'reported', refunds: atOnce })
      later(10)
      expect(await list()).toMatchObject({ kind: 'reported', refunds: afterwards })
    },
  )

  /** Refunds K45.00 of a new payment under this tag; answers the way to look at the list. */
  const refunded = async (tag: string) => {
    tried.add(tag)
    const token = tokenOf((await create(tag)).answer)
    const asked = { token, amount: 4500, details: 'Duplicate', refundRef: 'refund-1' }
    expect(await provider().refund(asked)).toEqual({ kind: 'accepted' })
    return () => provider().verifyRefund({ token, ref: null })
  }

  test('a refund that somebody has to release is done later, and a list that is shut tells nothing', async () => {
    const list = await refunded('REFUNDRELEASE')
    expect(await list()).toMatchObject({ refunds: [{ status: 'pending', code: '009' }] })
    later(10)
    expect(await list()).toMatchObject({ refunds: listedNow })
    expect(await (await refunded('REFUNDSHUT'))()).toMatchObject({ kind: 'unreachable', why: 'http-status' })
  })

  test('every tag has been tried here', () => {
    expect(scriptTags.filter((tag) => !tried.has(tag))).toEqual([])
  })

  describe('for tests of a whole service', () => {
    test('a token can be given a script, and the customer can be played', async () => {
      const answer = await provider().createToken({ ...request, reference: 'LP-7K3QW9ZD2M' })
      const token = tokenOf(answer)
      expect(await dpo.leave(token, 'decline')).toContain('/payment/success?TransID=')
      expect(dpo.transaction(token)).toMatchObject({ outcome: 'declined', tag: null })
      await dpo.script(token, 'UNDER')
      const verified = await provider().verify(token, { acknowledge: false })
      expect(
        verdictFor(verified, { amount: 14500, currency: 'ZMW', reference: 'LP-7K3QW9ZD2M' }),
      ).toMatchObject({
        kind: 'mismatch',
        received: 14499,
      })
      expect(dpo.returnAddress(token)).toContain(`TransactionToken=${token}`)
      expect(dpo.backAddress(token)).toContain(`/payment/cancel?TransactionToken=${token}`)
      expect(dpo.pushXml(token)).toContain(`<TransactionToken>${token}</TransactionToken>`)
    })

    test('what was asked is counted, and the log never holds the company token', async () => {
      const before = dpo.asked('verifyToken')
      await verdict('PAID')
      expect(dpo.asked('verifyToken')).toBe(before + 1)
      expect(JSON.stringify(dpo.log.lines)).not.toContain(dpo.config.companyToken)
    })
  })
})
