import { gzipSync } from 'node:zlib'
import { dpoProvider } from '../../../src/modules/payments/providers/dpo'
import { companyToken, dpoXml, paidFields, saysPaid } from './answers'
import { brief, facing, patient, request, serving } from './facing'

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
    const other = dpoProvider({
      config: { ...config, payUrl: 'https://pay.test/pay?lang=en' },
      now: () => new Date(),
      zone: 'Africa/Lusaka',
    })
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
  const echoed = dpoProvider({ config, now: () => new Date(0), zone: 'Africa/Lusaka' })
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
