import { beginning } from '#platform/event-store/event-store'
import { checkpointOf } from '#platform/projections/checkpoint'
import { batchProjector } from '#platform/projections/projector'
import { eventually } from '../../support/eventually'
import { appendTo, createExampleTables, numberEvents, talliesView } from '../../support/example-view'
import { testDatabase, type TestDatabase } from '../../support/postgres'
import { exampleProcess, type ExampleProcess } from '../../support/projecting'

let schoolDb: TestDatabase
let mine: ExampleProcess
let other: ExampleProcess

beforeEach(async () => {
  schoolDb = await testDatabase()
  await createExampleTables(schoolDb.database.pool)
  mine = await exampleProcess(schoolDb.url)
  other = await exampleProcess(schoolDb.url)
})
afterEach(async () => {
  await mine.close()
  await other.close()
  await schoolDb.close()
})

const totalOf = async (stream: string): Promise<number | undefined> => {
  const { rows } = await schoolDb.database.pool.query('select total from example.tallies where name = $1', [
    stream,
  ])
  return rows[0]?.total
}

test('whoever holds the views and does not get on is relieved, but for a rebuild, and is told of', async () => {
  const held = await mine.locks.tryAcquire('views example')
  const rebuild = await mine.locks.tryAcquire('maintenance')
  const waiting = other.project()
  await appendTo(mine.store, 'tally-1', ...numberEvents(4))
  await eventually(() => waiting.status().lagMs === 60_000)
  expect(waiting.status()).toMatchObject({ active: false, failing: null })
  await eventually(() => waiting.status().failing !== null)
  expect(waiting.status()).toMatchObject({
    active: false,
    failing: 'stands still: events wait and nobody takes them in',
  })
  await rebuild?.end()
  await eventually(async () => (await totalOf('tally-1')) === 4)
  await held?.lost
  await waiting.look()
  expect(waiting.status()).toMatchObject({ active: true, lagMs: 0, failing: null })
})

test('what a projector that was relieved writes late is taken back', async () => {
  const position = await appendTo(mine.store, 'tally-1', ...numberEvents(4))
  const context = { name: 'example', views: [talliesView] }
  const late = batchProjector(mine.database.pool, context)
  const events = (await mine.store.read(['tally-1'])).get('tally-1')!
  await checkpointOf(mine.database.pool, 'views example')
  await batchProjector(other.database.pool, context)(events, beginning)
  await expect(late(events, beginning)).rejects.toThrow('is no longer at')
  expect(await totalOf('tally-1')).toBe(4)
  expect(events.at(-1)!.position).toBe(position)
})
