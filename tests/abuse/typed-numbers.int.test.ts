import * as fc from 'fast-check'
import { listParents } from '#contracts/accounts'
import { type Endpoint, nothing } from '#contracts/endpoint'
import { currentUser, featureNames } from '#contracts/identity'
import type { Client } from '../../src/app/demo/client'
import { type FuzzSchool, openFuzzSchool } from './fuzz-school'
import { sqlWords } from './hostile-values'
import { valuesOf } from './schema-values'
import { type FuzzTarget, targetsOf } from './targets'

describe('typed numbers', () => {
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
})

describe('search words', () => {
  let school: FuzzSchool
  beforeAll(async () => {
    school = await openFuzzSchool()
  })
  afterAll(() => school.canteen.close())

  type Field = { endpoint: Endpoint; field: string }

  /** Every field of a query that every list, export and search of the service takes. */
  const fields = (): Field[] =>
    school.canteen.routes.flatMap((route) => {
      if (route.kind !== 'json' || route.endpoint.method !== 'GET' || route.endpoint.query === nothing)
        return []
      const { shape } = (route.endpoint.query as unknown as { def: { shape: object } }).def
      return Object.keys(shape).map((field) => ({ endpoint: route.endpoint, field }))
    })

  const ask = async ({ endpoint, field }: Field, word: string) => {
    const path = endpoint.path.replaceAll(/:\w+/g, '1')
    const startedAt = performance.now()
    const answer = await school.canteen.superadminClient.fetch(
      `${path}?${new URLSearchParams({ [field]: word })}`,
    )
    const text = await answer.text()
    return { status: answer.status, text, ms: performance.now() - startedAt }
  }

  /** How many rows a list, or a search of several, answered with, whatever it calls them. */
  const rowsIn = (text: string): number => {
    const reply = JSON.parse(text) as object
    const { families, payments, orders, statementRows, data, users, groups } = reply as Record<
      string,
      unknown
    >
    return [reply, families, payments, orders, statementRows, data, users, groups].reduce<number>(
      (rows, list) => rows + (Array.isArray(list) ? list.length : 0),
      0,
    )
  }

  const words = [...sqlWords, '%%%', '___', '\'"`;--', '* OR 1=1', "1'||pg_sleep(20)||'"]

  test('words of SQL and wildcards in a filter, a search or a sort find nothing and break nothing', async () => {
    const all = fields()
    expect(all.length).toBeGreaterThan(25)
    const wrong: string[] = []
    for (const field of all)
      for (const word of words) {
        const { status, text, ms } = await ask(field, word)
        const found = status === 200 ? rowsIn(text) : 0
        if (![200, 403, 404, 422].includes(status) || found > 0 || ms > 15_000)
          wrong.push(
            `${field.endpoint.path}?${field.field}=${word}: ${status}, ${found} rows, ${Math.round(ms)} ms`,
          )
      }
    expect(wrong).toEqual([])
  })

  test('afterwards everybody is still there', async () => {
    const office = school.canteen.superadminClient
    expect((await office.call(currentUser)).allowedFeatures.length).toBeLessThanOrEqual(featureNames.length)
    expect((await office.call(listParents, { query: {} })).data.map(({ username }) => username)).toEqual([
      'mwila',
    ])
  })
})
