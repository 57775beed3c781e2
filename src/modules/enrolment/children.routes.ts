import type { BodyOf } from '#contracts/endpoint'
import { deleteStudent, updateStudent, type AffectedOrder } from '#contracts/identity'
import { asHeldStudent, studentRecord, studentRows } from '#modules/identity/index'
import { decideOwnChild, type Student } from '#modules/identity/published'
import type { By } from '#platform/event-store/command-handler'
import { buyersOrFeature, onlyRoles, route, type Principal, type Route } from '#platform/http/route'
import { noteLastChange } from '#platform/versions'
import { decideDeletion } from './deletion/deletion.decide'
import { inTheWayOf, removeStudent } from './deletion/remove-student.commands'
import { ordersOffMenu } from './orders-off-menu'
import type { EnrolmentNeeds } from './ports'
import { refuseChangedChild, rollCommands } from './roll/edit-children.commands'

export const childrenRoutes = (commands: ReturnType<typeof childrenCommands>): Route[] => [
  route(updateStudent, buyersOrFeature('parents_students'), async ({ params, body, user, by }) => {
    const { student, affectedOrders } = await commands.updateStudent({ ...params, ...body }, { user, by })
    return { ...asHeldStudent(student), affectedOrders }
  }),

  route(deleteStudent, onlyRoles('parent', 'teacher'), async ({ params, user, by }) => {
    await commands.deleteStudent(params, { user, by })
    return { message: 'Student deleted successfully' }
  }),
]

type About = { user: Pick<Principal, 'userId' | 'role'> }

export const childrenCommands = (needs: EnrolmentNeeds) => {
  const students = studentRows(needs.database.knex)
  const ownChild = async (id: number, about: About) =>
    decideOwnChild(await students.byId(id), about.user.userId)

  const { editStudent } = rollCommands(needs)
  const editOwn = async (input: { id: number } & BodyOf<typeof updateStudent>, about: About & { by: By }) => {
    const { id, name, grade, version } = input
    return needs.database.knex.transaction(async (transaction) => {
      const rows = studentRows(transaction)
      const before = decideOwnChild(await rows.lock(id), about.user.userId)
      await refuseChangedChild(transaction, before, version, { name, grade })
      const after = await rows.update(before.id, { name, grade })
      if (before.name !== name || before.grade !== grade)
        await noteLastChange(transaction, { ...about.by, at: needs.now() }, [studentRecord(before.id)])
      return { before, after }
    })
  }

  return {
    updateStudent: async (
      input: { id: number } & BodyOf<typeof updateStudent>,
      about: About & { by: By },
    ): Promise<{ student: Student; affectedOrders: AffectedOrder[] }> => {
      const { before, after } =
        about.user.role === 'admin' ? await editStudent(input, about.by) : await editOwn(input, about)
      const affectedOrders =
        before.grade === after.grade
          ? []
          : await ordersOffMenu(needs, await students.idsOf(after.id), after.grade)
      return { student: after, affectedOrders }
    },

    /** Only for a child without any order. */
    deleteStudent: async (input: { id: number }, about: About & { by: By }): Promise<void> => {
      const student = await ownChild(input.id, about)
      decideDeletion(student, await inTheWayOf(needs, await students.idsOf(student.id)))
      await needs.database.knex.transaction((transaction) =>
        removeStudent(transaction, needs, student, about.by),
      )
    },
  }
}
