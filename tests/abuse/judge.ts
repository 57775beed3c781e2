import { errorReply, type Endpoint } from '#contracts/endpoint'
import { takes } from './schema-values'
import type { Answer, Silence } from './send'

// Words of our inside that no answer may hold; none of them is among the hostile texts.
const inside = [
  /\n\s+at \S+/,
  /node_modules|\/src\/|\/dist\/|\.ts:\d|\.js:\d/,
  /syntax error at|violates|relation "|column "|invalid input syntax|out of range for type|duplicate key/,
  /\b(?:insert into|delete from|update|select .+ from) (?:platform|identity|catalogue|cycles|ordering|payments)\./i,
  /Cannot (?:read|set) propert|is not a function|is not iterable|Maximum call stack|Unexpected token/,
]

type Judged = { reply: Endpoint['reply'] | null; pages: boolean; method: string; expected: string }

/** What is wrong with an answer, in a few words; null when nothing is. */
export const faultOf = (
  answer: Answer | Silence,
  { reply, pages, method, expected }: Judged,
): string | null => {
  if (typeof answer === 'string') return answer
  const { status, text } = answer
  if (status >= 500) return `status ${status}`
  const leak = inside.find((pattern) => pattern.test(text))
  if (leak && status >= 400) return `the answer tells of our inside (${leak})`
  if (!answer.headers['x-request-id'] || answer.headers['x-content-type-options'] !== 'nosniff')
    return 'the headers of every answer are missing'
  if (method === 'HEAD' || status === 204 || status === 304) return null
  if (status >= 400) return pages && isPage(answer) ? null : errorFault(text)
  if (reply && method === expected && status < 300 && !takes(reply, jsonOf(text)))
    return 'the reply does not fit its contract'
  return null
}

const isPage = ({ headers }: Answer) =>
  /^text\/html|^application\/xml|^text\/xml/.test(headers['content-type'] ?? '')

const errorFault = (text: string) => {
  const read = errorReply.safeParse(jsonOf(text))
  if (!read.success) return 'not of the error shape'
  return /^[a-z]+(_[a-z]+)*$/.test(read.data.code) ? null : `the code ${read.data.code} is no word`
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
