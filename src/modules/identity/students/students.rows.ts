import type { Knex } from 'knex'
import type { Student as StudentReply } from '#contracts/identity'
import { type Student, staffGrade } from './student.decide'

const columns = ['id', 'userId', 'name', 'grade'] as const

/** The student as the wire carries it; the parent stands there under both names that the spec uses. */
export const asStudent = (student: Student): StudentReply => ({
  id: student.id,
  name: student.name,
  grade: student.grade as StudentReply['grade'],
  parent_id: student.userId,
  parentId: student.userId,
})

/** The rows of `identity.students`, on the database or inside a transaction. */
export const studentRows = (knex: Knex) => {
  const students = () => knex<Student>('identity.students')
  return {
    byId: (id: number): Promise<Student | undefined> =>
      students()
        .select(...columns)
        .where({ id })
        .first(),

    /** Oldest first, the staff entry where it was made. */
    ofUser: (userId: number): Promise<Student[]> =>
      students()
        .select(...columns)
        .where({ userId })
        .orderBy('id'),

    ofUsers: (userIds: readonly number[]): Promise<Student[]> =>
      students()
        .select(...columns)
        .whereIn('userId', [...userIds])
        .orderBy('id'),

    insert: (student: Omit<Student, 'id'>): Promise<Student> =>
      students()
        .insert(student)
        .returning([...columns])
        .then(([row]) => row!),

    /** Somebody of the school orders for themselves; once is enough. */
    insertStaffEntry: async (userId: number, name: string): Promise<void> => {
      await students().insert({ userId, name, grade: staffGrade }).onConflict().ignore()
    },

    renameStaffEntry: async (userId: number, name: string): Promise<void> => {
      await students().where({ userId, grade: staffGrade }).update({ name })
    },

    update: (id: number, changes: Pick<Student, 'name' | 'grade'>): Promise<Student | undefined> =>
      students()
        .where({ id })
        .update(changes)
        .returning([...columns])
        .then(([row]) => row),

    removeOfUser: async (userId: number): Promise<void> => {
      await students().where({ userId }).delete()
    },

    remove: async (id: number): Promise<void> => {
      await students().where({ id }).delete()
    },
  }
}
