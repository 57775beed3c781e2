import type { Pool } from 'pg'
import { readLog, type EventStore, type RecordedEvent } from '#platform/event-store/event-store'
import { inSnapshot, tableRows, tablesOf } from '../../src/adapters/postgres/tables'

/** Not the same in two places that hold the same school, and not meant to be. */
const ofThePlace = /^(platform\.|identity\.sessions$)/

/** Every row of every table, as text by table; positions, which only one store understands, left out. */
export const tableContents = (pool: Pool): Promise<Record<string, string[]>> =>
  inSnapshot(pool, async (snapshot) => {
    const contents: Record<string, string[]> = {}
    for (const table of await tablesOf(snapshot)) {
      if (ofThePlace.test(table.name)) continue
      contents[table.name] = []
      for await (const rows of tableRows(snapshot, table))
        contents[table.name]!.push(...rows.map((row) => row.replace(/"position":"[^"]*",?/, '')))
    }
    return contents
  })

/** Every event in its order, without its position. */
export const logContents = async (eventStore: EventStore) => {
  const events: Omit<RecordedEvent, 'position'>[] = []
  await readLog(eventStore, await eventStore.end(), 500, async (batch) => {
    for (const { id, stream, revision, type, data, metadata } of batch)
      events.push({ id, stream, revision, type, data, metadata })
  })
  return events
}
