import type { Context } from 'koa'
import getRawBody from 'raw-body'
import { httpRefusal } from './http-refusals'
import { stateOf, type BodyLimits } from './request'

/** Throws `request_too_large` (256 KiB unless the route says more), `request_too_slow`, or `malformed_request` for a cut-off body. */
export const readBody = async (context: Context): Promise<Buffer> => {
  const { maxBytes, timeoutMs } = stateOf(context).bodyLimits
  const length = context.req.headers['content-length']
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooSlow(context)), timeoutMs)
  })
  try {
    return await Promise.race([getRawBody(context.req, { length, limit: maxBytes }), late])
  } catch (error) {
    throw refusalOf(error)
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = (context: Context) => {
  context.set('Connection', 'close')
  return httpRefusal('request_too_slow', 'The request took too long to arrive')
}

const tooLarge = () => httpRefusal('request_too_large', 'The request is too large')

const refusalOf = (error: unknown) => {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return tooLarge()
    case 'request.aborted':
    case 'request.size.invalid':
      return httpRefusal('malformed_request', 'The request was cut off')
    default:
      return error
  }
}

/** Refuses by Content-Length, also for routes that stream. */
export const refuseDeclaredSize = (context: Context, limits: BodyLimits): void => {
  if (Number(context.req.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge()
}

/** JSON body, undefined for none. Refuses other types (415), bad JSON or UTF-8, NUL and lone surrogates (400), which no database stores. */
export const readJson = async (context: Context): Promise<unknown> => {
  if (!hasBody(context)) return undefined
  if (!isPlainJson(context))
    throw httpRefusal('unsupported_media_type', 'The request must be JSON (application/json)')
  return parseJson(await readBody(context))
}

const hasBody = ({ req }: Context) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

const isPlainJson = ({ req }: Context) => {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1)
  const encoding = req.headers['content-encoding'] ?? 'identity'
  return type.trim().toLowerCase() === 'application/json' && encoding === 'identity'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const mayHoldBadText = /\\u(?:0000|d[89a-f])/i

const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  try {
    const text = utf8.decode(body)
    return JSON.parse(text, mayHoldBadText.test(text) ? refuseBadText : undefined)
  } catch {
    throw httpRefusal('malformed_request', 'The request is not valid JSON')
  }
}

const refuseBadText = (key: string, value: unknown) => {
  if (isBadText(key) || (typeof value === 'string' && isBadText(value)))
    throw new Error('Text that cannot be kept')
  return value
}

export const isBadText = (text: string): boolean => text.includes('\0') || !isWellFormed(text)

// In Node 20, missing from the ES2023 types.
const isWellFormed = (text: string) => (text as unknown as { isWellFormed: () => boolean }).isWellFormed()
