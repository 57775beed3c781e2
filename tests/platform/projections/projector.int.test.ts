import { beginning } from '#platform/event-store/event-store'
import { checkpointOf, moveCheckpoint, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector, viewTables } from '#platform/projections/projector'
import { rebuildViews } from '#platform/projections/rebuild-views'
import type { RowView } from '#platform/projections/row-view'
import { eventually } from '../../support/eventually'
import { type TestDatabase, testDatabase } from '../../support/postgres'
import {
  type ExampleProcess,
  appendTo,
  createExampleTables,
  exampleContext,
  numberEvents,
  numbersView,
  talliesView,
  exampleProcess,
} from '../../support/projecting'
import { counted, follow, noted, recordedEvents } from '../../support/recorded-events'

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

describe('projector', () => {
  const timesOf = async (number: number): Promise<number | undefined> => {
    const { rows } = await schoolDb.database.pool.query(
      'select times from example.numbers where number = $1',
      [number],
    )
    return rows[0]?.times
  }

  test('what was appended is in the views once they have passed its position', async () => {
    const projector = mine.project()
    const position = await appendTo(mine.store, 'tally-1', ...numberEvents(5, 3), noted({ text: 'two' }))
    await projector.viewsInclude(position)
    const { rows } = await schoolDb.database.pool.query('select row_to_json(t) as row from example.tallies t')
    expect(rows.map(({ row }) => row)).toEqual([
      {
        name: 'tally-1',
        total: 8,
        times: 2,
        average: 4,
        last_at: expect.stringContaining('2026-09-16T07:00:00'),
        last_day: '2026-09-16',
        numbers: [5, 3],
        note: { text: 'two', length: 3 },
        even: true,
      },
    ])
    expect(await timesOf(3)).toBe(1)
    expect(projector.status()).toMatchObject({ active: true, position, lagMs: 0, failing: null })
  })

  test('rows come back to the steps as they were written, and are removed when a step says so', async () => {
    const seen: unknown[] = []
    const watched: RowView = {
      ...talliesView,
      evolve: (row, event) => {
        seen.push(row)
        return talliesView.evolve(row, event)
      },
    }
    const projector = mine.project([watched])
    await projector.viewsInclude(
      await appendTo(mine.store, 'tally-1', ...numberEvents(5), noted({ text: 'x' })),
    )
    await projector.viewsInclude(await appendTo(mine.store, 'tally-1', ...numberEvents(3)))
    expect(seen.at(-1)).toEqual({
      name: 'tally-1',
      total: 5,
      times: 1,
      average: 5,
      last_at: '2026-09-16T07:00:00.000Z',
      last_day: '2026-09-16',
      numbers: [5],
      note: { text: 'x', length: 1 },
      even: false,
    })
    await projector.viewsInclude(await appendTo(mine.store, 'tally-1', ...numberEvents(0)))
    expect(await totalOf('tally-1')).toBeUndefined()
  })

  test('after a restart each event has counted once', async () => {
    const first = mine.project()
    await first.viewsInclude(await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2)))
    await first.close()
    await appendTo(mine.store, 'tally-1', ...numberEvents(3))
    const second = other.project()
    await second.viewsInclude(await appendTo(mine.store, 'tally-2', ...numberEvents(1)))
    expect(await totalOf('tally-1')).toBe(6)
    expect(await timesOf(1)).toBe(2)
  })

  test('a batch that somebody else has counted already takes its rows back with it', async () => {
    await appendTo(mine.store, 'tally-1', ...numberEvents(1, 2))
    const follower = follow(mine.store, null)
    await eventually(() => follower.events.length === 2)
    await follower.close()
    const project = batchProjector(viewTables(schoolDb.database.pool), exampleContext)
    const projector = mine.project()
    await projector.viewsInclude(follower.events.at(-1)!.position)
    await expect(project(follower.events, beginning)).rejects.toThrow(
      'checkpoint views example is no longer at',
    )
    expect(await totalOf('tally-1')).toBe(3)
    expect(await timesOf(1)).toBe(1)
  })

  test('what no view hears is passed all the same', async () => {
    const projector = mine.project([])
    const position = await appendTo(mine.store, 'tally-1', ...numberEvents(1))
    await projector.viewsInclude(position)
    expect(projector.status().position).toBe(position)
    expect(mine.log.lines).toEqual([])
  })

  test('batches of one turn are one read and one write, and one that was written already holds up no other', async () => {
    const { pool } = schoolDb.database
    const contexts = ['left', 'right']
    for (const name of contexts) await checkpointOf(pool, viewsCheckpoint(name))
    const tables = viewTables(pool)
    const hears = { left: talliesView, right: numbersView }
    const project = (from: string, ...numbers: number[]) => {
      const events = recordedEvents(...numberEvents(...numbers))
      return Promise.allSettled(
        Object.entries(hears).map(([name, view]) =>
          batchProjector(tables, { name, views: [view] })(events, from),
        ),
      )
    }
    const asked = jest.spyOn(pool, 'query')
    const [, right] = await project(beginning, 1)
    expect(asked).toHaveBeenCalledTimes(2)
    asked.mockRestore()
    const { value: to } = right as PromiseFulfilledResult<string>
    await moveCheckpoint(pool, { name: viewsCheckpoint('left'), from: to, to: `${to}+` })
    const [late, other] = await project(to, 2)
    expect(late).toMatchObject({ reason: { message: `checkpoint views left is no longer at ${to}` } })
    expect(other).toMatchObject({ status: 'fulfilled' })
    expect(await timesOf(2)).toBe(1)
  })

  test('one process projects, and the others hear of it', async () => {
    const first = mine.project()
    await eventually(() => first.status().active)
    const second = other.project()
    const position = await appendTo(other.store, 'tally-1', ...numberEvents(4))
    await second.viewsInclude(position)
    expect(await totalOf('tally-1')).toBe(4)
    expect(second.status().active).toBe(false)
    expect(other.log.lines).toEqual([])
  })

  test('when the projecting process stops, another takes over', async () => {
    const first = mine.project()
    await eventually(() => first.status().active)
    const second = other.project()
    await first.close()
    await eventually(() => second.status().active)
    await second.viewsInclude(await appendTo(mine.store, 'tally-1', ...numberEvents(4)))
    expect(await totalOf('tally-1')).toBe(4)
  })

  test('when its connection dies, it goes on as soon as it has the lock again, and nothing counts twice', async () => {
    const first = mine.project()
    const second = other.project()
    await eventually(() => first.status().active || second.status().active)
    await first.viewsInclude(await appendTo(mine.store, 'tally-1', ...numberEvents(4)))
    await schoolDb.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'tuckshop locks' and datname = current_database()`,
    )
    const position = await appendTo(mine.store, 'tally-1', ...numberEvents(5))
    await eventually(() =>
      [first, second].some(({ status }) => status().active && status().position >= position),
    )
    expect(await totalOf('tally-1')).toBe(9)
  })

  const poisoned = 'event 0 of stream tally-1 (test.counted.v1) cannot be taken in; see the log'

  test('a step that fails shows in the status, is tried again, and is logged', async () => {
    let broken = true
    const fragile: RowView = {
      ...talliesView,
      evolve: (row, event) => {
        if (broken) throw new Error('no such meal')
        return talliesView.evolve(row, event)
      },
    }
    const projector = mine.project([fragile])
    const position = await appendTo(mine.store, 'tally-1', counted({ number: 6 }))
    await eventually(() => projector.status().failing === poisoned)
    expect(projector.status().lagMs).toBe(60_000)
    await eventually(() => mine.log.lines.length >= 2)
    expect(mine.log.lines[0]).toMatchObject({ level: 'error', details: { follower: 'views example' } })
    broken = false
    await eventually(() => projector.status().position === position)
    expect(projector.status()).toMatchObject({ lagMs: 0, failing: null })
    expect(await totalOf('tally-1')).toBe(6)
  })

  test('a table that is missing shows in the status', async () => {
    const lost = { ...talliesView, table: 'example.nowhere' }
    const projector = mine.project([lost])
    await appendTo(mine.store, 'tally-1', ...numberEvents(1))
    await eventually(() => projector.status().failing === 'database error 42P01; see the log')
  })

  describe('the views of one context fail for ever', () => {
    const broken = { now: true }
    const fragile: RowView = {
      ...talliesView,
      evolve: (row, event) => {
        if (broken.now) throw new Error('no such meal')
        return talliesView.evolve(row, event)
      },
    }
    const contexts = [
      { name: 'tallies', views: [fragile] },
      { name: 'numbers', views: [numbersView] },
    ]
    beforeEach(() => void (broken.now = true))

    test('it stands still and says why, the other goes on, and nobody waits for the one that fails', async () => {
      const projectors = mine.projectContexts(...contexts)
      const first = await appendTo(mine.store, 'tally-1', counted({ number: 6 }))
      await eventually(() => projectors.status().tallies?.failing === poisoned)
      const second = await appendTo(mine.store, 'tally-1', counted({ number: 6 }))
      await projectors.viewsInclude(second)
      expect(await timesOf(6)).toBe(2)
      expect(projectors.status().numbers).toMatchObject({ position: second, failing: null, lagMs: 0 })
      expect(projectors.status().tallies).toMatchObject({ position: beginning, lagMs: 60_000 })
      expect(first < second).toBe(true)
      expect(await totalOf('tally-1')).toBeUndefined()
      expect(mine.log.lines.filter(({ level }) => level === 'warn')).toEqual([])
    })

    test('mended, it takes in what it missed, each event once', async () => {
      const first = mine.projectContexts(...contexts)
      await appendTo(mine.store, 'tally-1', ...numberEvents(6, 5))
      await eventually(() => first.status().tallies?.failing !== null)
      await first.viewsInclude(await appendTo(mine.store, 'tally-1', ...numberEvents(4)))
      await first.close()
      broken.now = false
      const second = other.projectContexts(...contexts)
      await second.viewsInclude(await appendTo(other.store, 'tally-1', ...numberEvents(3)))
      expect(await totalOf('tally-1')).toBe(18)
      expect(await timesOf(4)).toBe(1)
    })

    test('a rebuild of it alone brings it back too, and leaves the other as it is', async () => {
      const projectors = mine.projectContexts(...contexts)
      await appendTo(mine.store, 'tally-1', ...numberEvents(6))
      await eventually(async () => (await timesOf(6)) === 1)
      await schoolDb.database.pool.query('update example.numbers set times = 100')
      broken.now = false
      const needs = { ...other, eventStore: other.store, onProgress: () => undefined }
      await rebuildViews({ ...needs, contexts: [{ name: 'tallies', views: [talliesView] }] })
      const position = await appendTo(mine.store, 'tally-1', ...numberEvents(3))
      await eventually(() => projectors.status().tallies?.position === position)
      expect(await totalOf('tally-1')).toBe(9)
      expect(await timesOf(6)).toBe(100)
    })
  })
})

describe('relieved projector', () => {
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
    const late = batchProjector(viewTables(mine.database.pool), context)
    const events = (await mine.store.read(['tally-1'])).get('tally-1')!
    await checkpointOf(mine.database.pool, 'views example')
    await batchProjector(viewTables(other.database.pool), context)(events, beginning)
    await expect(late(events, beginning)).rejects.toThrow('is no longer at')
    expect(await totalOf('tally-1')).toBe(4)
    expect(events.at(-1)!.position).toBe(position)
  })
})
