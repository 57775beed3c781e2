// `npm run test:api:eventstore`: every test that drives the whole service over HTTP, and the crashes, with the events in
// EventStoreDB: a small server inside each test process, or a real one at EVENTSTORE_TEST_URL. Words behind `--` go to
// jest. The last line counts, as that of `npm test` does.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
const imports = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => `${join(dirname(file), path)}.ts`)
    .filter((path) => existsSync(path))

// Whose events go where TUCKSHOP_TEST_EVENTS says.
const either = join(root, 'tests/support/school-events.ts')
const drives = (file, seen = new Set()) =>
  file === either || imports(file).some((other) => !seen.has(other) && seen.add(other) && drives(other, seen))

const files = readdirSync(join(root, 'tests'), { recursive: true })
  .filter((name) => name.endsWith('.int.test.ts'))
  .map((name) => join(root, 'tests', name))
  .filter((file) => drives(file))
if (files.length === 0) throw new Error('No test drives the service')

const server = process.env.EVENTSTORE_TEST_URL || 'in-process'
console.log(
  `${files.length} files, their events in EventStoreDB: ${server === 'in-process' ? server : 'a real one'}`,
)
await ensureBuilt()
const words = ['--selectProjects', 'int', ...process.argv.slice(2), '--runTestsByPath', ...files]
tell(runTests(words, { TUCKSHOP_TEST_EVENTS: server }))
