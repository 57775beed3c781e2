import * as fc from 'fast-check'
import { nothing } from '#contracts/endpoint'
import type { Client } from '../../src/app/demo/client'
import { openFuzzSchool, type FuzzSchool } from './fuzz-school'
import { valuesOf } from './schema-values'
import { targetsOf, type FuzzTarget } from './targets'

let school: FuzzSchool
let parent: Client
beforeAll(async () => {
  school = await openFuzzSchool()
  parent = await school.canteen.signIn(school.accounts.parent.username, school.accounts.parent.password)
})
afterAll(() => school.canteen.close())

/** The ends of what a number may be: of 32 and 64 bits, of exact doubles, and of amounts in ngwee in 32 bits. */
const numbers = [
  '0',
  '-1',
  '21474837',
  '999999999',
  '2147483648',
  '9007199254740993',
  '1e21',
  'NaN',
  '21474836.48',
]

const keysOf = (schema: FuzzTarget['query']) =>
  Object.keys((schema as unknown as { def?: { shape?: object } }).def?.shape ?? {})

const sampled = (schema: FuzzTarget['query'], path: string): Record<string, unknown> => {
  if (schema === nothing) return {}
  return (fc.sample(valuesOf(schema, school.known, path), { seed: 7, numRuns: 1 })[0] ?? {}) as Record<
    string,
    unknown
  >
}

const addressed = ({ path }: FuzzTarget, params: object, query: object) => {
  const given = params as Record<string, unknown>
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(asked.map(([key, value]): [string, string] => [key, String(value)]))
  return `${path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(given[key] ?? '1')))}?${search}`
}

/** The addresses of a route with this number in each place where it takes any text. */
const addressesWith = (target: FuzzTarget, number: string): string[] => {
  const params = sampled(target.params, target.path)
  const query = sampled(target.query, target.path)
  const places = [...target.path.matchAll(/:(\w+)/g)].map(([, key]) => key!)
  return [
    ...places.map((key) => addressed(target, { ...params, [key]: number }, query)),
    ...keysOf(target.query).map((key) => addressed(target, params, { ...query, [key]: number })),
  ]
}

/** A body with this number in the place of each of its numbers, one after another. */
const bodiesWith = (value: unknown, number: number): unknown[] => {
  if (typeof value === 'number') return [number]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    bodiesWith(part, number).map((changed) => {
      const copy = structuredClone(value) as Record<string, unknown>
      copy[key] = changed
      return copy
    }),
  )
}

/** Asked by the office, and by a parent where the office may not. */
const wrongOf = async (path: string, init: RequestInit = {}): Promise<string[]> => {
  const asked = await school.canteen.superadminClient.fetch(path, init)
  const answer = asked.status === 403 ? await parent.fetch(path, init) : asked
  await answer.arrayBuffer()
  return answer.status >= 500
    ? [`${init.method ?? 'GET'} ${path} ${String(init.body ?? '')}: ${answer.status}`]
    : []
}

test('no number in an address breaks the service', async () => {
  const targets = targetsOf(school.canteen.routes, school.seen)
  const wrong: string[] = []
  for (const target of targets) {
    const isRead = target.method === 'GET'
    const body = isRead
      ? {}
      : { body: JSON.stringify(target.seen?.[0] ?? {}), headers: { 'content-type': 'application/json' } }
    for (const number of numbers)
      for (const path of addressesWith(target, number))
        wrong.push(...(await wrongOf(path, { method: target.method, ...body })))
  }
  expect(wrong).toEqual([])
}, 300_000)

const ofBodies = [-1, 0, 21_474_837, 2_147_483_647, 2_147_483_648, 1e15, 2 ** 53, 1e21, 1.005]
const spared = /\/password|\/logout|\/totp|settings\/security|convert-to-teacher|superadmin/

test('no number in a body breaks the service', async () => {
  const targets = targetsOf(school.canteen.routes, school.seen).filter(
    ({ method, body, path, form }) => method !== 'GET' && body !== nothing && !form && !spared.test(path),
  )
  const wrong: string[] = []
  for (const target of targets) {
    const made = fc.sample(valuesOf(target.body, school.known, target.path), { seed: 7, numRuns: 4 })
    const address = addressed(target, sampled(target.params, target.path), {})
    for (const sound of [...(target.seen ?? []).slice(0, 2), ...made])
      for (const number of ofBodies)
        for (const body of bodiesWith(sound, number))
          wrong.push(
            ...(await wrongOf(address, {
              method: target.method,
              body: JSON.stringify(body),
              headers: { 'content-type': 'application/json' },
            })),
          )
  }
  expect(wrong).toEqual([])
}, 300_000)
