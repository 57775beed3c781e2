import type { Knex } from 'knex'
import { staffGrade, type RollChild } from './student.decide'

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

/** What the school writes about a child, whether an account has it or not; without merged entries and staff. */
export const rollChildRows = (knex: Knex) => {
  const children = () =>
    knex<RollChild>('identity.students')
      .select(...columns)
      .where({ mergedInto: null } as object)
      .whereNot('grade', staffGrade)
      .orderBy('id')
  return {
    all: (): Promise<RollChild[]> => children(),

    lockAll: (): Promise<RollChild[]> => children().forUpdate(),

    atSchool: (): Promise<RollChild[]> => children().where({ leftAt: null }),

    lockAtSchool: (): Promise<RollChild[]> => children().where({ leftAt: null }).forUpdate(),

    lockByIds: (ids: readonly number[]): Promise<RollChild[]> =>
      children()
        .whereRaw('id = any(?::int[])', [[...ids]])
        .forUpdate(),

    byIds: (ids: readonly number[]): Promise<RollChild[]> => children().whereIn('id', [...ids]),

    insert: async (rows: readonly Omit<RollChild, 'id'>[]): Promise<number[]> => {
      if (rows.length === 0) return []
      const { rows: made } = await knex.raw<{ rows: { id: number }[] }>(
        `insert into identity.students (${rest.map(quoted).join(', ')})
         select ${rest.map(quoted).join(', ')} from ${recordset(rest)} returning id`,
        [JSON.stringify(rows)],
      )
      return made.map(({ id }) => id)
    },

    update: async (rows: readonly RollChild[]): Promise<void> => {
      if (rows.length === 0) return
      await knex.raw(
        `update identity.students child set ${rest.map((name) => `${quoted(name)} = wanted.${quoted(name)}`).join(', ')}
         from ${recordset(columns)} where wanted.id = child.id`,
        [JSON.stringify(rows)],
      )
    },

    setPlaces: async (
      places: readonly Pick<RollChild, 'id' | 'grade' | 'class' | 'leftAt'>[],
    ): Promise<void> => {
      await knex.raw(
        `update identity.students child set grade = wanted.grade, class = wanted.class, "leftAt" = wanted."leftAt"
         from ${recordset(['id', 'grade', 'class', 'leftAt'])} where wanted.id = child.id`,
        [JSON.stringify(places)],
      )
    },

    /** By the id of a merged entry, the child that it is now. */
    aliasesOf: async (ids: readonly number[]): Promise<Map<number, number>> => {
      const { rows } = await knex.raw<{ rows: { id: number; child: number }[] }>(
        `select id, "mergedInto" as child from identity.students where "mergedInto" = any(?::int[])`,
        [[...ids]],
      )
      return new Map(rows.map(({ id, child }) => [id, child]))
    },

    /** Children without an account; a second guardian becomes the first. */
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
    },

    remove: async (ids: readonly number[]): Promise<void> => {
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
