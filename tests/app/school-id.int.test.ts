import { join } from 'node:path'
import { schoolOf } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { backupSchool } from '../../src/app/backup/backup-school'
import { checkArchive, restoreSchool } from '../../src/app/backup/restore-school'
import { startService } from '../../src/app/service/tuckshop'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { numberEvents, appendTo } from '../support/projecting'
import { emptySchool, type SecondSchool } from '../support/school'
import { silentLog } from '../support/start-postgres'

const now = () => new Date('2026-09-16T05:00:00.000Z')
const nothing = () => undefined

let node: EsdbNode
let store: EventStore
const places: SecondSchool[] = []

beforeEach(async () => {
  node = await startNode()
  store = await openEventStore(node.url(), silentLog)
})
afterEach(async () => {
  await Promise.all(places.splice(0).map(({ close }) => close()))
  await store.close()
  node.stop()
})

/** A school that was started once with its events at that address ('' for its database). */
const startedSchool = async (url: string) => {
  const place = await emptySchool(now, { EVENTSTORE_URL: url })
  places.push(place)
  const environment = { log: silentLog, now, webRoot: null, demo: false }
  const service = await startService(place.infrastructure, { ...place.config, PORT: 0 }, environment)
  await service.stop()
  return place
}

const idOf = ({ infrastructure }: SecondSchool) => schoolOf(infrastructure.database.pool)
const uuid = /^[0-9a-f-]{36}$/
const anEvent = (in_ = store) => appendTo(in_, 'mealSlot-1.20260916', ...numberEvents(1))

describe('whose events these are', () => {
  test('at its first start a school gets its id, in its database and in its event store', async () => {
    const school = await startedSchool(node.url())
    const id = await idOf(school)
    expect(id).toMatch(uuid)
    expect(await store.school()).toBe(id)
    await school.reopen({ EVENTSTORE_URL: node.url() })
    expect(await idOf(school)).toBe(id)
  })

  test('with its events in its database it has one too', async () => {
    const school = await startedSchool('')
    expect(await school.infrastructure.eventStore.school()).toBe(await idOf(school))
  })

  test('a fresh database and the events of another school: refused, and both are named', async () => {
    const id = await idOf(await startedSchool(node.url()))
    await expect(startedSchool(node.url())).rejects.toThrow(
      `There is no school in the database at DATABASE_URL, and the event store at esdb://127.0.0.1:${node.port()} holds the events of school ${id}: set DATABASE_URL (or DATA_DIR) and EVENTSTORE_URL to where one and the same school is.`,
    )
  })

  test('two schools, one event store: the second is refused by every command and by the service', async () => {
    const other = await startNode()
    const [first, second] = [await startedSchool(node.url()), await startedSchool(other.url())]
    const refused = `The school in the database at DATABASE_URL is ${await idOf(second)}, and the event store at esdb://127.0.0.1:${node.port()} is of school ${await idOf(first)}: `
    for (const opening of ['school', 'service'] as const)
      await expect(second.reopen({ EVENTSTORE_URL: node.url() }, opening)).rejects.toThrow(refused)
    await second.reopen({ EVENTSTORE_URL: other.url() })
    other.stop()
  })

  test('events without an id are nobody’s: a fresh database does not take them', async () => {
    await anEvent()
    await expect(startedSchool(node.url())).rejects.toThrow(
      /^The school in the database at DATABASE_URL has none, and the event store at esdb:\S+ has events that begin with [0-9a-f-]{36} and no school's id: set/,
    )
    expect(await store.school()).toBeNull()
  })

  test('a school from before ids were kept keeps its events, and gets an id', async () => {
    const other = await startNode()
    const school = await startedSchool(other.url())
    other.stop()
    const position = await anEvent()
    const { pool } = school.infrastructure.database
    const [event] = (await store.read(['mealSlot-1.20260916'])).get('mealSlot-1.20260916')!
    await pool.query('insert into audit.chain (number, position, event_id, hash) values (1, $1, $2, $3)', [
      position,
      event!.id,
      'x',
    ])
    await pool.query('delete from platform.school')
    await school.reopen({ EVENTSTORE_URL: node.url() })
    expect(await idOf(school)).toMatch(uuid)
    expect(await store.school()).toBe(await idOf(school))
  })

  test('an event store that lost its events is refused', async () => {
    const school = await startedSchool(node.url())
    await school.infrastructure.database.pool.query(
      "insert into audit.chain (number, position, event_id, hash) values (1, '1', '00000000-0000-4000-8000-000000000001', 'x')",
    )
    const empty = await startNode()
    await expect(school.reopen({ EVENTSTORE_URL: empty.url() })).rejects.toThrow(
      /has events that begin with 00000000-0000-4000-8000-000000000001, and the event store at \S+ has none and no school's id/,
    )
    empty.stop()
    await school.reopen({ EVENTSTORE_URL: node.url() })
  })
})

const archiveOf = async (from: SecondSchool) => {
  const path = join(from.dataDir, 'school.tuckshop.gz')
  await backupSchool(
    from.infrastructure,
    { SCHOOL_NAME: 'School', EVENTSTORE_URL: from.config.EVENTSTORE_URL },
    { path, modules: from.modules, now, onProgress: nothing },
  )
  return path
}
const restore = async (place: SecondSchool, path: string) => {
  const archive = await checkArchive(path, nothing)
  await restoreSchool(place.infrastructure, place.config, {
    archive,
    modules: place.modules,
    onProgress: nothing,
  })
}
const emptyPlace = async () => {
  const place = await emptySchool(now)
  places.push(place)
  return place
}

describe('it goes where the school goes', () => {
  test('backup and restore carry it over, into a database and into an event store', async () => {
    const school = await startedSchool('')
    const path = await archiveOf(school)
    const [one, two] = [await emptyPlace(), await emptyPlace()]
    await restore(one, path)
    expect(await idOf(one)).toBe(await idOf(school))
    await two.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
    await restore(two, path)
    expect(await idOf(two)).toBe(await idOf(school))
    expect(await store.school()).toBe(await idOf(school))
    await two.reopen({ EVENTSTORE_URL: node.url() }, 'school')
  })

  test('an archive is not restored into the event store of another school', async () => {
    const path = await archiveOf(await startedSchool(''))
    const other = await startedSchool(node.url())
    const place = await emptyPlace()
    await place.reopen({ EVENTSTORE_URL: node.url() }, 'restore')
    await expect(restore(place, path)).rejects.toThrow(
      new RegExp(
        `^The archive \\S+ .* is of school \\S+, and the event store is of school ${await idOf(other)}\\.$`,
      ),
    )
  })
})
