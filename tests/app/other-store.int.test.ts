import { join } from 'node:path'
import { listStudents } from '#contracts/identity'
import type { EventStore } from '#platform/event-store/event-store'
import type { Module } from '#platform/module'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { backupSchool } from '../../src/app/backup/backup-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { auditSchool } from '../../src/app/commands/audit-school'
import { signIn } from '../../src/app/demo/client'
import type { Infrastructure } from '../../src/app/service/infrastructure'
import { startService } from '../../src/app/service/tuckshop'
import { openFinance, type Finance } from '../audit/finance'
import { order } from '../payments/alternative-canteen'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { emptySchool, type SecondSchool } from '../support/school'
import { logContents, tableContents } from '../support/school-contents'
import { inTheDatabase, ofItsOwn } from '../support/school-events'
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
  const checked = await checkArchive(path, nothing)
  const where = { ...infrastructure, eventStore: to }
  await restoreSchool(where, config, { archive: checked, modules, onProgress: nothing })
}
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
  place = await emptySchool(school.now)
})
afterEach(async () => {
  await place.close()
  await target.close()
  node.stop()
})

test('a backup of the database is restored into EventStoreDB, though cut off in the middle: nothing is sent twice, and the books balance', async () => {
  await place.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
  await expect(restore(place, archive, breaking(target, 7))).rejects.toThrow('The line is cut')
  expect(await logContents(target)).toEqual(log.slice(0, 6))
  const { rowCount } = await place.infrastructure.database.pool.query('select 1 from identity.users')
  expect(rowCount).toBe(0)
  await restore(place, archive)
  // And the one that claims the store.
  expect(node.calls.appends).toBe(log.length + 1)
  expect(await logContents(target)).toEqual(log)
  expect(await tablesOf(place)).toEqual(tables)
  expect(await audit(place)).toMatchObject({ exitCode: 0 })
})

test('restored there it is served from there: orders, books and chain go on, and the way back is refused', async () => {
  await place.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
  await restore(place, archive)
  await expect(place.reopen({})).rejects.toThrow(
    "This school's events are in EventStoreDB: set EVENTSTORE_URL",
  )
  await place.reopen({ EVENTSTORE_URL: node.url() })
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
  const { rows } = await pool.query('select count(*) from audit.chain')
  expect(Number(rows[0].count)).toBeGreaterThan(log.length)
})

test('a backup of EventStoreDB is restored into a database: the same school', async () => {
  await place.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
  await restore(place, archive)
  const second = join(place.dataDir, 'from there.gz')
  await backup(place, second, node.url())
  const back = await emptySchool(school.now)
  await restore(back, second)
  expect(await logContents(back.infrastructure.eventStore)).toEqual(log)
  expect(await audit(back)).toMatchObject({ exitCode: 0 })
  expect(await tablesOf(back)).toEqual(tables)
  await back.close()
})

test('a store that holds other events is left alone', async () => {
  const [first] = log as [{ stream: string }]
  const metadata = {
    actor: 'user:1',
    correlationId: 'c',
    causationId: 'c',
    at: '2026-09-14T05:00:00.000Z',
    schemaVersion: 1,
  }
  const id = '00000000-0000-4000-8000-000000000001'
  const other = { id, type: 'ordering.other.v1', data: {}, metadata }
  await target.append([{ stream: first.stream, expectedRevision: -1, events: [other] }])
  await place.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
  await expect(restore(place, archive)).rejects.toThrow(
    /^The event store holds other events than this school's: event 00000000-0000/,
  )
  expect(await logContents(target)).toHaveLength(1)
})

test('a school whose events are in its database is not opened with an address of EventStoreDB', async () => {
  await restore(place, archive)
  await expect(place.reopen({ EVENTSTORE_URL: node.url() })).rejects.toThrow(
    "This school's events are in its database, not at EVENTSTORE_URL",
  )
  await place.reopen({})
})

const real = process.env.EVENTSTORE_TEST_URL ?? ''
if (real === '')
  test.skip('restoring into a real EventStoreDB: EVENTSTORE_TEST_URL is not set', () => undefined)
else
  test('into the EventStoreDB at EVENTSTORE_TEST_URL too, cut off and begun again', async () => {
    const url = ofItsOwn(real)
    await place.reopen({ EVENTSTORE_URL: url }, 'restore')
    const cut = breaking(place.infrastructure.eventStore, 5)
    await expect(restore(place, archive, cut)).rejects.toThrow('The line is cut')
    await restore(place, archive)
    expect(await logContents(place.infrastructure.eventStore)).toEqual(log)
    expect(await audit(place)).toMatchObject({ exitCode: 0 })
  })
