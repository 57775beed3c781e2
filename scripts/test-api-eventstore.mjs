// `npm run test:api:eventstore`: every test that drives the whole service and is about what events hold (orders,
// payments, refunds, the audit, crashes, outages), with the events in EventStoreDB: a small server inside each test
// process, or a real one at EVENTSTORE_TEST_URL. How a list is filtered, sorted and cut into pages (`<thing>-list`), and
// what is only about settings, tables, what screens read, the clock, the disk, Postgres and Redis (`aboutOthers`), is the
// same whoever keeps the events; the drills of closing and of the hatch are run with EventStoreDB by hand
// (docs/survival.md). Words behind `--` go to jest. The last line counts, as that of `npm test` does.
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

const rooms = /^(?:audit|crash|ordering|payments|refunds|survival)\//
const aboutOthers = new Set([
  'audit/changes.int.test.ts',
  'audit/entries-sorted.int.test.ts',
  'audit/export.int.test.ts',
  'audit/history.int.test.ts',
  'crash/closing.int.test.ts',
  'crash/hatch.int.test.ts',
  'ordering/class-list.int.test.ts',
  'ordering/completing.int.test.ts',
  'ordering/conflicts.int.test.ts',
  'ordering/cycle-orders.int.test.ts',
  'ordering/discount-codes.int.test.ts',
  'ordering/kitchen-changes.int.test.ts',
  'ordering/kitchen-unchanged.int.test.ts',
  'ordering/kitchen.int.test.ts',
  'ordering/order-table.int.test.ts',
  'ordering/ordering-rules.int.test.ts',
  'ordering/overlapping-cycles.int.test.ts',
  'ordering/own-orders.int.test.ts',
  'ordering/revenue.int.test.ts',
  'payments/alternative-settings.int.test.ts',
  'payments/console.int.test.ts',
  'payments/hostile-carts.int.test.ts',
  'payments/measures.int.test.ts',
  'payments/open-payments.int.test.ts',
  'payments/return-address.int.test.ts',
  'payments/transfers-month.int.test.ts',
  'payments/withdrawn-items.int.test.ts',
  'payments/statements/statements.int.test.ts',
  'survival/clock-jumps.int.test.ts',
  'survival/full-disk.int.test.ts',
  'survival/postgres-away-at-the-end.int.test.ts',
  'survival/redis-away-at-the-end.int.test.ts',
  'survival/redis-restart.int.test.ts',
])
// Whose events go where TUCKSHOP_TEST_EVENTS says, unless the file keeps them in the database.
const keepsThem = (file) => readFileSync(file, 'utf8').includes('inTheDatabase')
const either = join(root, 'tests/support/school-events.ts')
const drives = (file, seen = new Set()) =>
  file === either || imports(file).some((other) => !seen.has(other) && seen.add(other) && drives(other, seen))

const files = readdirSync(join(root, 'tests'), { recursive: true })
  .filter((name) => rooms.test(name) && name.endsWith('.int.test.ts') && !name.endsWith('-list.int.test.ts'))
  .filter((name) => !aboutOthers.has(name))
  .map((name) => join(root, 'tests', name))
  .filter((file) => drives(file) && !keepsThem(file))
if (files.length === 0) throw new Error('No test drives the service')

const server = process.env.EVENTSTORE_TEST_URL || 'in-process'
console.log(
  `${files.length} files, their events in EventStoreDB: ${server === 'in-process' ? server : 'a real one'}`,
)
await ensureBuilt()
const words = ['--selectProjects', 'int', ...process.argv.slice(2), '--runTestsByPath', ...files]
tell(await runTests(words, { TUCKSHOP_TEST_EVENTS: server }))
