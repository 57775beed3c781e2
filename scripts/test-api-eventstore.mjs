// `npm run test:api:eventstore`: every test that drives the whole service over HTTP, with the events in EventStoreDB:
// a small server inside each test process, or a real one at EVENTSTORE_TEST_URL. Words behind `--` go to jest.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.mjs'

const imports = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => `${join(dirname(file), path)}.ts`)
    .filter((path) => existsSync(path))

const school = join(root, 'tests/support/school.ts')
const drives = (file, seen = new Set()) =>
  file === school || imports(file).some((other) => !seen.has(other) && seen.add(other) && drives(other, seen))

const tests = readdirSync(join(root, 'tests'), { recursive: true })
  .filter((name) => name.endsWith('.int.test.ts'))
  .map((name) => join(root, 'tests', name))
  .filter((file) => drives(file))
if (tests.length === 0) throw new Error('No test drives the service')

const server = process.env.EVENTSTORE_TEST_URL || 'in-process'
console.log(
  `${tests.length} files, their events in EventStoreDB: ${server === 'in-process' ? server : 'a real one'}`,
)
const words = ['--selectProjects', 'int', ...process.argv.slice(2), '--runTestsByPath', ...tests]
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...words], {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, TUCKSHOP_TEST_EVENTS: server },
})
process.exitCode = status ?? 1
