import * as fc from 'fast-check'
import { statementOfAccount } from '#contracts/books'
import type { Endpoint } from '#contracts/endpoint'
import { spoilt } from './hostile-values'
import { allContracts } from './requests'
import { type Known, takes, valuesOf } from './schema-values'

const known: Known = {
  id: [1, 2],
  name: ['mwila'],
  order: ['118.2026-09-24.1'],
  email: ['mwila@example.org'],
}
const runs = { numRuns: 200, seed: 7 }
const parts = ({ method, path, params, query, body }: Endpoint) =>
  Object.entries({ params, query, body }).map(
    ([part, schema]) => [`${part} of ${method} ${path}`, schema] as const,
  )

test.each(allContracts().flatMap(parts))('the fuzz makes values that fit the %s', (_name, schema) => {
  const made = fc.sample(valuesOf(schema, known, ''), runs)
  expect(made.filter((value) => takes(schema, value)).length).toBeGreaterThan(20)
})

test('most values keep a rule on the whole, such as a first day before the last', () => {
  const made = fc.sample(valuesOf(statementOfAccount.query, known, ''), runs)
  expect(made.filter((value) => takes(statementOfAccount.query, value)).length).toBeGreaterThan(100)
})

test('most spoilt values fit nothing', () => {
  const [login] = allContracts().filter(({ path }) => path === '/api/login')
  const made = fc.sample(spoilt(valuesOf(login!.body, known, '')), runs)
  expect(made.filter((value) => !takes(login!.body, value)).length).toBeGreaterThan(50)
})
