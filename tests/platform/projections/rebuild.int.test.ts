import { beginning } from '#platform/event-store/event-store'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { eventually } from '../../support/eventually'
import { appendTo, createExampleTables, exampleViews, numberEvents } from '../../support/example-view'
import { testDatabase } from '../../support/postgres'
import type { TestDatabase } from '../../support/postgres'
import { exampleProcess } from '../../support/projecting'
import type { ExampleProcess } from '../../support/projecting'
import { expectRebuildEqualsLive } from '../../support/rebuild-equals-live'
import { noted } from '../../support/recorded-events'

let schoolDb: TestDatabase
let server: ExampleProcess
let command: ExampleProcess

beforeEach(async () => {
  schoolDb = await testDatabase()
  await createExampleTables(schoolDb.database.pool)
  server = await exampleProcess(schoolDb.url)
  command = await exampleProcess(schoolDb.url)
})
afterEach(async () => {
  await server.close()
  await command.close()
  await schoolDb.close()
})

const needs = () => ({ ...command, eventStore: command.store, views: exampleViews })

const someHistory = async () => {
  for (let round = 0; round < 30; round += 1) {
    const stream = `tally-${round % 7}`
    await appendTo(
      server.store,
      stream,
      ...numberEvents(round % 11, round + 1),
      noted({ text: `round ${round}` }),
    )
  }
}

test('rebuilt views equal the live ones, beside a running server that goes on afterwards', async () => {
  const projector = server.project()
  await someHistory()
  await expectRebuildEqualsLive(needs())
  const position = await appendTo(server.store, 'tally-1', ...numberEvents(1000))
  await eventually(() => projector.status().position === position)
  const { rows } = await schoolDb.database.pool.query('select times from example.numbers where number = 1000')
  expect(rows).toEqual([{ times: 1 }])
})

test('rows that no event made are gone after a rebuild', async () => {
  await someHistory()
  await schoolDb.database.pool.query('insert into example.numbers values (4711, 1)')
  await rebuildViews({ ...needs(), onProgress: () => undefined })
  const { rows } = await schoolDb.database.pool.query('select from example.numbers where number = 4711')
  expect(rows).toEqual([])
})

test('it tells how far it is', async () => {
  const many = Array.from({ length: 2_500 }, (_, number) => number + 1)
  await appendTo(server.store, 'tally-1', ...numberEvents(...many))
  const told: [number, number | null][] = []
  await rebuildViews({ ...needs(), onProgress: (done, total) => void told.push([done, total]) })
  expect(told).toEqual([
    [2_000, 2_500],
    [2_500, 2_500],
  ])
})

test('a school without events is rebuilt to nothing', async () => {
  await rebuildViews({ ...needs(), onProgress: () => undefined })
  const { rows } = await schoolDb.database.pool.query(
    "select position from platform.checkpoints where name = 'views'",
  )
  expect(rows).toEqual([{ position: beginning }])
})

test('when it is cut off, a projector goes on where it was', async () => {
  await appendTo(server.store, 'tally-1', ...numberEvents(...Array.from({ length: 2_500 }, () => 1)))
  const cutOff = rebuildViews({
    ...needs(),
    onProgress: () => {
      throw new Error('killed')
    },
  })
  await expect(cutOff).rejects.toThrow('killed')
  const projector = server.project()
  await eventually(async () => projector.status().position === (await server.store.end()).position)
  const { rows } = await schoolDb.database.pool.query('select number, times from example.numbers')
  expect(rows).toEqual([{ number: 1, times: 2_500 }])
})
