import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
