import type { RowView } from '#platform/projections/row-view'
import type { Table } from '../../adapters/postgres/tables'

/** The parts of an archive that are no table, by name; a table's part is `table <its name>`. */
export const eventsPart = 'events'
export const chainPart = 'chain'
export const checkpointsPart = 'checkpoints'
export const countersPart = 'counters'

const tablePrefix = 'table '
export const tablePart = (table: string): string => `${tablePrefix}${table}`
export const tableOfPart = (part: string): string | null =>
  part.startsWith(tablePrefix) ? part.slice(tablePrefix.length) : null

/**
 * What is archived in another way or not at all: positions belong to one event store alone, so events, chain and
 * checkpoints name events instead; who is signed in signs in again; who knocked too often may knock again.
 */
const apart = [
  'platform.events',
  'platform.checkpoints',
  'platform.migrations',
  'platform.migrations_lock',
  'platform.sessions',
  'platform.rate_limits',
  'audit.chain',
]

/** The tables that no event can bring back: all but the views and what is told apart above, so a new one is among them. */
export const sourceTables = (tables: readonly Table[], views: readonly RowView[]): Table[] => {
  const others = new Set([...apart, ...views.map(({ table }) => table)])
  return tables.filter(({ name }) => !others.has(name))
}

/** Migrations put a row of settings into these, so that they are not empty in an empty school. */
export const filledFromTheStart: readonly string[] = ['identity.communication', 'cycles.settings']

/** `after` is the last event that the follower has behind it; null for none. */
export type ArchivedCheckpoint = { name: string; after: string | null }
