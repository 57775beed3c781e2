import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
