import { addStudent, listStudents } from '#contracts/identity'
import { onlyRoles, route, signedIn, type Principal } from '#platform/http/route'
import { asStudent, studentRows } from './students.rows'
import type { BodyOf } from '#contracts/endpoint'
import { refuse } from '../refusals'
import { decideParentOf } from '../accounts/rights.decide'
import { readSecurity } from '../accounts/security.rows'
import { type ClaimedStudent, decideAnotherChild, decideNameByOffice, staffGrade } from './student.decide'
import { userRows } from '../accounts/users.rows'
import type { IdentityNeeds } from '../needs'

const families = onlyRoles('parent', 'teacher')

export const studentRoutes = (commands: ReturnType<typeof studentCommands>) => [
  route(listStudents, families, async ({ user }) => (await commands.studentsOf(user.userId)).map(asStudent)),

  route(addStudent, signedIn, async ({ body, user }) => asStudent(await commands.addStudent(body, { user }))),
]

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }

export const studentCommands = (needs: IdentityNeeds) => {
  const students = studentRows(needs.database.knex)

  return {
    /** Oldest first, without departed ones. */
    studentsOf: (userId: number): Promise<ClaimedStudent[]> => students.ofGuardian(userId),

    /** Own, or for the parent an administrator names. */
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
  }
}
