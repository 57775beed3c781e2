import {
  addStudent,
  deleteStudent,
  listStudents,
  updateStudent,
  type AffectedOrder,
} from '#contracts/identity'
import { onlyRoles, route, signedIn, buyersOrFeature, type Principal } from '#platform/http/route'
import { asHeldStudent, asStudent, studentRows } from './students.rows'
import type { Ports } from '#platform/ports'
import type { BodyOf } from '#contracts/endpoint'
import type { Knex } from 'knex'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { refuse } from '../refusals'
import { decideParentOf } from '../accounts/rights.decide'
import { readSecurity } from '../accounts/security.rows'
import {
  type ClaimedStudent,
  type InTheWay,
  type Student,
  decideAnotherChild,
  decideDeletion,
  decideNameByOffice,
  decideOwnChild,
  staffGrade,
} from './student.decide'
import { rollCommands } from '../roll/roll.commands'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

const families = onlyRoles('parent', 'teacher')

export const studentRoutes = (commands: ReturnType<typeof studentCommands>) => [
  route(listStudents, families, async ({ user }) => (await commands.studentsOf(user.userId)).map(asStudent)),

  route(addStudent, signedIn, async ({ body, user }) => asStudent(await commands.addStudent(body, { user }))),

  route(updateStudent, buyersOrFeature('parents_students'), async ({ params, body, user, by }) => {
    const { student, affectedOrders } = await commands.updateStudent({ ...params, ...body }, { user, by })
    return { ...asHeldStudent(student), affectedOrders }
  }),

  route(deleteStudent, families, async ({ params, user, by }) => {
    await commands.deleteStudent(params, { user, by })
    return { message: 'Student deleted successfully' }
  }),
]

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }

/** What keeps these students from being deleted. */
export const inTheWayOf = async (
  { ordering, payments }: IdentityNeeds,
  studentIds: readonly number[],
): Promise<InTheWay> => ({
  orderCount: await ordering.orderCountOf(studentIds),
  mealsInPayment: await payments.mealsInPayment(studentIds),
})

/** Removes a child and writes down whose it was, without a name. */
export const removeStudent = async (
  transaction: Knex.Transaction,
  needs: Ports,
  { id, userId }: Student,
  by: By,
): Promise<void> => {
  await studentRows(transaction).remove(id)
  const whose = userId === null ? 'the roll' : accountNamed(userId)
  await recordAccountChange(transaction, needs, by, `Student ${id} of ${whose} deleted`)
}

export const studentCommands = (needs: IdentityNeeds) => {
  const students = studentRows(needs.database.knex)
  const ownChild = async (id: number, about: About) =>
    decideOwnChild(await students.byId(id), about.user.userId)

  const { editStudent } = rollCommands(needs)
  const editOwn = async (input: { id: number } & BodyOf<typeof updateStudent>, about: About) => {
    const before = await ownChild(input.id, about)
    const after = await students.update(before.id, { name: input.name, grade: input.grade })
    return { before, after }
  }

  return {
    /** Whose first or second guardian this is, oldest entry first; without those who left the school. */
    studentsOf: (userId: number): Promise<ClaimedStudent[]> => students.ofGuardian(userId),

    /** A parent adds a child of their own; an administrator of parents adds one to the parent they name. */
    addStudent: async (input: BodyOf<typeof addStudent>, about: About): Promise<ClaimedStudent> => {
      const userId = decideParentOf(about.user, input.parentId ?? input.parent_id)
      if (about.user.role === 'admin') decideNameByOffice(input.name)
      return needs.database.knex.transaction(async (transaction) => {
        const parent = await userRows(transaction).lock(userId)
        if (parent?.role !== 'parent' || parent.deletedAt)
          throw refuse('parent_not_found', 'Parent not found')
        const rows = studentRows(transaction)
        if (about.user.role === 'parent')
          decideAnotherChild(
            (await rows.ofUser(userId)).filter(({ grade }) => grade !== staffGrade).length,
            (await readSecurity(transaction)).maxChildren,
          )
        return rows.insert({ userId, name: input.name, grade: input.grade })
      })
    },

    /** A parent changes name and grade of their own child, the office whatever the roll says of any. */
    updateStudent: async (
      input: { id: number } & BodyOf<typeof updateStudent>,
      about: About & { by: By },
    ): Promise<{ student: Student; affectedOrders: AffectedOrder[] }> => {
      const { before, after } =
        about.user.role === 'admin' ? await editStudent(input, about.by) : await editOwn(input, about)
      const affectedOrders =
        before.grade === after.grade
          ? []
          : await needs.ordering.ordersOffMenu(await students.idsOf(after.id), after.grade)
      return { student: after, affectedOrders }
    },

    /** Removes a child for whom nothing was ever ordered. */
    deleteStudent: async (input: { id: number }, about: About & { by: By }): Promise<void> => {
      const student = await ownChild(input.id, about)
      decideDeletion(student, await inTheWayOf(needs, await students.idsOf(student.id)))
      await needs.database.knex.transaction((transaction) =>
        removeStudent(transaction, needs, student, about.by),
      )
    },
  }
}
