import type { Context } from 'koa'
import getRawBody from 'raw-body'
import { httpRefusal } from './http-refusals'
import { stateOf, type BodyLimits } from './request'

/**
 * The whole body as it came, within the route's limits of size (`maxBodyBytes`, else 256 KiB) and time.
 * Throws `request_too_large`, `request_too_slow` or, when the caller goes away, `malformed_request`.
 */
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

/** Refuses a body that says beforehand that it is too large; also for routes that read the stream themselves. */
export const refuseDeclaredSize = (context: Context, limits: BodyLimits): void => {
  if (Number(context.req.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge()
}

/**
 * The JSON body of a request, undefined when it has none. Refuses other types (415), text that is no JSON or no UTF-8
 * (400), and characters that no database keeps: NUL and halves of surrogate pairs (400).
 */
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

/** True for text with NUL or half a surrogate pair in it. */
export const isBadText = (text: string): boolean => text.includes('\0') || !isWellFormed(text)

// In Node 20, but not yet in the ES2023 library's types.
const isWellFormed = (text: string) => (text as unknown as { isWellFormed: () => boolean }).isWellFormed()
