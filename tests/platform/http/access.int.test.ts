import { describeAccess } from '../../support/described-access'
import type { Principal } from '#platform/http/route'
import { type Visitor, accessCases, nowhereOn, verdictOf } from '../../support/access-walk'
import { exampleRoutes } from './example-routes'
import { type ExampleServer, exampleSessions, people, startExampleServer } from './example-server'

let server: ExampleServer

beforeAll(async () => {
  const sessions = exampleSessions()
  server = await startExampleServer({ sessions })
})

afterAll(async () => {
  await server.close()
})

const visitorOf = ([name, principal]: [string, Principal]): Visitor => ({
  name,
  principal,
  cookie: () => server.cookieOf(principal),
})
const stranger: Visitor = { name: 'stranger', principal: null, cookie: () => Promise.resolve('none=1') }
const cases = accessCases(describeAccess(exampleRoutes), [stranger, ...Object.entries(people).map(visitorOf)])

test.each(cases)(
  '$method $path is $expected for $visitor.name',
  async ({ method, path, visitor, expected }) => {
    const answer = await server.ask(nowhereOn(path), { method, headers: { cookie: await visitor.cookie() } })
    expect(verdictOf(answer)).toBe(expected)
  },
)

test('the table names every route with whom it is for, by path', () => {
  const table = describeAccess(exampleRoutes)
  expect(table).toHaveLength(exampleRoutes.length)
  expect(table.filter(({ path }) => path === '/api/plates')).toEqual([
    { method: 'GET', path: '/api/plates', access: { kind: 'anyone' } },
    { method: 'POST', path: '/api/plates', access: { kind: 'anyone' } },
  ])
  expect(table.find(({ path }) => path === '/api/report')?.access).toEqual({
    kind: 'features',
    features: ['history'],
  })
})
