import { join } from 'node:path'
import LongestFirst from '../support/longest-first.cjs'

const root = join(__dirname, '../..')
const crashes = join(root, 'tests/crash/crashes.int.test.ts')
const walk = join(root, 'tests/e2e/install.e2e.test.ts')
const database = join(root, 'tests/ordering/kitchen.int.test.ts')
const words = join(root, 'tests/kernel/money.unit.test.ts')

/** The order in which these files run where jest remembers so many ms of some of them. */
const order = (files: string[], remembered: Record<string, number> = {}) => {
  const sequencer = new LongestFirst({ contexts: [], globalConfig: {} })
  const passed = Object.entries(remembered).map(([path, ms]) => [path, [1, ms]] as const)
  sequencer._getCache = () => Object.fromEntries(passed)
  // oxlint-disable-next-line unicorn/no-array-sort -- it is no array
  const begun = sequencer.sort(files.map((path) => ({ path, context: { hasteFS: { getSize: () => 1 } } })))
  return begun.map(({ path }) => path)
}

test('where nothing ever ran the crashes begin first, then the browser', () => {
  expect(order([words, database, walk, crashes])).toEqual([crashes, walk, database, words])
})

test('what a file took the last time counts more than its kind', () => {
  const remembered = { [crashes]: 2_000, [words]: 90_000 }
  expect(order([crashes, walk, database, words], remembered)).toEqual([words, walk, database, crashes])
})
