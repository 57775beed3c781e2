// `npm run test:eventstore`: the store contract and six stories with events in EventStoreDB, a small server of its protocol or
// EVENTSTORE_TEST_URL. `-- --all` runs every test whose behaviour depends on the event store; lists and tests in `aboutOthers` do not.
// Other words go to jest.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runTests, tell } from './counted-tests.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'
import { storeTests } from './tiers.mjs'

process.chdir(root)
const imports = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => `${join(dirname(file), path)}.ts`)
    .filter((path) => existsSync(path))

const rooms = /^(?:audit|crash|ordering|payments|refunds|survival|transfers)\//
const aboutOthers = new Set([
  'audit/changes.int.test.ts',
  'audit/entries-sorted.int.test.ts',
  'audit/export.int.test.ts',
  'audit/history.int.test.ts',
  'crash/closing.int.test.ts',
  'crash/hatch.int.test.ts',
  'ordering/cycle-orders.int.test.ts',
  'ordering/discount-codes.int.test.ts',
  'ordering/kitchen.int.test.ts',
  'payments/console.int.test.ts',
  'transfers/transfers-month.int.test.ts',
  'survival/clock-jumps.int.test.ts',
  'survival/full-disk.int.test.ts',
  'survival/redis-away-at-the-end.int.test.ts',
  'survival/redis-restart.int.test.ts',
])
const keepsThem = (file) => readFileSync(file, 'utf8').includes('inTheDatabase')
const either = join(root, 'tests/support/school-events.ts')
const drives = (file, seen = new Set()) =>
  file === either || imports(file).some((other) => !seen.has(other) && seen.add(other) && drives(other, seen))

const stories = [
  'audit/daily-audit.int.test.ts',
  'ordering/change-order.int.test.ts',
  'payments/card-payments.int.test.ts',
  'payments/free-checkout.int.test.ts',
  'transfers/verified-by-hand.int.test.ts',
  'refunds/card-refunds.int.test.ts',
].map((name) => join(root, 'tests', name))

const everyStory = () =>
  readdirSync(join(root, 'tests'), { recursive: true })
    .filter(
      (name) => rooms.test(name) && name.endsWith('.int.test.ts') && !name.endsWith('-list.int.test.ts'),
    )
    .filter((name) => !aboutOthers.has(name))
    .map((name) => join(root, 'tests', name))
    .filter((file) => drives(file) && !keepsThem(file))

const words = process.argv.slice(2).filter((word) => word !== '--all')
const files = [...storeTests, ...(process.argv.includes('--all') ? everyStory() : stories)]
const server = process.env.EVENTSTORE_TEST_URL || 'in-process'
console.log(
  `${files.length} files, their events in EventStoreDB: ${server === 'in-process' ? server : 'a real one'}`,
)
await ensureBuilt()
tell(await runTests([...words, '--runTestsByPath', ...files], { TUCKSHOP_TEST_EVENTS: server }))
