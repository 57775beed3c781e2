import { type IncomingHttpHeaders, Agent, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { setPassword, setPermissions, updateParent } from '#contracts/accounts'
import { type Endpoint, errorReply } from '#contracts/endpoint'
import { convertToTeacher, logout } from '#contracts/identity'
import { savePaymentBypass } from '#contracts/payments'
import type { School } from '../support/school'
import { type Account, type Role, people, rolesFor } from './people'
import { type FuzzRequest, requestsTo } from './requests'
import { type Known, takes } from './schema-values'
import type { FuzzTarget } from './targets'

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

export type FuzzReport = {
  requests: number
  /** How many answers of each status class, e.g. `2xx`. */
  statuses: Record<string, number>
  /** The routes of which not one request came through to its act. */
  neverThrough: string[]
  faults: string[]
}

type Plan = {
  school: Pick<School, 'url' | 'superadmin'>
  targets: readonly FuzzTarget[]
  known: Known
  /** Who is there already, with things of their own. */
  accounts: Partial<Record<Role, Account>>
  requests: number
  /** The routes that somebody went through before. */
  walked: readonly string[]
  seed: number
  /** Requests that would lock the fuzz itself out. */
  spared: (request: FuzzRequest) => boolean
}
type Asked = { target: FuzzTarget; role: Role; request: FuzzRequest }

const answerWithinMs = 15_000
const inFlight = 8
const maxFaults = 25

/** Sends about this many requests, as many to every route, as every role; equal seeds send equal requests. */
export const fuzz = async (plan: Plan): Promise<FuzzReport> => {
  const { send, close } = sender(plan.school.url, answerWithinMs)
  const crowd = people(plan.school, plan.accounts)
  const report: FuzzReport = { requests: 0, statuses: {}, neverThrough: [], faults: [] }
  const through = new Set<string>(plan.walked)

  const ask = async ({ target, role, request }: Asked) => {
    const session = crowd.cookieOf(role)
    const answer = await send(request, await session)
    report.requests += 1
    const fault = faultOf(answer, { ...target, method: request.method, expected: target.method })
    if (fault) report.faults.push(`${fault}: ${told(request)} by ${role}: ${heard(answer)}`)
    if (typeof answer === 'string') return
    const statuses = `${Math.floor(answer.status / 100)}xx`
    report.statuses[statuses] = (report.statuses[statuses] ?? 0) + 1
    if (answer.status < 400 && request.method === target.method) through.add(target.name)
    if (endsSession(target, answer)) crowd.forget(role, session)
  }

  const lists = plan.targets.map((target, index) => asksFor(plan, target, plan.seed + index))
  const queue = [
    ...inOrder(lists.filter((list) => !isLasting(list[0]!.target))),
    ...inOrder(lists.filter((list) => isLasting(list[0]!.target))),
  ].values()
  const worker = async () => {
    for (const next of queue) if (report.faults.length < maxFaults) await ask(next)
  }
  await Promise.all(Array.from({ length: inFlight }, worker)).finally(close)
  report.neverThrough = plan.targets.map(({ name }) => name).filter((name) => !through.has(name))
  return report
}

/** Mostly those whom the route is for, so that what is behind its door is reached. */
const asksFor = ({ known, requests, targets, spared }: Plan, target: FuzzTarget, seed: number): Asked[] => {
  const { admitted, others } = rolesFor(target.access)
  const owners = { weight: 5, arbitrary: fc.constantFrom(...admitted) }
  const strangers = others.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...others) }] : []
  const role = fc.oneof(owners, ...strangers)
  const request = requestsTo(target, known).filter((made) => !spared(made))
  const numRuns = Math.ceil(requests / targets.length)
  return fc.sample(fc.record({ target: fc.constant(target), role, request }), { numRuns, seed })
}

const inOrder = (lists: Asked[][]): Asked[] =>
  Array.from({ length: Math.max(...lists.map(({ length }) => length)) }).flatMap((_, round) =>
    lists.flatMap((list) => list[round] ?? []),
  )

// What these take away is gone for the rest, so they come last.
const lasting: string[] = [convertToTeacher.path, setPassword.path, setPermissions.path, updateParent.path]
const isLasting = ({ method, path }: FuzzTarget) =>
  method === 'DELETE' || lasting.includes(path) || (method === 'POST' && path === savePaymentBypass.path)

const endsSession = ({ path }: FuzzTarget, { status }: Answer) =>
  status === 401 || (status < 400 && (path === logout.path || path === convertToTeacher.path))

const told = ({ method, path, headers, body }: FuzzRequest) =>
  `${method} ${path.slice(0, 300)} ${headers['content-type'] ?? ''} ${String(body ?? '').slice(0, 500)}`

const heard = (answer: Answer | string) =>
  typeof answer === 'string' ? answer : `${answer.status} ${answer.text.slice(0, 300)}`
