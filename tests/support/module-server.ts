import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { endpoint, type BodyOf, type Endpoint, type ErrorReply, type ReplyOf } from '#contracts/endpoint'
import { httpServer } from '#platform/http/http-server'
import { anyone, route, type Principal } from '#platform/http/route'
import type { Module } from '#platform/module'
import { heardLog } from './captured-log'
import { cookiesFrom, exchange, type Ask, type Exchange } from './http-exchange'
import { sessionsInMemory, requestKeysInMemory } from './stand-ins'

const person = (userId: number, username: string, more: Partial<Principal> = {}): Principal => ({
  userId,
  username,
  name: username,
  email: null,
  phone: null,
  role: 'parent',
  features: [],
  isSuperadmin: false,
  mustChangePassword: false,
  mustSetUpSecondFactor: false,
  ...more,
})

export const parent = person(1, 'mutale')
export const teacher = person(2, 'mr-phiri', { role: 'teacher' })
export const administrator = (userId: number, ...features: string[]) =>
  person(userId, `admin-${userId}`, { role: 'admin', features })

type Input<E> = { params?: Record<string, number | string>; query?: string; body?: BodyOf<E> | unknown }

/** What a refused call answers, with its status. */
type Refused = ErrorReply & { status: number }

export type ModuleServer = {
  /** The parsed reply of a call that succeeds with the contract's status; anything else throws. */
  call: <E extends Endpoint>(who: Principal | null, endpoint: E, input?: Input<E>) => Promise<ReplyOf<E>>
  /** The answer of a call that must be refused. */
  refused: <E extends Endpoint>(who: Principal | null, endpoint: E, input?: Input<E>) => Promise<Refused>
  ask: (who: Principal | null, path: string, ask: Ask) => Promise<Exchange>
  log: ReturnType<typeof heardLog>
  close: () => Promise<void>
}

const signInEndpoint = endpoint('POST', '/sign-in', {
  body: z.object({ userId: z.number() }),
  reply: z.object({}),
})

/** One module served over HTTP as the product serves it, for whoever a test says is signed in. */
export const serveModule = async (module: Pick<Module, 'routes' | 'refusals'>): Promise<ModuleServer> => {
  const people = new Map<number, Principal>()
  const cookies = new Map<number, string>()
  const log = heardLog()
  const signIn = route(signInEndpoint, anyone, async ({ body, session }) => {
    await session.signIn({ ...body, credentialsVersion: 1 })
    return {}
  })
  const { url, close } = await httpServer({
    routes: [module.routes, [signIn]],
    refusals: module.refusals,
    sessions: sessionsInMemory(people),
    rateLimits: 'off',
    requestKeys: requestKeysInMemory(),
    viewsInclude: async () => {},
    log,
    now: () => new Date(),
    publicUrl: 'http://lunch.school.test',
    sessionKeys: [randomUUID()],
    trustProxy: 0,
    webRoot: null,
    readiness: () => Promise.resolve({ ready: true, details: {} }),
    metrics: new Registry(),
  }).listen(0, '127.0.0.1')

  const cookieOf = async (who: Principal) => {
    people.set(who.userId, who)
    const known = cookies.get(who.userId)
    if (known) return known
    const cookie = cookiesFrom(
      await exchange(url, '/sign-in', { method: 'POST', body: { userId: who.userId } }),
    )
    cookies.set(who.userId, cookie)
    return cookie
  }

  const ask: ModuleServer['ask'] = async (who, path, { headers, ...more }) =>
    exchange(url, path, { ...more, headers: { ...headers, ...(who && { cookie: await cookieOf(who) }) } })

  const send = (who: Principal | null, endpoint: Endpoint, input: Input<Endpoint>) =>
    ask(who, addressOf(endpoint, input), { method: endpoint.method, body: input.body })

  return {
    call: async (who, endpoint, input = {}) => {
      const answer = await send(who, endpoint, input)
      if (answer.status !== endpoint.status && !(endpoint.accepted && answer.status === 202))
        throw new Error(`Answered ${answer.status}: ${answer.text}`)
      return endpoint.reply.parse(answer.json()) as never
    },
    refused: async (who, endpoint, input = {}) => {
      const answer = await send(who, endpoint, input)
      if (answer.status < 400) throw new Error(`Not refused but ${answer.status}: ${answer.text}`)
      return { status: answer.status, ...answer.json<ErrorReply>() }
    },
    ask,
    log,
    close,
  }
}

const addressOf = (endpoint: Endpoint, { params = {}, query }: Input<Endpoint>) => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  return query === undefined ? path : `${path}?${query}`
}
