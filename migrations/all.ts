import type { Knex } from 'knex'

/** One forward step of one context's schema. */
export type Migration = { name: string; up: (knex: Knex) => Promise<void> }

/** Every migration, in the order of its number. */
export const migrations: Migration[] = []
