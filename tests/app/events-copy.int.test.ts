import { join } from 'node:path'
import { auditSchool } from '../../src/app/commands/audit-school'
import { backupSchool } from '../../src/app/backup/backup-school'
import { copySchool } from '../../src/app/backup/copy-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { signIn } from '../../src/app/demo/client'
import { startService } from '../../src/app/service/tuckshop'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { listStudents } from '#contracts/identity'
import type { Infrastructure } from '../../src/app/service/infrastructure'
import type { EventStore } from '#platform/event-store/event-store'
import type { Module } from '#platform/module'
import { openFinance, type Finance } from '../audit/finance'
import { order } from '../payments/alternative-canteen'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { logContents, tableContents } from '../support/school-contents'
import { inTheDatabase, ofItsOwn } from '../support/school-events'
import { emptySchool, type SecondSchool } from '../support/second-school'
import { silentLog } from '../support/start-postgres'

let school: Finance
let archive: string
let log: unknown[]
let tables: Record<string, string[]>
let place: SecondSchool
let node: EsdbNode
let target: EventStore

const nothing = () => undefined
const backup = (from: { infrastructure: Infrastructure; modules: Module[] }, path: string, url?: string) =>
  backupSchool(
    from.infrastructure,
    { SCHOOL_NAME: 'Lusaka Test School', EVENTSTORE_URL: url },
    { path, modules: from.modules, now: school.now, onProgress: nothing },
  )
const restore = async (
  { infrastructure, config, modules }: SecondSchool,
  path: string,
  to = infrastructure.eventStore,
) => {
  const archive = await checkArchive(path, nothing)
  const where = { ...infrastructure, eventStore: to }
  await restoreSchool(where, config, { archive, modules, onProgress: nothing })
}
const copy = (switchOver = false, to = target) =>
  copySchool(place.infrastructure, to, { modules: place.modules, switchOver, onProgress: nothing })
const audit = (of: SecondSchool) =>
  auditSchool(of.infrastructure, of.config, {
    log: silentLog,
    now: school.now,
    against: null,
    onProgress: nothing,
  })

/** All tables but the audits' results, to which each audit here adds. */
const tablesOf = async ({ infrastructure }: { infrastructure: Infrastructure }) => {
  const { 'audit.runs': _runs, ...others } = await tableContents(infrastructure.database.pool)
  return others
}

/** A store that breaks before the append of that number. */
const breaking = (store: EventStore, at: number): EventStore => {
  let appends = 0
  return {
    ...store,
    append: (events) =>
      ++appends === at ? Promise.reject(new Error('The line is cut')) : store.append(events),
  }
}

beforeAll(async () => {
  school = await openFinance(inTheDatabase)
  await school.settled()
  archive = join(school.dataDir, 'school.tuckshop.gz')
  await backup(school, archive)
  log = await logContents(school.infrastructure.eventStore)
  tables = await tablesOf(school)
})
afterAll(() => school.close())

beforeEach(async () => {
  node = await startNode()
  target = await openEventStore(node.url(), silentLog)
})
afterEach(async () => {
  await target.close()
  node.stop()
})

describe('from the database to EventStoreDB', () => {
  beforeAll(async () => {
    place = await emptySchool(school.now)
    await restore(place, archive)
  })
  afterAll(() => place.close())

  test('all events are there in their order, and here nothing has changed', async () => {
    expect(await copy()).toEqual({
      exitCode: 0,
      lines: [
        expect.stringMatching(
          new RegExp(`^${log.length} events in \\d+ streams are there, each the same as here\\.$`),
        ),
        'This school still is here: with --switch, and the service stopped, it moves there.',
      ],
    })
    expect(await logContents(target)).toEqual(log)
    expect(await audit(place)).toMatchObject({ exitCode: 0 })
  })

  const real = process.env.EVENTSTORE_TEST_URL ?? ''
  if (real === '')
    test.skip('copying to a real EventStoreDB: EVENTSTORE_TEST_URL is not set', () => undefined)
  else
    test('on the EventStoreDB at EVENTSTORE_TEST_URL too, cut off and begun again', async () => {
      const there = await openEventStore(ofItsOwn(real), silentLog)
      await expect(copy(false, breaking(there, 5))).rejects.toThrow('The line is cut')
      expect((await copy(false, there)).exitCode).toBe(0)
      expect(await logContents(there)).toEqual(log)
      await there.close()
    })

  test('cut off in the middle and begun again, nothing is there twice and nothing is sent twice', async () => {
    await expect(copy(false, breaking(target, 5))).rejects.toThrow('The line is cut')
    expect(await logContents(target)).toEqual(log.slice(0, 4))
    expect((await copy()).exitCode).toBe(0)
    expect((await copy()).exitCode).toBe(0)
    expect(await logContents(target)).toEqual(log)
    // And the one that claims the store.
    expect(node.calls.appends).toBe(log.length + 1)
  })

  test('what is not the same there is told in words', async () => {
    await copy()
    const [first] = node.log.stream((log[0] as { stream: string }).stream)!
    Object.assign(first!, { data: Buffer.from('{"changed":true}') })
    const { lines, exitCode } = await copy(true)
    expect(exitCode).toBe(1)
    expect(lines).toEqual([
      'The copy is not the same as the original: 1 found.',
      expect.stringMatching(/^- Event 0 of stream paymentAttempt-\S+ \(\S+, \S+\) has other data there\.$/),
    ])
    // It stays where it is.
    expect(await audit(place)).toMatchObject({ exitCode: 0 })
  })

  test('a store that holds another school is left alone', async () => {
    const [other] = log as [{ stream: string }]
    await target.append([
      {
        stream: other.stream,
        expectedRevision: -1,
        events: [
          {
            id: '00000000-0000-4000-8000-000000000001',
            type: 'ordering.other.v1',
            data: {},
            metadata: {
              actor: 'user:1',
              correlationId: 'c',
              causationId: 'c',
              at: '2026-09-14T05:00:00.000Z',
              schemaVersion: 1,
            },
          },
        ],
      },
    ])
    const { lines, exitCode } = await copy(true)
    expect(exitCode).toBe(1)
    expect(lines[1]).toMatch(/^- The event store holds other events than this school's: event 00000000-0000/)
    expect(await logContents(target)).toHaveLength(1)
  })

  test('while it is served it does not move', async () => {
    const lock = await place.infrastructure.locks.tryAcquire('views audit')
    await expect(copy(true)).rejects.toThrow('The service is running on this database: stop it')
    await lock?.end()
  })

  test('without a move, an address of EventStoreDB is refused', async () => {
    await expect(place.reopen({ EVENTSTORE_URL: node.url() })).rejects.toThrow(
      "This school's events are in its database, not at EVENTSTORE_URL",
    )
    await place.reopen({})
  })

  test('moved, it is served from there: orders, books and chain go on, and the way back is refused', async () => {
    const { lines } = await copy(true)
    expect(lines[1]).toMatch(/^The school is there from now on/)
    await expect(place.reopen({})).rejects.toThrow(
      "This school's events are in EventStoreDB: set EVENTSTORE_URL",
    )
    await place.reopen({ EVENTSTORE_URL: node.url() })
    expect(await tablesOf(place)).toEqual(tables)
    expect(await audit(place)).toMatchObject({ exitCode: 0 })

    const environment = { log: silentLog, now: school.now, webRoot: null, demo: false }
    const service = await startService(place.infrastructure, { ...place.config, PORT: 0 }, environment)
    const natasha = await signIn(service.url, 'natasha', 'parent-password')
    const [child] = await natasha.call(listStudents)
    await order(natasha, [school.porridgeFor(child!, 4)])
    const { pool } = place.infrastructure.database
    const { position } = await place.infrastructure.eventStore.end()
    await eventually(async () => {
      const { rows } = await pool.query('select position from platform.checkpoints where name = $1', [
        'audit-chain',
      ])
      return rows[0].position === position
    })
    await service.stop()
    expect(await audit(place)).toMatchObject({ exitCode: 0 })
    expect(Number((await pool.query('select count(*) from audit.chain')).rows[0].count)).toBeGreaterThan(
      log.length,
    )
  })
})

describe('an archive and EventStoreDB', () => {
  beforeAll(async () => {
    place = await emptySchool(school.now)
  })
  afterAll(() => place.close())

  test('restored there though cut off in the middle, and from there into a database: the same school', async () => {
    await place.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
    await expect(restore(place, archive, breaking(target, 7))).rejects.toThrow('The line is cut')
    const { rowCount } = await place.infrastructure.database.pool.query('select 1 from identity.users')
    expect(rowCount).toBe(0)
    await restore(place, archive)
    expect(node.calls.appends).toBe(log.length + 1)
    expect(await logContents(target)).toEqual(log)
    expect(await tablesOf(place)).toEqual(tables)
    expect(await audit(place)).toMatchObject({ exitCode: 0 })

    // And on to a database again.
    const second = join(place.dataDir, 'from there.gz')
    await backup(place, second, node.url())
    const back = await emptySchool(school.now)
    await restore(back, second)
    expect(await logContents(back.infrastructure.eventStore)).toEqual(log)
    expect(await audit(back)).toMatchObject({ exitCode: 0 })
    expect(await tablesOf(back)).toEqual(tables)
    await back.close()
  })
})
