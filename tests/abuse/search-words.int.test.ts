import { currentUser, featureNames } from '#contracts/identity'
import { listParents } from '#contracts/accounts'
import { type Endpoint, nothing } from '#contracts/endpoint'
import { openFuzzSchool, type FuzzSchool } from './fuzz-school'
import { sqlWords } from './hostile-values'

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
  const { families, payments, orders, statementRows, data, users, groups } = reply as Record<string, unknown>
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
