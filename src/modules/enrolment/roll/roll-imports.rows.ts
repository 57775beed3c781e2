import type { Knex } from 'knex'
import type { Account } from '#modules/identity/published'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { refuse } from '../refusals'
import type { RollFile } from './roll-file.decide'
import type { TouchedChild } from './roll-import.decide'
import type { RollChild } from './roll-plan.decide'

export type RollAccount = Pick<Account, 'id' | 'name' | 'username' | 'email' | 'emailVerifiedAt'>

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

const columns = [
  'id',
  'userId',
  'name',
  'grade',
  'class',
  'admissionNumber',
  'guardianName',
  'guardianEmail',
  'guardianPhone',
  'onRollSince',
  'leftAt',
] as const

export const rollImportRows = (knex: Knex) => {
  const imports = () => knex<RollImport>('enrolment.roll_imports')
  const children = () =>
    knex<RollChild>('identity.students')
      .select(...columns)
      .where({ mergedInto: null } as object)
      .whereNot('grade', 'teacher')
      .orderBy('id')
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

    children: (): Promise<RollChild[]> => children(),

    lockChildren: (): Promise<RollChild[]> => children().forUpdate(),

    insertChildren: async (rows: readonly Omit<RollChild, 'id'>[]): Promise<number[]> => {
      if (rows.length === 0) return []
      const { rows: made } = await knex.raw<{ rows: { id: number }[] }>(
        `insert into identity.students (${rest.map(quoted).join(', ')})
         select ${rest.map(quoted).join(', ')} from ${recordset(rest)} returning id`,
        [JSON.stringify(rows)],
      )
      return made.map(({ id }) => id)
    },

    updateChildren: async (rows: readonly RollChild[]): Promise<void> => {
      if (rows.length === 0) return
      await knex.raw(
        `update identity.students child set ${rest.map((name) => `${quoted(name)} = wanted.${quoted(name)}`).join(', ')}
         from ${recordset(columns)} where wanted.id = child.id`,
        [JSON.stringify(rows)],
      )
    },

    byIds: (ids: readonly number[]): Promise<RollChild[]> => children().whereIn('id', [...ids]),

    aliasesOf: async (ids: readonly number[]): Promise<Map<number, number>> => {
      const { rows } = await knex.raw<{ rows: { id: number; child: number }[] }>(
        `select id, "mergedInto" as child from identity.students where "mergedInto" = any(?::int[])`,
        [[...ids]],
      )
      return new Map(rows.map(({ id, child }) => [id, child]))
    },

    giveTo: async (userId: number, ids: readonly number[]): Promise<void> => {
      await knex.raw(
        `update identity.students set "userId" = ?, "guardianName" = null, "guardianEmail" = null, "guardianPhone" = null
         where (id = any(?::int[]) or "mergedInto" = any(?::int[])) and "userId" is null`,
        [userId, [...ids], [...ids]],
      )
      await knex('identity.guardians')
        .where({ userId })
        .whereIn('studentId', [...ids])
        .delete()
      await knex('enrolment.claim_codes')
        .whereIn('studentId', [...ids])
        .delete()
    },

    accountsOf: async (userIds: readonly number[]): Promise<Map<number, RollAccount>> => {
      const users = await knex<RollAccount>('identity.users')
        .select('id', 'name', 'username', 'email', 'emailVerifiedAt')
        .whereIn('id', [...new Set(userIds)])
      return new Map(users.map((user) => [user.id, user]))
    },

    removeChildren: async (ids: readonly number[]): Promise<void> => {
      await knex('identity.students')
        .whereIn('id', [...ids])
        .delete()
    },
  }
}

const rest = columns.filter((name) => name !== 'id')
const quoted = (name: string): string => `"${name}"`
const typeOf = (name: string): string => {
  if (name === 'id' || name === 'userId') return 'int'
  return name === 'onRollSince' || name === 'leftAt' ? 'timestamptz' : 'text'
}
const recordset = (names: readonly string[]): string =>
  `jsonb_to_recordset(?::jsonb) as wanted (${names.map((name) => `${quoted(name)} ${typeOf(name)}`).join(', ')})`

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
