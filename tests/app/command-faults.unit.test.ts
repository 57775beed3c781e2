import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inOneSentence } from '../../src/app/commands/command'
import { EventStoreUnavailable } from '#platform/event-store/event-store'
import { StartError } from '#platform/failures'

test('what a person can mend is one sentence with the path', async () => {
  const missing = await readFile('/no/such/file').catch((error: unknown) => error)
  expect(inOneSentence(missing)).toBe('The file /no/such/file cannot be used (ENOENT): it does not exist.')
  const full = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/backups/school.gz' })
  expect(inOneSentence(full)).toBe(
    'The file /backups/school.gz cannot be used (ENOSPC): there is no room left on the disk.',
  )
  expect(inOneSentence(Object.assign(new Error('could not extend file'), { code: '53100' }))).toMatch(
    /^The database has no room left/,
  )
  expect(inOneSentence(new StartError('Set it.'))).toBe('Set it.')
  expect(inOneSentence(Object.assign(new Error('permission denied'), { code: '42501' }))).toMatch(
    /^The database's user has no right/,
  )
  expect(inOneSentence(Object.assign(new Error('terminating connection'), { code: '57P01' }))).toBe(
    'The database does not answer any more: begin again once it does.',
  )
  expect(inOneSentence(new EventStoreUnavailable('It did not answer'))).toBe(
    'The event store does not answer any more: begin again once it does.',
  )
})

test.each([
  ['42P01', 'relation "platform.events" does not exist', 'relation "platform.events"'],
  ['3F000', 'schema "audit" does not exist', 'schema "audit"'],
  [
    '42703',
    'select "x" from "platform"."checkpoints" - column "position" does not exist',
    'column "position"',
  ],
  [
    '42883',
    'function platform.move_checkpoint(unknown) does not exist',
    'function platform.move_checkpoint(unknown)',
  ],
])('what somebody took out of the database is named (%s)', (code, message, what) =>
  expect(inOneSentence(Object.assign(new Error(message), { code }))).toBe(
    `The database lacks what the school needs (${what}): restore a backup, or give the address of the school.`,
  ),
)

test('a fault of the program is none', () =>
  expect(inOneSentence(new TypeError('x is undefined'))).toBeNull())

test('a rejection that nobody waits for is logged with its cause and ends nothing; a fault ends the process in order', () => {
  const file = join(__dirname, 'rejecting-process.ts')
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', file], { encoding: 'utf8' })
  const lines = stdout.trim().split('\n')
  const logged = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as unknown)
  expect(logged).toMatchObject([
    {
      msg: 'a rejection that nobody waits for',
      err: { message: 'Failed to discover after 10 attempts.', cause: { message: 'no leader' } },
    },
    { err: { message: 'nobody catches this' } },
  ])
  // The log is written a moment later than the other lines.
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual(['still here', 'stopped in order'])
  expect(status).toBe(1)
})
