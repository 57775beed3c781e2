import * as fc from 'fast-check'
import { setPassword, setPermissions, updateParent } from '#contracts/accounts'
import { convertToTeacher, logout } from '#contracts/identity'
import { savePaymentBypass } from '#contracts/payments'
import type { School } from '../support/school'
import { faultOf } from './judge'
import { type Account, type Role, people, rolesFor } from './people'
import { type FuzzRequest, requestsTo } from './requests'
import type { Known } from './schema-values'
import { sender, type Answer } from './send'
import type { FuzzTarget } from './targets'

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
