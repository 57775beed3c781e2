import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import type { addStudent, updateStudent } from '#contracts/identity'
import type { Now } from '#platform/clock'
import type { Principal } from '#platform/http/route'
import { refuse } from '../refusals'
import { decideParentOf } from '../accounts/rights.decide'
import type { Student } from './student.decide'
import { decideDeletion, decideOwnChild } from './student.decide'
import { studentRows } from './students.rows'
import { userRows } from '../accounts/users.rows'

export type StudentNeeds = {
  database: { knex: Knex }
  now: Now
  /** How many orders, of whatever status, were ever placed for these students. */
  orderCountOf: (studentIds: number[]) => Promise<number>
}

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }

export const studentCommands = (needs: StudentNeeds) => {
  const students = studentRows(needs.database.knex)
  const ownChild = async (id: number, about: About) =>
    decideOwnChild(await students.byId(id), about.user.userId)

  return {
    /** A parent adds a child of their own; an administrator of parents adds one to the parent they name. */
    addStudent: async (input: BodyOf<typeof addStudent>, about: About): Promise<Student> => {
      const userId = decideParentOf(about.user, input.parentId ?? input.parent_id)
      const parent = await userRows(needs.database.knex).byId(userId)
      if (parent?.role !== 'parent') throw refuse('parent_not_found', 'Parent not found')
      return students.insert({ userId, name: input.name, grade: input.grade, createdAt: needs.now() })
    },

    updateStudent: async (
      input: { id: number } & BodyOf<typeof updateStudent>,
      about: About,
    ): Promise<Student> => {
      const { id } = await ownChild(input.id, about)
      const changed = await students.update(id, { name: input.name, grade: input.grade })
      return decideOwnChild(changed, about.user.userId)
    },

    /** Removes a child for whom nothing was ever ordered. */
    deleteStudent: async (input: { id: number }, about: About): Promise<void> => {
      const student = await ownChild(input.id, about)
      decideDeletion(student, await needs.orderCountOf([student.id]))
      await students.remove(student.id)
    },
  }
}
