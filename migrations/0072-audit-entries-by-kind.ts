import type { Knex } from 'knex'

export const name = '0072-audit-entries-by-kind'

/** The books of one kind, or sorted by kind, newest first. */
export const up = async (knex: Knex): Promise<void> => {
  await knex.raw('create index entries_by_kind on audit.entries (kind, position)')
}
