import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { FuzzRequest } from './requests'

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

/** No answer within the time, or none at all. */
export type Silence = 'hung' | 'broke off'

/** A sender of many requests over kept connections. Each ends after `timeoutMs`, never an endless wait. */
export const sender = (baseUrl: string, timeoutMs: number) => {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = (asked: FuzzRequest, cookie: string): Promise<Answer | Silence> =>
    new Promise((resolve) => {
      const { method, path, body } = asked
      const length = body === undefined ? undefined : String(Buffer.byteLength(body))
      const headers = {
        ...asked.headers,
        ...(cookie && { cookie }),
        ...(length !== undefined && { 'content-length': length }),
      }
      const outgoing = request({ hostname, port, path, method, headers, agent })
      const patience = setTimeout(() => {
        resolve('hung')
        outgoing.destroy()
      }, timeoutMs)
      const breakOff = () => {
        clearTimeout(patience)
        resolve('broke off')
      }
      outgoing.on('error', breakOff)
      outgoing.on('response', (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', breakOff)
        answer.on('end', () => {
          clearTimeout(patience)
          const { statusCode: status = 0, headers: got } = answer
          resolve({ status, headers: got, text: opened(Buffer.concat(chunks), got['content-encoding']) })
        })
      })
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}

const opened = (bytes: Buffer, encoding: string | undefined) =>
  (encoding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString('utf8')
