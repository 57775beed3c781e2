import { addStudent, deleteStudent, listStudents, updateStudent } from '#contracts/identity'
import { onlyRoles, route, signedIn, whoeverOrdersOr } from '#platform/http/route'
import type { studentCommands } from './students.commands'
import { asHeldStudent, asStudent } from './students.rows'

const families = onlyRoles('parent', 'teacher')

export const studentRoutes = (commands: ReturnType<typeof studentCommands>) => [
  route(listStudents, families, async ({ user }) => (await commands.studentsOf(user.userId)).map(asStudent)),

  route(addStudent, signedIn, async ({ body, user }) => asStudent(await commands.addStudent(body, { user }))),

  route(
    updateStudent,
    whoeverOrdersOr('parents_students'),
    async ({ params, body, user, actor, correlationId }) => {
      const by = { actor, correlationId }
      const { student, affectedOrders } = await commands.updateStudent({ ...params, ...body }, { user, by })
      return { ...asHeldStudent(student), affectedOrders }
    },
  ),

  route(deleteStudent, families, async ({ params, user, actor, correlationId }) => {
    await commands.deleteStudent(params, { user, by: { actor, correlationId } })
    return { message: 'Student deleted successfully' }
  }),
]
