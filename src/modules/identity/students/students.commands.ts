import type { BodyOf } from '#contracts/endpoint'
import type { addStudent, updateStudent } from '#contracts/identity'
import type { Knex } from 'knex'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Principal } from '#platform/http/route'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { refuse } from '../refusals'
import { decideParentOf } from '../accounts/rights.decide'
import { readSecurity } from '../accounts/security.rows'
import {
  type InTheWay,
  type Student,
  decideAnotherChild,
  decideDeletion,
  decideNameByOffice,
  decideOwnChild,
} from './student.decide'
import { studentRows } from './students.rows'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

type StudentNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'ordering' | 'payments'>

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }

/** What keeps these students from being deleted. */
export const inTheWayOf = async (
  { ordering, payments }: Pick<IdentityNeeds, 'ordering' | 'payments'>,
  studentIds: readonly number[],
): Promise<InTheWay> => ({
  orderCount: await ordering.orderCountOf(studentIds),
  mealsInPayment: await payments.mealsInPayment(studentIds),
})

/** Removes a child and writes down whose it was, without a name. */
export const removeStudent = async (
  transaction: Knex.Transaction,
  needs: Pick<IdentityNeeds, 'now'>,
  { id, userId }: Student,
  by: By,
): Promise<void> => {
  await studentRows(transaction).remove(id)
  await recordAccountChange(transaction, needs, by, `Student ${id} of ${accountNamed(userId)} deleted`)
}

export const studentCommands = (needs: StudentNeeds) => {
  const students = studentRows(needs.database.knex)
  const ownChild = async (id: number, about: About) =>
    decideOwnChild(await students.byId(id), about.user.userId)

  return {
    /** All students of an account, oldest entry first. */
    studentsOf: (userId: number): Promise<Student[]> => students.ofUser(userId),

    /** A parent adds a child of their own; an administrator of parents adds one to the parent they name. */
    addStudent: async (input: BodyOf<typeof addStudent>, about: About): Promise<Student> => {
      const userId = decideParentOf(about.user, input.parentId ?? input.parent_id)
      if (about.user.role === 'admin') decideNameByOffice(input.name)
      return needs.database.knex.transaction(async (transaction) => {
        const parent = await userRows(transaction).lock(userId)
        if (parent?.role !== 'parent' || parent.deletedAt)
          throw refuse('parent_not_found', 'Parent not found')
        const rows = studentRows(transaction)
        if (about.user.role === 'parent')
          decideAnotherChild(
            (await rows.ofUser(userId)).length,
            (await readSecurity(transaction)).maxChildren,
          )
        return rows.insert({ userId, name: input.name, grade: input.grade })
      })
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
    deleteStudent: async (input: { id: number }, about: About & { by: By }): Promise<void> => {
      const student = await ownChild(input.id, about)
      decideDeletion(student, await inTheWayOf(needs, [student.id]))
      await needs.database.knex.transaction((transaction) =>
        removeStudent(transaction, needs, student, about.by),
      )
    },
  }
}
