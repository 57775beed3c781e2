import { Registry } from 'prom-client'
import { httpServer, type HttpNeeds } from '#platform/http/http-server'
import type { Principal } from '#platform/http/route'
import { cookiesFrom, exchange, type Ask, type Exchange } from '../../support/http-exchange'
import { sessionsInMemory } from '../../support/sessions-in-memory'
import { heardLog } from '../../support/captured-log'
import { exampleRoutes } from './example-routes'
import { requestKeysInMemory } from '../../support/request-keys-in-memory'

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
