import { DatabaseError } from 'pg'
import { Refusal } from '#kernel/refusal'
import { cached, invalidating } from '#platform/cached'
import { isOutage, publicErrorText } from '#platform/failures'
import { inOrderOfNames, membersOnPage } from '#platform/http/paging'
import { limitConcurrency, takingTurns } from '#platform/pacing'

const menu = (over: { load?: () => Promise<string> } = {}) => {
  const heard: ((message: string | null) => void)[] = []
  const told: string[] = []
  let loads = 0
  const load = async () => `menu ${(loads += 1)}`
  const value = cached(
    {
      subscribe: (_channel, hear) => {
        heard.push(hear)
        return () => undefined
      },
      publisher: () => (message) => void told.push(message),
    },
    'menu',
    over.load ?? load,
  )
  return {
    ...value,
    told,
    otherProcess: (message: string | null) => heard.forEach((hear) => hear(message)),
  }
}

test('it is loaded once for all who read', async () => {
  const { read } = menu()
  expect(await Promise.all([read(), read()])).toEqual(['menu 1', 'menu 1'])
  expect(await read()).toBe('menu 1')
})

test('after a change it is loaded again, and the other processes are told', async () => {
  const { read, changed, told } = menu()
  await read()
  changed()
  expect(await read()).toBe('menu 2')
  expect(told).toEqual(['changed'])
})

test.each(['changed', null])(
  'a notification from elsewhere (%j) is a change, and is not passed on',
  async (message) => {
    const { read, otherProcess, told } = menu()
    await read()
    otherProcess(message)
    expect(await read()).toBe('menu 2')
    expect(told).toEqual([])
  },
)

test('what was being loaded while it changed is not kept', async () => {
  const answers: ((menu: string) => void)[] = []
  const { read, changed } = menu({ load: () => new Promise((resolve) => answers.push(resolve)) })
  const before = read()
  changed()
  const after = read()
  answers[1]!('new')
  answers[0]!('old')
  expect([await before, await after, await read()]).toEqual(['old', 'new', 'new'])
})

test('it is kept for half a minute, should a notification be lost', async () => {
  jest.useFakeTimers()
  const { read } = menu()
  await read()
  jest.advanceTimersByTime(29_999)
  expect(await read()).toBe('menu 1')
  jest.advanceTimersByTime(1)
  expect(await read()).toBe('menu 2')
  jest.useRealTimers()
})

test('a failure is not kept', async () => {
  let locks = 0
  const { read } = menu({
    load: async () => ((locks += 1) === 1 ? Promise.reject(new Error('away')) : 'menu'),
  })
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe('menu')
})

test('a command tells of a change when it is done, also where it failed on its way', async () => {
  const changes: string[] = []
  const commands = invalidating(
    {
      rename: async (name: string) => `now ${name}`,
      refuse: async () => Promise.reject(new Error('no')),
    },
    () => void changes.push('changed'),
  )
  expect(await commands.rename('soup')).toBe('now soup')
  await expect(commands.refuse()).rejects.toThrow('no')
  expect(changes).toEqual(['changed', 'changed'])
})

const gate = () => {
  const open: (() => void)[] = []
  return { open, wait: () => new Promise<void>((resolve) => open.push(resolve)) }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('two are under way, the others come in the order in which they asked', async () => {
  const twoAtMost = limitConcurrency(2)
  const { open, wait } = gate()
  const begun: number[] = []
  const all = [1, 2, 3, 4].map((number) =>
    twoAtMost(async () => {
      begun.push(number)
      await wait()
      return number
    }),
  )
  await settled()
  expect(begun).toEqual([1, 2])
  open[1]!()
  await settled()
  expect(begun).toEqual([1, 2, 3])
  open[0]!()
  await settled()
  open.forEach((one) => one())
  await settled()
  open.forEach((one) => one())
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('one that fails leaves its place to the next', async () => {
  const oneAtMost = limitConcurrency(1)
  const failed = oneAtMost(() => Promise.reject(new Error('no')))
  const next = oneAtMost(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(await oneAtMost(() => Promise.resolve('again'))).toBe('again')
})

const listed = Array.from({ length: 100 }, (_, index) => `${index}`)

test('what is new is looked at in one run, and what is settled in turn, forty a run', () => {
  const turns = takingTurns()
  const run = (ids: string[]) => {
    const due = [...turns.due(ids)]
    for (const id of due) turns.isSettled(id)
    return due
  }
  expect(run(listed)).toEqual(listed)
  const [first, second, third] = [run(listed), run(listed), run([...listed, 'new'])]
  expect([first.length, second.length, third.length]).toEqual([40, 40, 41])
  expect(third[0]).toBe('new')
  expect(new Set([...first, ...second, ...third]).size).toBe(101)
})

test('what could not be settled is looked at in each run, and what is no longer listed in none', () => {
  const turns = takingTurns()
  for (const id of turns.due(listed)) if (id !== '99') turns.isSettled(id)
  expect(turns.due(listed)).toContain('99')
  expect([...turns.due(['99'])]).toEqual(['99'])
})

describe('outage', () => {
  const database = (code: string) => Object.assign(new DatabaseError('it says so', 10, 'error'), { code })
  const system = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

  test.each([
    ['a full disk', database('53100')],
    ['too many connections', database('53300')],
    ['a database that stops', database('57P01')],
    ['a database that starts', database('57P03')],
    ['a connection that broke', database('08006')],
    ['a disk that cannot be read', database('58030')],
    ['nobody there', system('ECONNREFUSED')],
    ['a connection cut off', system('ECONNRESET')],
    [
      'several addresses, nobody at any',
      new AggregateError([system('ECONNREFUSED'), system('ECONNREFUSED')]),
    ],
    ['a connection cut off, in the words of the driver', new Error('Connection terminated unexpectedly')],
    ['no connection in time', new Error('timeout exceeded when trying to connect')],
    [
      'no connection in time, for tables',
      new Error('Knex: Timeout acquiring a connection. The pool is full'),
    ],
    [
      'a connection cut off under a statement, which knex puts before the words',
      new Error('select * from "identity"."users" - Connection terminated unexpectedly'),
    ],
    ['a server that hangs', new Error('Connection terminated: the database does not answer')],
    ['a connection of tables that is not made in time', new Error('timeout expired')],
    ['a Redis that hangs', new Error('Command timed out')],
    ['a job queue that hangs', new Error('The job queue does not answer')],
    ['an outage behind another error', new Error('Events cannot be stored', { cause: database('53100') })],
  ])('%s is an outage', (_what, error) => expect(isOutage(error)).toBe(true))

  test.each([
    ['a broken rule of the tables', database('23505')],
    ['a statement with a mistake', database('42601')],
    ['a statement that was called off', database('57014')],
    ['a mistake of ours', new TypeError('Cannot read properties of undefined')],
    ['a refusal', new Refusal('sold_out', 'No plates left')],
    ['what is no error', '53100'],
  ])('%s is none', (_what, error) => expect(isOutage(error)).toBe(false))
})

describe('fault in words', () => {
  const database = (code: string) =>
    Object.assign(new DatabaseError('duplicate key: (username)=(mwila.banda)', 10, 'error'), { code })
  const system = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.7:5432`), { code })

  test.each([
    ['a database error', database('23505'), 'database error 23505; see the log'],
    ['a database that is full', database('53100'), 'a server is away or full (53100); see the log'],
    ['nobody there', system('ECONNREFUSED'), 'a server is away or full (ECONNREFUSED); see the log'],
    ['a line cut off', new Error('Connection terminated'), 'a server is away or full; see the log'],
    ['a mistake of ours', new TypeError('mwila.banda is not iterable'), 'TypeError; see the log'],
    ['an error with a code', system('ENOSPC'), 'Error ENOSPC; see the log'],
    ['an error with a short code', system('EBUSY'), 'Error EBUSY; see the log'],
    ['a name that tells', Object.assign(new Error(), { name: 'no child of mwila' }), 'Error; see the log'],
    ['a code that tells', Object.assign(new Error(), { code: 'no child of mwila' }), 'Error; see the log'],
    [
      'many at once',
      new AggregateError([new Error('grace'), database('23505')]),
      'database error 23505; see the log',
    ],
    [
      'one behind another',
      new Error('grace', { cause: database('42P01') }),
      'database error 42P01; see the log',
    ],
    ['what is no error', 'mwila.banda', 'a fault without a name; see the log'],
  ])('%s is told by its kind and code alone', (_what, error, words) => {
    expect(publicErrorText(error)).toBe(words)
  })
})

const counts = [
  { userId: 7, count: 3 },
  { userId: 2, count: 1 },
  { userId: 5, count: 4 },
]

test.each([
  [0, 2, [7], 0],
  [0, 4, [7, 2], 0],
  [2, 2, [7, 2], 0],
  [3, 1, [2], 3],
  [4, 50, [5], 4],
  [1, 50, [7, 2, 5], 0],
  [8, 50, [], 8],
])('from %i on, %i rows: of %j, %i before theirs', (offset, limit, userIds, before) => {
  expect(membersOnPage(counts, { offset, limit })).toEqual({ userIds, before })
})

test('users follow their names without regard to case; those of no name come first, by their ids', () => {
  const names = new Map([
    [7, 'zita'],
    [5, 'Abel'],
  ])
  const users = [...counts, { userId: 1, count: 1 }]
  const ids = (direction: 'asc' | 'desc') =>
    inOrderOfNames(users, names, direction).map(({ userId }) => userId)
  expect(ids('asc')).toEqual([1, 2, 5, 7])
  expect(ids('desc')).toEqual([7, 5, 2, 1])
})
