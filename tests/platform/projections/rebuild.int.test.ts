import { beginning } from '#platform/event-store/event-store'
import { rebuildViews, refoldStreams } from '#platform/projections/rebuild-views'
import { eventually } from '../../support/eventually'
import { testDatabase, type TestDatabase } from '../../support/postgres'
import {
  type ExampleProcess,
  appendTo,
  createExampleTables,
  exampleContext,
  numberEvents,
  talliesView,
  exampleProcess,
} from '../../support/projecting'
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

const needs = () => ({ ...command, eventStore: command.store, contexts: [exampleContext] })

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
    "select position from platform.checkpoints where name = 'views example'",
  )
  expect(rows).toEqual([{ position: beginning }])
})

const pool = () => schoolDb.database.pool

const times = async () => (await pool().query('select number, times from example.numbers')).rows

const indexes = async () => {
  const { rows } = await pool().query(
    `select tablename, indexname, indexdef, pg_get_constraintdef(k.oid) as constraint from pg_indexes
     left join pg_constraint k on k.conname = indexname where schemaname = 'example' order by indexname`,
  )
  return rows
}

describe('the tables of the views are made anew', () => {
  test('with the same indexes, constraints and defaults', async () => {
    await pool().query(`
      alter table example.numbers add constraint few check (times < 10000), alter times set default 7,
        add constraint a_pair unique (number, times) deferrable initially deferred;
      create unique index "as a text" on example.numbers ((number::text));
      create index even_tallies on example.tallies using btree (lower(name), total desc) where even`)
    const before = await indexes()
    expect(before).toHaveLength(5)
    await someHistory()
    await rebuildViews({ ...needs(), onProgress: () => undefined })
    expect(await indexes()).toEqual(before)
    await expect(pool().query('insert into example.numbers values (-1, 10000)')).rejects.toThrow('few')
    await pool().query('insert into example.numbers (number) values (-1)')
    expect((await pool().query('select times from example.numbers where number = -1')).rows).toEqual([
      { times: 7 },
    ])
  })

  test('and whoever reads two of them in another order does not stop it', async () => {
    await someHistory()
    const reader = await pool().connect()
    try {
      await reader.query('begin')
      await reader.query('select count(*) from example.numbers')
      const rebuilt = rebuildViews({ ...needs(), onProgress: () => undefined })
      await eventually(async () => {
        const { rows } = await pool().query(
          "select from pg_locks where relation = 'example.numbers'::regclass and not granted",
        )
        return rows.length > 0
      })
      await reader.query('select count(*) from example.tallies')
      await reader.query('commit')
      await rebuilt
    } finally {
      reader.release()
    }
    expect((await pool().query('select from example.tallies')).rowCount).toBe(7)
  })

  test('and left as they were when it is cut off; a projector goes on where it was', async () => {
    const projector = server.project()
    const many = Array.from({ length: 2_500 }, () => 1)
    await projector.viewsInclude(await appendTo(server.store, 'tally-1', ...numberEvents(...many)))
    const cutOff = rebuildViews({
      ...needs(),
      onProgress: () => {
        throw new Error('killed')
      },
    })
    await expect(cutOff).rejects.toThrow('killed')
    expect(await times()).toEqual([{ number: 1, times: 2_500 }])
    expect((await pool().query("select from pg_tables where schemaname = 'example'")).rowCount).toBe(2)
    await eventually(() => projector.status().active)
    await projector.viewsInclude(await appendTo(server.store, 'tally-2', ...numberEvents(1)))
    await eventually(async () => (await times())[0].times === 2_501)
  })

  test('and meanwhile the old ones serve and follow new events, which the new ones hold as well', async () => {
    const projector = server.project()
    await projector.viewsInclude(await appendTo(server.store, 'tally-1', ...numberEvents(1, 1)))
    let ends = 0
    let seen: unknown[] = []
    const end = async () => {
      ends += 1
      if (ends === 2) {
        await projector.viewsInclude(await appendTo(server.store, 'tally-2', ...numberEvents(1)))
        seen = await times()
      }
      return server.store.end()
    }
    const eventStore = { ...server.store, end }
    await rebuildViews({ ...needs(), eventStore, onProgress: () => undefined })
    expect(seen).toEqual([{ number: 1, times: 3 }])
    expect(await times()).toEqual([{ number: 1, times: 3 }])
  })

  test('and what a rebuild that was killed has left does not stop the next', async () => {
    await someHistory()
    await pool().query('create table example.tallies__new (left_over integer)')
    server.project()
    await expectRebuildEqualsLive(needs())
  })
})

const tally = async () =>
  (await schoolDb.database.pool.query<{ times: string }>('select times from example.tallies')).rows

test('rows made again while an event comes in have that event too', async () => {
  const projector = server.project()
  await appendTo(server.store, 'tally-1', ...numberEvents(7))
  const early = await server.store.read(['tally-1'])
  const eventStore = {
    ...command.store,
    // The next event is there by the time that this answer is.
    read: async (streams: string[]) => {
      const found = early.size > 0 ? new Map(early) : await command.store.read(streams)
      if (early.size > 0) {
        early.clear()
        const position = await appendTo(server.store, 'tally-1', ...numberEvents(7))
        await eventually(() => projector.status().position === position)
      }
      return found
    },
  }
  await eventually(async () => (await tally())[0]?.times === '1')
  await refoldStreams({ ...command, eventStore }, [{ name: 'example', views: [talliesView] }], ['tally-1'])
  expect(await tally()).toEqual([{ times: '2' }])
})
