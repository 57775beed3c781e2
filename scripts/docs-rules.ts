// `npm run docs:rules -- RESULTS.json …`: writes tests/rules.txt from jest's results, to compare before and after a change of tests: no
// rule loses its only test.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf } from '#platform/http/route'
import { composed } from './composed'

type Results = {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

const read = (file: string) => readFileSync(file, 'utf8')
const tests = join(process.cwd(), 'tests')
const sources = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => read(join(tests, name)))
  .join('\n')
const modules = composed()

/** Grouped by context, so that files may be joined or split. */
const titles = process.argv.slice(2).flatMap((file) =>
  (JSON.parse(read(file)) as Results).testResults.flatMap(({ name, assertionResults }) => {
    const [context] = name.split('/tests/').at(-1)!.split('/')
    return assertionResults
      .filter(({ status }) => status === 'passed')
      .map(
        ({ fullName }) =>
          `test ${context}: ${fullName.replaceAll(/\s+/g, ' ').slice(0, 200).replaceAll(/\p{C}/gu, '')}`,
      )
  }),
)

const codes = modules.flatMap(({ refusals }) => Object.keys(refusals))
const refusals = codes
  .filter((code) => new RegExp(`['"\`]${code}['"\`]|\\b${code}\\b`).test(sources))
  .map((code) => `refusal ${code}`)
const untested = codes.filter((code) => !refusals.includes(`refusal ${code}`))

// tests/app/access.int.test.ts calls each route as each of them.
const routes = modules
  .flatMap((module) => module.routes)
  .map((route) => {
    const { method, path } = addressOf(route)
    return `route ${method} ${path} as nobody, parent, teacher, administrator of each feature, superadmin`
  })

const steps = modules.flatMap(({ views }) =>
  views.flatMap(({ table, events }) => events.map(({ type }) => `view step ${table} ${type}`)),
)

const rules = [...new Set([...titles, ...refusals, ...routes, ...steps])].toSorted()
writeFileSync(join(tests, 'rules.txt'), `${rules.join('\n')}\n`)
console.log(`${rules.length} rules written to tests/rules.txt`)
if (untested.length > 0) console.log(`No test names the refusals ${untested.join(', ')}`)
