import { type Agent, request, type IncomingHttpHeaders } from 'node:http'

export type Exchange = {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  /** The answer read as JSON; throws when it is none. */
  json: <Shape = Record<string, unknown>>() => Shape
}

export type Ask = {
  method?: string
  headers?: Record<string, string>
  /** Text goes as it is; anything else as JSON with its content type. */
  body?: unknown
  /** Keeps connections for further requests; without one each request has its own. */
  agent?: Agent
}

/** One request over a real socket with exactly these headers, the path sent as written, and its whole answer. */
export const exchange = (base: string, path: string, ask: Ask = {}): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const { headers, payload } = prepared(ask)
    const { method = 'GET', agent = false } = ask
    const outgoing = request({ hostname, port, path, method, headers, agent })
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        const json = <Shape>() => JSON.parse(text) as Shape
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text, json })
      })
    })
    outgoing.end(payload)
  })

const prepared = ({ headers = {}, body }: Ask) => {
  if (body === undefined) return { headers, payload: undefined }
  if (typeof body === 'string' || Buffer.isBuffer(body))
    return { headers: { 'content-length': String(Buffer.byteLength(body)), ...headers }, payload: body }
  const payload = JSON.stringify(body)
  const described = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(payload)),
  }
  return { headers: { ...described, ...headers }, payload }
}

/** The cookies that an answer sets, ready to be sent back; those it takes away are left out. */
export const cookiesFrom = (answer: Pick<Exchange, 'headers'>): string =>
  (answer.headers['set-cookie'] ?? [])
    .map((cookie) => cookie.split(';', 1)[0]!)
    .filter((pair) => !pair.endsWith('='))
    .join('; ')
