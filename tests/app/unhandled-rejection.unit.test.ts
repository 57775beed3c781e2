import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

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
