import { appendChanges } from '#modules/audit/changes/append-changes.commands'
import { recordChanges } from '#platform/changes'
import type { EventStore } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { logContents } from '../support/school-contents'
import { standIn } from '../support/stand-ins'

let fresh: TestDatabase
beforeAll(async () => {
  fresh = await testDatabase()
})
afterAll(() => fresh.close())

/** Streams that are appended at once may be stored in any order: EventStoreDB has one call for each. */
const anyOrder = (store: EventStore): EventStore => ({
  ...store,
  append: (appends) => store.append(appends.toReversed()),
})

test('changes of one moment are in the history in the order in which they were made', async () => {
  const { knex } = fresh.database
  const by = { actor: 'superadmin', correlationId: 'test', at: new Date('2026-09-14T07:00:00Z') }
  const made = Array.from({ length: 20 }, (_, at) => `Change ${at + 1}`)
  await knex.transaction((transaction) =>
    recordChanges(
      transaction,
      by,
      made.map((what) => ({ kind: 'settings', what, old: null, new: null })),
    ),
  )
  const store = memoryEventStore()
  await appendChanges(standIn({ database: fresh.database, eventStore: anyOrder(store) })).run()
  const told = (await logContents(store)).map(({ data }) => (data as { what: string }).what)
  expect(told).toEqual(made)
  expect(await knex('platform.changes')).toEqual([])
})
