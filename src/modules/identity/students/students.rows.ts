import type { Knex } from 'knex'
import { classKey } from '#contracts/cycles'
import type { HeldStudent, Student as StudentReply } from '#contracts/identity'
import { classNamed } from '#contracts/names'
import type { Reader } from '#platform/database'
import { versionOf } from '#platform/versions'
import { refuse } from '../refusals'
import { entriesOf } from './guardians.rows'
import { isClaimed, staffGrade, type ClaimedStudent, type RollChild, type Student } from './student.decide'

const columns = ['id', 'userId', 'name', 'grade', 'class', 'admissionNumber'] as const

export type StudentRow = RollChild & { mergedInto: number | null }

export const asHeldStudent = (student: Student): HeldStudent => ({
  ...asStudent({ ...student, userId: 0 }),
  parent_id: student.userId,
  parentId: student.userId,
})

/** The spec uses two names for the parent. */
export const asStudent = (student: ClaimedStudent): StudentReply => ({
  id: student.id,
  name: student.name,
  grade: student.grade as StudentReply['grade'],
  class: student.class,
  admissionNumber: student.admissionNumber,
  parent_id: student.userId,
  parentId: student.userId,
  version: versionOf(studentRecord(student.id), studentShown(student)),
})

type ShownStudent = Pick<Student, 'name' | 'grade' | 'class' | 'admissionNumber'>

/** What versions of a child are of, and what its forms show. */
export const studentRecord = (id: number): string => `child:${id}`
export const studentShown = ({
  name,
  grade,
  class: inClass,
  admissionNumber,
}: ShownStudent): ShownStudent => ({
  name,
  grade,
  class: inClass,
  admissionNumber,
})

export const studentRows = (knex: Knex) => {
  const students = () => knex<StudentRow>('identity.students')
  return {
    byId: (id: number): Promise<Student | undefined> =>
      students()
        .select(...columns)
        .where({ id, mergedInto: null })
        .first(),

    /** Resolves a merge; locked against deletion. */
    hold: (id: number): Promise<Student | undefined> =>
      students()
        .select(...columns)
        .where('id', students().where({ id }).select(knex.raw('coalesce("mergedInto", id)')))
        .forShare()
        .first(),

    ofUser: (userId: number): Promise<ClaimedStudent[]> =>
      students()
        .select(...columns)
        .where({ userId, mergedInto: null })
        .orderBy('id')
        .then(claimed),

    ofUsers: (userIds: readonly number[]): Promise<ClaimedStudent[]> =>
      students()
        .select(...columns)
        .whereIn('userId', [...userIds])
        .where({ mergedInto: null })
        .orderBy('id')
        .then(claimed),

    /** Oldest first, without departed ones. */
    ofGuardian: (userId: number): Promise<ClaimedStudent[]> =>
      students()
        .select(...columns)
        .where({ mergedInto: null, leftAt: null })
        .whereRaw(`id in (${entriesOf(':userId')})`, { userId })
        .orderBy('id')
        .then(claimed),

    /** All ids with orders, also merged and departed. */
    idsOfUser: (userId: number): Promise<number[]> => students().where({ userId }).orderBy('id').pluck('id'),

    namesOfUser: (userId: number): Promise<string[]> => students().where({ userId }).pluck('name'),

    /** At most 500. */
    classes: async (): Promise<string[]> => {
      const here = students().where({ mergedInto: null, leftAt: null }).whereNotNull('class')
      return namesOfClasses(await here.distinct('class').limit(500).pluck<string[]>('class'))
    },

    insert: (
      student: Pick<ClaimedStudent, 'userId' | 'name' | 'grade'> & Partial<StudentRow>,
    ): Promise<ClaimedStudent> =>
      students()
        .insert(student)
        .returning([...columns])
        .then((rows) => claimed(rows)[0]!),

    insertStaffEntry: async (userId: number, name: string): Promise<void> => {
      await students().insert({ userId, name, grade: staffGrade }).onConflict().ignore()
    },

    renameStaffEntry: async (userId: number, name: string): Promise<void> => {
      await students().where({ userId, grade: staffGrade }).update({ name })
    },

    rowOf: (id: number): Promise<StudentRow | undefined> => students().where({ id }).first(),

    lock: (id: number): Promise<Student | undefined> =>
      students()
        .select(...columns)
        .where({ id, mergedInto: null })
        .forUpdate()
        .first(),

    lockRows: async (id: number, otherId: number): Promise<[StudentRow, StudentRow]> => {
      const rows = await students().whereIn('id', [id, otherId]).orderBy('id').forUpdate()
      const rowOf = (wanted: number) => rows.find((row) => row.id === wanted)!
      return [rowOf(id), rowOf(otherId)]
    },

    idsOf: (id: number): Promise<number[]> =>
      students().where({ id }).orWhere({ mergedInto: id }).orderBy('id').pluck('id'),

    allIdsOf: (ids: readonly number[]): Promise<number[]> =>
      students()
        .whereRaw('id = any(?::int[]) or "mergedInto" = any(?::int[])', [[...ids], [...ids]])
        .pluck('id'),

    markMerged: async (id: number, mergedInto: number | null): Promise<void> => {
      await students().where({ id }).update({ mergedInto })
    },

    /** Throws `admission_number_taken`. */
    update: (id: number, changes: Partial<StudentRow>): Promise<Student> =>
      students()
        .where({ id })
        .update(changes)
        .returning([...columns])
        .then(([row]) => row!, numberIsTaken),

    updateAliases: async (
      id: number,
      changes: Partial<Pick<StudentRow, 'userId' | 'mergedInto'>>,
    ): Promise<void> => {
      await students().where({ mergedInto: id }).update(changes)
    },

    removeOfUser: async (userId: number): Promise<void> => {
      await students().where({ userId }).delete()
    },

    remove: async (id: number): Promise<void> => {
      await students().where({ id }).delete()
    },
  }
}

const claimed = (students: readonly Student[]): ClaimedStudent[] => students.filter(isClaimed)

export const numberIsTaken = (error: unknown): never => {
  const violated = error as { code?: string; constraint?: string }
  if (violated.code !== '23505' || violated.constraint !== 'students_admission_number') throw error
  const message = 'Another child has this admission number'
  throw refuse('admission_number_taken', message, { fields: { admissionNumber: message } })
}

/** One name a class, in order. */
export const namesOfClasses = (stored: readonly string[]): string[] =>
  [...new Map(stored.map((name) => [classKey(name), classNamed(name)])).values()].toSorted((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )

/** Classes were stored as typed before they had one form: how this one is written in rows, among 5,000 names. */
export const spellingsOfClass = async (reader: Reader, name: string): Promise<string[]> => {
  const { rows } = await reader.query<{ class: string }>(
    'select distinct class from identity.students where class is not null limit 5000',
  )
  return rows.map((row) => row.class).filter((stored) => classKey(stored) === classKey(name))
}

/** Ids of the children in a class at present, and those under which they were entered before. */
export const idsInClass =
  (reader: Reader) =>
  async (name: string): Promise<number[]> => {
    const { rows } = await reader.query<{ id: number }>(
      `select entered.id from identity.students entered
       join identity.students child on child.id = coalesce(entered."mergedInto", entered.id)
       where child.class = any($1::text[])`,
      [await spellingsOfClass(reader, name)],
    )
    return rows.map(({ id }) => id)
  }

type ChildNow = Pick<Student, 'id' | 'name' | 'grade' | 'class'>

/** Merged students resolve to the other (docs/decisions/0031); unknown and departed ones are left out. */
export const childrenNow =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, ChildNow>> => {
    if (studentIds.length === 0) return new Map()
    const { rows } = await reader.query<ChildNow & { askedFor: number }>({
      name: 'identity-children-now',
      text: `select asked.id as "askedFor", child.id, child.name, child.grade, child.class
       from identity.students asked
       join identity.students child on child.id = coalesce(asked."mergedInto", asked.id)
       where asked.id = any($1::int[]) and child."leftAt" is null`,
      values: [[...new Set(studentIds)]],
    })
    return new Map(
      rows.map(({ askedFor, ...child }) => [
        askedFor,
        { ...child, class: child.class && classNamed(child.class) },
      ]),
    )
  }

/** Aliases; students without any are left out. */
export const otherIdsOf =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, number[]>> => {
    if (studentIds.length === 0) return new Map()
    const { rows } = await reader.query<{ id: number; others: number[] }>({
      name: 'identity-other-ids',
      text: `select asked.id, array_agg(other.id order by other.id) as others
       from identity.students asked
       join identity.students other on other.id <> asked.id
         and (other."mergedInto" = coalesce(asked."mergedInto", asked.id) or other.id = asked."mergedInto")
       where asked.id = any($1::int[]) group by asked.id`,
      values: [[...new Set(studentIds)]],
    })
    return new Map(rows.map(({ id, others }) => [id, others]))
  }

type Namesake = Pick<Student, 'id' | 'grade' | 'class' | 'admissionNumber'> & {
  called: string
  guardian: string | null
  askedFor: number[]
}

/** Register number, else guardian, of children whose name another child of their class has. */
export const tellApart =
  (reader: Reader) =>
  async (studentIds: readonly number[]): Promise<Map<number, string>> => {
    const { rows } = await reader.query<Namesake>({
      name: 'identity-tell-apart',
      text: `with shown as (
               select child.grade, child.class from identity.students entered
               join identity.students child on child.id = coalesce(entered."mergedInto", entered.id)
               where entered.id = any($1::int[])
             ), present as (
               select id, grade, class, "admissionNumber", "userId", "guardianName",
                 lower(regexp_replace(btrim(name), '\\s+', ' ', 'g')) as called
               from identity.students where "mergedInto" is null and "leftAt" is null and grade <> 'teacher'
                 and (grade in (select grade from shown) or class in (select class from shown))
             ), shared as (select called from present group by called having count(*) > 1)
             select present.id, grade, class, "admissionNumber", called,
               coalesce(guardian.name, "guardianName") as guardian,
               array(select asked.id from identity.students asked
                 where (asked.id = present.id or asked."mergedInto" = present.id) and asked.id = any($1::int[])) as "askedFor"
             from present join shared using (called) left join identity.users guardian on guardian.id = "userId"`,
      values: [[...studentIds]],
    })
    const classmates = (one: Namesake) =>
      rows.filter((other) => other.called === one.called && placeOf(other) === placeOf(one))
    return new Map(
      rows
        .filter((one) => one.askedFor.length > 0 && classmates(one).length > 1)
        .flatMap(({ askedFor, admissionNumber, guardian }) => {
          const told = admissionNumber ?? guardian
          return told === null ? [] : askedFor.map((id): [number, string] => [id, told])
        }),
    )
  }

const placeOf = ({ grade, class: inClass }: Pick<Student, 'grade' | 'class'>): string =>
  inClass === null ? `grade ${grade}` : classKey(inClass)
