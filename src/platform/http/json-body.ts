import type { Context } from 'koa'
import { httpRefusal } from './http-refusals'
import { readBody } from './read-body'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const mayHoldBadText = /\\u(?:0000|d[89a-f])/i

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
