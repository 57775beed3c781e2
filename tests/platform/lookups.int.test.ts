import { Socket } from 'node:net'
import { openPipelinedReads } from '../../src/adapters/postgres/pipelined-reads'
import { isOutage } from '#platform/outage'
import { testDatabase } from '../support/postgres'
import type { TestDatabase } from '../support/postgres'

let database: TestDatabase
let pipelinedReads: ReturnType<typeof openPipelinedReads>

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  pipelinedReads = openPipelinedReads({ connectionString: database.url })
})
afterEach(() => pipelinedReads.close())

const double = (value: number) =>
  pipelinedReads.query<{ doubled: number }>({
    name: 'double',
    text: 'select 100 / (50 / $1::int) as doubled',
    values: [value],
  })
const doubled = async (value: number) => (await double(value)).rows[0]!.doubled

const backend = async () => {
  const { rows } = await pipelinedReads.query<{ pid: number }>({
    name: 'me',
    text: 'select pg_backend_pid() as pid',
  })
  return rows[0]!.pid
}

test('who asks in the same moment is answered on one connection, each its own', async () => {
  const asked = [1, 2, 5, 10, 25]
  expect(await Promise.all(asked.map(doubled))).toEqual(asked.map((value) => 2 * value))
  expect(new Set(await Promise.all(Array.from({ length: 20 }, backend))).size).toBe(1)
})

test('what is asked in the same moment leaves in one packet', async () => {
  await doubled(1)
  const sent = (['_write', '_writev'] as const).map((name) => jest.spyOn(Socket.prototype, name))
  await Promise.all([1, 2, 5, 10].map(doubled))
  expect(sent.reduce((writes, { mock }) => writes + mock.calls.length, 0)).toBe(1)
  jest.restoreAllMocks()
})

test('a read that fails takes no other with it', async () => {
  const [before, failed, after] = await Promise.allSettled([doubled(1), doubled(0), doubled(2)])
  expect(before).toMatchObject({ value: 2 })
  expect(failed).toMatchObject({ reason: { code: '22012' } })
  expect(after).toMatchObject({ value: 4 })
})

test('a connection that has broken is opened anew; who was waiting hears of an outage', async () => {
  const pid = await backend()
  const waiting = pipelinedReads
    .query({ name: 'long', text: 'select pg_sleep(20)' })
    .catch((error: unknown) => error)
  const ended = database.database.pool.query('select pg_terminate_backend($1)', [pid])
  expect(isOutage(await waiting)).toBe(true)
  await ended
  expect(await doubled(1)).toBe(2)
  expect(await backend()).not.toBe(pid)
})

test('where nobody listens every read fails, and does not wait for ever', async () => {
  const nowhere = openPipelinedReads({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
  const asked = () => nowhere.query({ name: 'one', text: 'select 1' }).catch((error: unknown) => error)
  for (const error of await Promise.all([asked(), asked(), asked()])) expect(isOutage(error)).toBe(true)
  expect(isOutage(await asked())).toBe(true)
  await nowhere.close()
})

test('closing waits for what was asked', async () => {
  await doubled(1)
  const asked = doubled(5)
  await pipelinedReads.close()
  expect(await asked).toBe(10)
})
