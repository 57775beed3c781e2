import { once } from 'node:events'
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dpoProvider } from '../../../src/modules/payments/providers/dpo'
import type { TokenRequest } from '../../../src/modules/payments/providers/provider'
import { companyToken } from './answers'

type Asked = { path: string; headers: IncomingHttpHeaders; body: string }

/** A server on this machine that answers as a test says, to see what the adapter does on the wire. */
export const plainProvider = async (answer: (response: ServerResponse, asked: Asked) => void) => {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const one = { path, headers, body: Buffer.concat(chunks).toString() }
      asked.push(one)
      answer(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, asked, close }
}

export const request: TokenRequest = {
  reference: 'LP-7K3QW9ZD2M',
  amount: 14500,
  unique: true,
  returnUrl: 'https://lunch.test/payment/success',
  backUrl: 'https://lunch.test/payment/cancel',
  limitMinutes: 30,
  customer: { firstName: 'Mwansa', lastName: 'Phiri', email: 'm@phiri.test', phone: '0977 123 456' },
  description: 'School lunches x 5',
  serviceAt: new Date('2025-11-21T05:40:00Z'),
}

export const brief = { createMs: 300, verifyMs: 150 }
export const patient = { createMs: 15_000, verifyMs: 8_000 }

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A server that is closed after the test. */
export const serving = async (...answer: Parameters<typeof plainProvider>) => {
  const server = await plainProvider(...answer)
  open.push(server.close)
  return server
}

/** The adapter before a server that answers so; the clock stands until it is moved. */
export const facing = async (answer: (response: ServerResponse) => void, timeouts = patient) => {
  const server = await serving(answer)
  let at = Date.parse('2026-09-16T05:00:00Z')
  const config = {
    companyToken,
    serviceType: '45',
    createUrl: `${server.url}/API/v6/`,
    verifyUrl: `${server.url}/API/v7/`,
    payUrl: `${server.url}/payv2.php`,
    timeouts,
  }
  const provider = dpoProvider(config, { now: () => new Date(at), zone: 'Africa/Lusaka' })
  return { provider, server, config, pass: (ms: number) => void (at += ms) }
}
