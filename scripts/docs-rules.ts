// `npm run docs:rules -- RESULTS.json … --out FILE` writes what jest's results hold: titles, refusals, routes, steps of views.
// `-- RESULTS.json … --against FILE` names what FILE of another commit holds and these results do not.
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
const words = process.argv.slice(2)
const [how, other] = words.slice(-2)
if (how !== '--out' && how !== '--against') throw new Error('Give results, then --out FILE or --against FILE')
const titles = words.slice(0, -2).flatMap((file) =>
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
if (how === '--out') writeFileSync(other!, `${rules.join('\n')}\n`)
else {
  // A title that only got words in front, as a story in its context's entry, still holds.
  const isHeld = (rule: string) => {
    const title = /^test [^:]+: (.*)$/.exec(rule)?.[1]
    return title !== undefined && titles.some((one) => one.endsWith(title))
  }
  const here = new Set(rules)
  const gone = read(other!)
    .split('\n')
    .filter((rule) => rule !== '' && !here.has(rule) && !isHeld(rule))
  console.log(gone.map((rule) => `- ${rule}`).join('\n'))
  console.log(`${gone.length} of ${other} are not held here`)
}
console.log(`${rules.length} rules`)
if (untested.length > 0) console.log(`No test names the refusals ${untested.join(', ')}`)
