import { Registry } from 'prom-client'
import { z } from 'zod'
import { endpoint, idParam } from '#contracts/endpoint'
import { Refusal } from '#kernel/refusal'
import { noteWritten } from '#platform/event-store/command-handler'
import { readBody } from '#platform/http/body'
import { type HttpNeeds, httpServer } from '#platform/http/http-server'
import { httpRefusal } from '#platform/http/request'
import {
  type Call,
  type Route,
  type Principal,
  answeredOnce,
  anyone,
  onlyRoles,
  rawRoute,
  route,
  signedIn,
  anySignedIn,
  withFeature,
} from '#platform/http/route'
import { heardLog } from '../../support/captured-log'
import { type Ask, type Exchange, cookiesFrom, exchange } from '../../support/http-exchange'
import { sessionsInMemory, requestKeysInMemory } from '../../support/stand-ins'

const plate = z.object({ name: z.string(), portions: z.number() })
const word = z.object({ said: z.string() })

const placeBody = z.object({
  portions: z.int('Portions must be a whole number').min(1, 'Take at least one'),
  lines: z.array(z.object({ item: z.string('Choose an item') })).default([]),
})

const who = z.object({
  userId: z.number().nullable(),
  actor: z.string(),
  correlationId: z.string(),
  idempotencyKey: z.string().nullable(),
  ip: z.string(),
  sessionId: z.string().nullable(),
})

const whoAsks = (call: Call) =>
  Promise.resolve({
    userId: call.principal?.userId ?? null,
    actor: call.by.actor,
    correlationId: call.by.correlationId,
    idempotencyKey: call.idempotencyKey,
    ip: call.ip,
    sessionId: call.session.id(),
  })

const whoEndpoint = (path: string) => endpoint('GET', path, { reply: who })

const reading: Route[] = [
  route(whoEndpoint('/api/who'), anyone, whoAsks),
  route(whoEndpoint('/api/whoever'), anySignedIn, whoAsks),
  route(whoEndpoint('/api/signed-in'), signedIn, whoAsks),
  route(whoEndpoint('/api/parents-only'), onlyRoles('parent', 'teacher'), whoAsks),
  route(whoEndpoint('/api/kitchen'), withFeature('kitchen', 'history'), whoAsks),
  route(whoEndpoint('/api/menu-admin'), withFeature('menu'), whoAsks),
  route(endpoint('GET', '/api/plates/:id', { params: idParam, reply: plate }), anyone, ({ params }) =>
    Promise.resolve({ name: 'nshima', portions: params.id, recipe: 'secret' }),
  ),
  route(
    endpoint('GET', '/api/plates', {
      query: z.object({ page: z.coerce.number('Page must be a number').default(1) }),
      reply: z.array(plate),
    }),
    anyone,
    ({ query }) => Promise.resolve([{ name: 'nshima', portions: query.page }]),
  ),
  route(endpoint('GET', '/api/many', { reply: z.array(z.string()) }), anyone, () =>
    Promise.resolve(Array.from({ length: 500 }, (_, index) => `plate ${index}`)),
  ),
]

const failing: Route[] = [
  route(endpoint('GET', '/api/broken', { reply: word }), anyone, () =>
    Promise.reject(new Error('the pot of user 7 is broken')),
  ),
  route(endpoint('GET', '/api/full-disk', { reply: word }), anyone, () =>
    Promise.reject(Object.assign(new Error('could not extend file'), { code: '53100' })),
  ),
  route(endpoint('GET', '/api/wrong-reply', { reply: word }), anyone, () =>
    Promise.resolve({ said: 7 } as unknown as { said: string }),
  ),
  route(endpoint('GET', '/api/nobody-there', { reply: word }), anyone, ({ user }) =>
    Promise.resolve({ said: user.name }),
  ),
  refusing(
    '/api/sold-out',
    () => new Refusal('sold_out', 'No plates left', { extra: { left: 0, code: 'x' } }),
  ),
  refusing('/api/provider-away', () => new Refusal('provider_away', 'Later', { extra: { retryAfter: 30 } })),
  refusing('/api/own-status', () => new Refusal('sold_out', 'No such lines', { status: 422 })),
  refusing('/api/unknown-code', () => new Refusal('in_no_table', 'Nobody knows this code')),
]

function refusing(path: string, refusal: () => Refusal) {
  return route(endpoint('GET', path, { reply: word }), anyone, () => Promise.reject(refusal()))
}

const changing: Route[] = [
  rawRoute({
    method: 'POST',
    path: '/api/pictures',
    access: anyone,
    options: { maxBodyBytes: 1024 * 1024 },
    serve: async (context) => {
      context.body = { bytes: (await readBody(context)).length }
    },
  }),
  route(
    endpoint('POST', '/api/plates', { status: 201, body: placeBody, reply: plate }),
    anyone,
    ({ body }) => Promise.resolve({ name: 'nshima', portions: body.portions }),
    { maxBodyBytes: 1024 },
  ),
  route(endpoint('POST', '/api/echo', { body: word, reply: word }), anyone, ({ body }) =>
    Promise.resolve(body),
  ),
  route(
    endpoint('POST', '/api/said-once', { body: word, reply: word }),
    anyone,
    ({ body }) => Promise.resolve(body),
    answeredOnce,
  ),
  route(endpoint('POST', '/api/changed', { reply: word }), anyone, () =>
    Promise.reject(
      httpRefusal('changed_meanwhile', 'Changed', {
        extra: { changed: { by: 'user:1', at: null, version: 'v', fields: [] } },
      }),
    ),
  ),
  // What a command would have appended on behalf of the caller.
  route(
    endpoint('POST', '/api/written', { body: z.object({ refused: z.boolean() }), reply: word }),
    anyone,
    async ({ body, by }) => {
      noteWritten(by, '0000000000000007')
      if (body.refused) throw new Refusal('sold_out', 'No plates left')
      return { said: 'written' }
    },
  ),
  rawRoute({
    method: 'POST',
    path: '/api/written-raw',
    access: anyone,
    serve: async (context, { by }) => {
      noteWritten(by, '0000000000000008')
      context.body = 'written'
    },
  }),
  route(endpoint('DELETE', '/api/plates/:id', { params: idParam, reply: word }), signedIn, () =>
    Promise.resolve({ said: 'gone' }),
  ),
  route(
    endpoint('POST', '/api/sign-in', {
      body: z.object({ userId: z.number() }),
      reply: z.object({ sessionId: z.string().nullable() }),
    }),
    anyone,
    async ({ body, session }) => {
      await session.signIn({ ...body, credentialsVersion: 1 })
      return { sessionId: session.id() }
    },
  ),
  route(endpoint('POST', '/api/sign-out', { reply: word }), anyone, async ({ session }) => {
    session.signOut()
    return { said: 'bye' }
  }),
  route(endpoint('POST', '/api/knock', { reply: word }), anyone, () => Promise.resolve({ said: 'come in' }), {
    limit: { name: 'knock', points: 2, seconds: 600 },
  }),
  route(
    endpoint('POST', '/api/knock-as-user', { reply: word }),
    signedIn,
    () => Promise.resolve({ said: 'come in' }),
    { limit: { name: 'knock-as-user', points: 1, seconds: 600, by: 'user' } },
  ),
]

const raw: Route[] = [
  rawRoute({
    method: 'POST',
    path: '/api/push/:secret',
    access: anyone,
    options: { crossSite: true, maxBodyBytes: 100 },
    serve: async (context) => {
      const body = await readBody(context)
      context.type = 'application/xml'
      context.body = `<pushed bytes="${body.length}"/>`
    },
  }),
  rawRoute({
    method: 'GET',
    path: '/dev/mail',
    access: anyone,
    serve: (context, call) => {
      context.type = 'html'
      context.body = `<p>${call.by.actor}</p>`
      return Promise.resolve()
    },
  }),
  rawRoute({
    method: 'GET',
    path: '/api/report',
    access: withFeature('history'),
    serve: (context) => {
      context.attachment('report.csv')
      return Promise.reject(new Error('half a report'))
    },
  }),
]

export const exampleRoutes: Route[] = [...reading, ...failing, ...changing, ...raw]

const someone = (userId: number, username: string, more: Partial<Principal>): Principal => ({
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

export const people = {
  parent: someone(1, 'mutale', {}),
  teacher: someone(2, 'mr-phiri', { role: 'teacher' }),
  kitchenAdmin: someone(3, 'cook', { role: 'admin', features: ['kitchen'] }),
  superadmin: someone(4, 'superadmin', { role: 'admin', isSuperadmin: true }),
  unprotected: someone(6, 'hasty', { role: 'admin', mustSetUpSecondFactor: true }),
  temporary: someone(5, 'forgetful', { mustChangePassword: true }),
} satisfies Record<string, Principal>

const byId = new Map(Object.values(people).map((person) => [person.userId, person]))

/** Sessions of the people above. */
export const exampleSessions = () => sessionsInMemory(byId)

export type ExampleServer = {
  url: string
  log: ReturnType<typeof heardLog>
  ask: (path: string, ask?: Ask) => Promise<Exchange>
  /** The cookie of somebody who has just signed in. */
  cookieOf: (person: Principal) => Promise<string>
  close: () => Promise<void>
}

/** The platform serving the example routes on a port of this machine, a free one if none is named. */
export const startExampleServer = async (more: Partial<HttpNeeds> = {}, port = 0): Promise<ExampleServer> => {
  const log = heardLog()
  const server = httpServer({
    routes: [exampleRoutes],
    refusals: { sold_out: 409, provider_away: 503 },
    sessions: exampleSessions(),
    rateLimits: 'off',
    requestKeys: requestKeysInMemory(),
    viewsInclude: async () => {},
    log,
    now: () => new Date(),
    publicUrl: 'http://lunch.school.test',
    sessionKeys: ['new key', 'old key'],
    trustProxy: 0,
    webRoot: null,
    readiness: () => Promise.resolve({ ready: true, details: {} }),
    metrics: new Registry(),
    ...more,
  })
  const { url, close } = await server.listen(port, '127.0.0.1')
  const ask = (path: string, request?: Ask) => exchange(url, path, request)
  const cookieOf = async ({ userId }: Principal) =>
    cookiesFrom(await ask('/api/sign-in', { method: 'POST', body: { userId } }))
  return { url, log, ask, cookieOf, close }
}
