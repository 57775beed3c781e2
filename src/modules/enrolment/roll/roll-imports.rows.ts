import type { Knex } from 'knex'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { refuse } from '../refusals'
import type { RollFile } from './roll-file.decide'
import type { TouchedChild } from './roll-import.decide'

const nothing: RollFile = { lines: [], errors: [], unread: [] }

/** `plan` is a hash of `planTold`. */
export type RollImport = {
  id: string
  createdAt: Date
  file: RollFile
  plan: string
  appliedAt: Date | null
  done: TouchedChild[] | null
  undoneAt: Date | null
}

export const rollImportRows = (knex: Knex) => {
  const imports = () => knex<RollImport>('enrolment.roll_imports')
  return {
    insert: async ({
      file,
      ...made
    }: Pick<RollImport, 'id' | 'createdAt' | 'file' | 'plan'>): Promise<void> => {
      await imports().insert({ ...made, file: JSON.stringify(file) as never })
    },

    byId: (id: string): Promise<RollImport | undefined> => imports().where({ id }).first(),

    /** One at a time: throws `roll_changed` instead of waiting, which would hold a connection the other may need. */
    lock: async (): Promise<void> => {
      const { rows } = await knex.raw<{ rows: { free: boolean }[] }>(
        `select pg_try_advisory_xact_lock(hashtextextended('identity.roll', 0)) as free`,
      )
      if (!rows[0]?.free)
        throw refuse(
          'roll_changed',
          'Somebody else is changing the roll right now. Please try again in a moment.',
        )
    },

    markApplied: async (id: string, appliedAt: Date, done: readonly TouchedChild[]): Promise<void> => {
      await imports()
        .where({ id })
        .update({ appliedAt, done: JSON.stringify(done) as never, file: JSON.stringify(nothing) as never })
    },

    /** Removes these children from uploads and undo data. */
    forget: async (studentIds: readonly number[]): Promise<void> => {
      await imports().whereNull('appliedAt').delete()
      await knex.raw(
        `update enrolment.roll_imports set done = (
           select coalesce(jsonb_agg(child), '[]') from jsonb_array_elements(done) child
           where not (child->>'id')::int = any(?::int[]))
         where exists (select from jsonb_array_elements(done) child where (child->>'id')::int = any(?::int[]))`,
        [[...studentIds], [...studentIds]],
      )
    },

    markUndone: async (id: string, undoneAt: Date): Promise<void> => {
      await imports().where({ id }).update({ undoneAt })
    },

    last: (): Promise<RollImport | undefined> =>
      imports()
        .whereNotNull('appliedAt')
        .orderBy(['appliedAt', 'id'].map((column) => ({ column, order: 'desc' })))
        .first(),
  }
}

/** While an import can be undone; unused previews help nobody. */
const importsKeptDays = 7

export const importRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'enrolment.roll_imports',
  about: 'Lists of children that the school imports',
  kept: `${importsKeptDays} days after it was applied, 1 day while it is not`,
  remove: deleteUntil(
    pool,
    'enrolment.roll_imports',
    `coalesce("appliedAt", "createdAt" - interval '${importsKeptDays - 1} days') < $1`,
    () => new Date(now().getTime() - importsKeptDays * dayMs),
  ),
})
