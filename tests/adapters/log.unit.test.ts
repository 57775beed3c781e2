import { Writable } from 'node:stream'
import { pinoLog } from '../../src/adapters/log'

const written = (level: string, say: (log: ReturnType<typeof pinoLog>) => void) => {
  const lines: string[] = []
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  say(pinoLog(level, destination))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line is JSON with an ISO time, the level as a word, the message and its details', () => {
  const [line] = written('info', (log) => log.info({ orders: 3 }, 'placed'))
  expect(line).toMatchObject({ level: 'info', orders: 3, msg: 'placed' })
  expect(line!.time).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/)
})

test('lines below the level are not written', () => {
  expect(written('warn', (log) => log.info({}, 'quiet'))).toEqual([])
})

test('a child repeats its bindings', () => {
  expect(written('info', (log) => log.child({ job: 'mail' }).warn({}, 'late'))[0]).toMatchObject({
    job: 'mail',
  })
})

test('a fault is written with its stack and cause, and without what else hangs on it', () => {
  const cause = new Error('connection lost')
  const fault = Object.assign(new Error('query failed', { cause }), {
    code: '08006',
    parameters: ['hunter2'],
  })
  const lines = written('info', (log) => log.error({ err: fault }, 'fault'))
  expect(lines[0]!.err).toMatchObject({
    message: 'query failed',
    code: '08006',
    cause: { message: 'connection lost' },
  })
  expect(JSON.stringify(lines)).toContain('log.unit.test')
  expect(JSON.stringify(lines)).not.toContain('hunter2')
})

test.each(['password', 'newPassword', 'cookie', 'set-cookie', 'authorization'])(
  '%s is struck out',
  (name) => {
    const lines = written('info', (log) =>
      log.info({ [name]: 'hunter2', body: { [name]: 'hunter2' } }, 'careless'),
    )
    expect(lines[0]!.msg).toBe('careless')
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  },
)
