import { type EventStore, beginning } from '#platform/event-store/event-store'
import type { Locks } from '#platform/ports'
import { followersOutage } from '#platform/projections/follow-events'
import { startProjectors } from '#platform/projections/projector'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { postgresLocks } from '../../src/adapters/postgres/locks'
import { heardLog } from '../support/captured-log'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { type TestDatabase, type StoreProcess, testDatabase, storeProcess } from '../support/postgres'
import {
  appendTo,
  createExampleTables,
  exampleContext,
  numberEvents,
  aMinuteLater,
} from '../support/projecting'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { noted } from '../support/recorded-events'

let schoolDb: TestDatabase
let server: StoreProcess
let locks: Locks
let node: EsdbNode
let eventStore: EventStore

const log = heardLog()
const onOutage = followersOutage(log)

beforeAll(async () => {
  schoolDb = await testDatabase()
  await createExampleTables(schoolDb.database.pool)
  server = await storeProcess(schoolDb.url)
  locks = postgresLocks({ pool: server.database.pool })
  node = await startNode()
  eventStore = await openEventStore(node.url(), log, { streams: ['tally-'] })
})
afterAll(async () => {
  await eventStore.close()
  node.stop()
  await locks.close()
  await server.close()
  await schoolDb.close()
})

test('views over EventStoreDB count every event once, through drops and a restart, and a rebuild makes the same', async () => {
  const needs = { ...server, eventStore, locks, log, onOutage, now: aMinuteLater, contexts: [exampleContext] }
  const projector = startProjectors(needs)
  let position = beginning
  for (let round = 0; round < 20; round += 1) {
    position = await appendTo(eventStore, `tally-${round % 4}`, ...numberEvents(1, 2), noted({ text: 'a' }))
    if (round % 5 === 0) node.dropSubscriptions()
    if (round === 12) {
      node.stop()
      await node.start()
    }
  }
  await projector.viewsInclude(position)
  const { rows } = await schoolDb.database.pool.query(
    'select number, times from example.numbers order by number',
  )
  expect(rows).toEqual([
    { number: 1, times: 20 },
    { number: 2, times: 20 },
  ])
  expect(projector.status().example).toMatchObject({ position, failing: null })
  await expectRebuildEqualsLive(needs)
  await projector.close()
})

test('away for longer than calls are repeated: the projector says so, and catches up from its checkpoint', async () => {
  const hasty = await openEventStore(node.url(), log, {
    streams: ['tally-'],
    retryPolicy: { callMs: 500, totalMs: 500 },
  })
  const needs = {
    ...server,
    eventStore: hasty,
    locks,
    log,
    onOutage,
    now: aMinuteLater,
    contexts: [exampleContext],
  }
  const projector = startProjectors(needs)
  await projector.viewsInclude(await appendTo(eventStore, 'tally-9', ...numberEvents(7)))
  const { position } = projector.status().example!
  node.stop()
  await eventually(() => projector.status().example!.failing !== null)
  expect(projector.status().example!.position).toBe(position)
  await node.start()
  const last = await appendTo(eventStore, 'tally-9', ...numberEvents(7, 7))
  await eventually(() => projector.status().example!.position === last)
  expect(projector.status().example!.failing).toBeNull()
  const { rows } = await schoolDb.database.pool.query('select times from example.numbers where number = 7')
  expect(rows).toEqual([{ times: 3 }])
  await projector.close()
  await hasty.close()
})
