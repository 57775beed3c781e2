import { addStudent, deleteStudent, listStudents, updateStudent } from '#contracts/identity'
import { onlyRoles, route, signedIn } from '#platform/http/route'
import type { Student } from './student.decide'
import type { studentCommands } from './students.commands'
import { asStudent } from './students.rows'

export type StudentCommands = ReturnType<typeof studentCommands> & {
  studentsOf: (userId: number) => Promise<Student[]>
}

const families = onlyRoles('parent', 'teacher')

export const studentRoutes = (commands: StudentCommands) => [
  route(listStudents, families, async ({ user }) => (await commands.studentsOf(user.userId)).map(asStudent)),

  route(addStudent, signedIn, async ({ body, user }) => asStudent(await commands.addStudent(body, { user }))),

  route(updateStudent, families, async ({ params, body, user }) =>
    asStudent(await commands.updateStudent({ ...params, ...body }, { user })),
  ),

  route(deleteStudent, families, async ({ params, user }) => {
    await commands.deleteStudent(params, { user })
    return { message: 'Student deleted successfully' }
  }),
]
