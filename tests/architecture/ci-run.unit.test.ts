import { spawnSync, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LongestFirst from '../support/longest-first.cjs'

const run = join(__dirname, '../../.ci/run')

type Npm = { ci?: string; test?: string; replay?: string; eventstore?: string }
const well = 'true'
const counts = (line: string, exit = 0) => `echo '${line}'; exit ${exit}`

/** What `.ci/run` says and how it ends where npm does this; `asked` are the commands that npm was given. */
const runWith = ({ ci = well, test = '', replay = well, eventstore = '' }: Npm) => {
  const folder = mkdtempSync(join(tmpdir(), 'tuckshop ci '))
  const words = [
    '#!/usr/bin/env bash',
    'echo "asked for $*"',
    `case "$*" in ci*) ${ci} ;; test) ${test} ;; 'run replay:golden') ${replay} ;; 'run test:eventstore') ${eventstore} ;; *) exit 9 ;; esac`,
  ]
  writeFileSync(join(folder, 'npm'), words.join('\n'))
  chmodSync(join(folder, 'npm'), 0o755)
  const PATH = `${folder}:${process.env.PATH}`
  const { stdout, status } = spawnSync('bash', [run], { env: { PATH }, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const lines = stdout.trim().split('\n')
  const asked = lines.filter((line) => line.startsWith('asked for ')).map((line) => line.slice(10))
  return { last: lines.at(-1), good: status === 0, asked }
}

test('the last line adds up what the parts counted, the replayed history as one', () => {
  const test = counts('5000 passed, 0 failed')
  const { last, good, asked } = runWith({ test, eventstore: counts('500 passed, 0 failed') })
  expect({ last, good }).toEqual({ last: '5501 passed, 0 failed', good: true })
  expect(asked).toEqual([expect.stringMatching(/^ci/), 'test', 'run replay:golden', 'run test:eventstore'])
})

const fine = counts('7 passed, 0 failed')
test.each<[string, Npm, string]>([
  ['a failed test', { test: counts('4 passed, 2 failed', 1), eventstore: fine }, '12 passed, 2 failed'],
  [
    'a history that replays otherwise',
    { test: fine, replay: 'exit 1', eventstore: fine },
    '14 passed, 1 failed',
  ],
  [
    'a failed test on the other store',
    { test: fine, eventstore: counts('4 passed, 2 failed', 1) },
    '12 passed, 2 failed',
  ],
  ['a part that was killed', { test: 'kill -KILL $$', eventstore: fine }, '8 passed, 1 failed'],
  ['a second part that was killed', { test: fine, eventstore: 'kill -KILL $$' }, '8 passed, 1 failed'],
  ['a part that ran nothing and says so', { test: well, eventstore: fine }, '8 passed, 1 failed'],
  [
    'a part that ended badly after it had counted',
    { test: counts('4 passed, 0 failed', 3), eventstore: fine },
    '12 passed, 1 failed',
  ],
  ['an install that failed', { ci: 'exit 1', test: fine, eventstore: fine }, '0 passed, 1 failed'],
  [
    'parts without a test',
    { test: counts('0 passed, 0 failed'), replay: 'exit 1', eventstore: counts('0 passed, 0 failed') },
    '0 passed, 1 failed',
  ],
])('%s is no success, and stands in the last line', (_, npm, last) => {
  expect(runWith(npm)).toMatchObject({ last, good: false })
})

test('the count stands last, whatever npm says after it', () => {
  const test = `echo '3 passed, 1 failed'; echo 'npm error code 1'; exit 1`
  expect(runWith({ test, eventstore: fine }).last).toBe('11 passed, 1 failed')
})

const script = join(process.cwd(), 'scripts/comment-share.mjs')

const project = (lines: string[]): string => {
  const root = mkdtempSync(join(tmpdir(), 'comment-share-'))
  for (const folder of ['src', 'web']) {
    mkdirSync(join(root, folder))
    writeFileSync(join(root, folder, 'a.ts'), lines.join('\n'))
  }
  return root
}

const code = Array.from({ length: 97 }, (_, at) => `export const a${at} = ${at}`)

test('src and web hold few enough comments', () => {
  expect(execFileSync('node', [script], { encoding: 'utf8' })).toMatch(/^src: \d+\.\d %/)
})

test('three comment lines of a hundred pass, blank lines do not count', () => {
  const run = spawnSync('node', [script], {
    cwd: project(['// one', '', '/* two', ' three */', ...code]),
    encoding: 'utf8',
  })
  expect(run.stdout).toContain('src: 3.0 % of the lines are comments')
  expect(run.status).toBe(0)
})

test('more comments than that are refused', () => {
  const comments = Array.from({ length: 10 }, () => '/** Says nothing. */')
  const run = spawnSync('node', [script], { cwd: project([...comments, ...code]), encoding: 'utf8' })
  expect(run.stderr).toContain('delete comments that repeat a name or a type')
  expect(run.status).toBe(1)
})

test('a folder without code is no success', () => {
  const root = mkdtempSync(join(tmpdir(), 'comment-share-'))
  mkdirSync(join(root, 'src'))
  expect(spawnSync('node', [script], { cwd: root }).status).not.toBe(0)
})

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
