import { dpoXml } from './answers'
import { brief, facing, request } from './facing'

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
