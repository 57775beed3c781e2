import type { Pool } from 'pg'
import { inSnapshot, tableRows, tablesOf } from '../../src/adapters/postgres/tables'
import type { Infrastructure } from '../../src/app/service/infrastructure'
import { logContents } from '../support/school-contents'
import type { Broken } from './kept-promises'

/** Every event, and every row of every table, as text. */
export type SchoolContents = { events: readonly string[]; tables: Record<string, readonly string[]> }

// Positions, and what is of the place and not of the school.
const ofThePlace = new Set([
  'identity.sessions',
  'platform.checkpoints',
  'platform.events',
  'platform.maintenance',
  'platform.migrations',
  'platform.migrations_lock',
  'platform.rate_limits',
])

export const schoolContents = async ({
  database,
  eventStore,
}: Pick<Infrastructure, 'database' | 'eventStore'>): Promise<SchoolContents> => ({
  events: (await logContents(eventStore)).map((event) => JSON.stringify(event)),
  tables: await tablesIn(database.pool),
})

const tablesIn = (pool: Pool) =>
  inSnapshot(pool, async (snapshot) => {
    const tables: Record<string, string[]> = {}
    for (const table of await tablesOf(snapshot)) {
      if (ofThePlace.has(table.name)) continue
      const rows: string[] = []
      for await (const page of tableRows(snapshot, table))
        rows.push(...page.map((row) => row.replace(/"position":"[^"]*",?/, '')))
      tables[table.name] = rows
    }
    return tables
  })

/** What a restored school lacks of what was there, or has beyond it, in sentences. */
export const restoredDiffers = (there: SchoolContents, restored: SchoolContents): Broken => {
  const tables = [...new Set([...Object.keys(there.tables), ...Object.keys(restored.tables)])]
  return [
    ...differing('events', there.events, restored.events),
    ...tables.flatMap((name) => differing(name, there.tables[name] ?? [], restored.tables[name] ?? [])),
  ]
}

const differing = (what: string, there: readonly string[], restored: readonly string[]): Broken => {
  const [were, are] = [new Set(there), new Set(restored)]
  const lost = there.filter((row) => !are.has(row))
  const added = restored.filter((row) => !were.has(row))
  return [
    ...(lost.length > 0
      ? [`${what}: ${lost.length} were there and are not restored, such as ${lost[0]}`]
      : []),
    ...(added.length > 0 ? [`${what}: ${added.length} were not there before, such as ${added[0]}`] : []),
  ]
}
