import { createHash, timingSafeEqual } from 'node:crypto'
import { addStaffEntry, getStaffCode, saveStaffCode } from '#contracts/accounts'
import type { BodyOf } from '#contracts/endpoint'
import { addStudent, listClasses, listStudents } from '#contracts/identity'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { answeredOnce, onlyRoles, route, signedIn, type Principal, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { settingsRoutes } from '#platform/settings'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { decideParentOf } from '../users/account.decide'
import { storedSecurity, storedStaffCode } from '../users/security.rows'
import { recordAccountChange, userRows } from '../users/users.rows'
import { type ClaimedStudent, decideAnotherChild, decideNameByOffice, staffGrade } from './student.decide'
import { asStudent, studentRows } from './students.rows'

const families = onlyRoles('parent', 'teacher')

export const studentRoutes = (commands: ReturnType<typeof studentCommands>) => [
  route(listStudents, families, async ({ user }) => (await commands.studentsOf(user.userId)).map(asStudent)),

  route(
    addStudent,
    signedIn,
    async ({ body, user }) => asStudent(await commands.addStudent(body, { user })),
    answeredOnce,
  ),

  route(listClasses, withFeature('cycles', 'history'), async () => ({ data: await commands.classes() })),
]

type About = { user: Pick<Principal, 'userId' | 'role' | 'features' | 'isSuperadmin'> }

export const studentCommands = (needs: IdentityNeeds) => {
  const students = studentRows(needs.database.knex)

  return {
    /** Oldest first, without departed ones. */
    studentsOf: (userId: number): Promise<ClaimedStudent[]> => students.ofGuardian(userId),

    classes: (): Promise<string[]> => students.classes(),

    /** For the caller, or for the parent whom an administrator names. */
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
            (await storedSecurity.read(transaction)).maxChildren,
          )
        return rows.insert({ userId, name: input.name, grade: input.grade })
      })
    },
  }
}

export const staffEntryRoutes = (needs: Ports) => [
  ...settingsRoutes(needs, {
    endpoints: [getStaffCode, saveStaffCode],
    readers: withFeature('settings'),
    stored: storedStaffCode,
    what: ({ staffCode }) => (staffCode === '' ? 'Staff code taken away' : 'Staff code set'),
    secret: true,
  }),

  route(
    addStaffEntry,
    onlyRoles('parent'),
    async ({ body, user: { userId }, by }) => asStudent(await staffEntryOf(needs, body.code, { userId, by })),
    { limit: { name: 'staff-entry', points: 5, seconds: 3600, by: 'user' } },
  ),
]

/** Throws `staff_code_wrong`, also without a code. */
const staffEntryOf = (
  needs: Ports,
  code: string,
  about: { userId: number; by: By },
): Promise<ClaimedStudent> =>
  needs.database.knex.transaction(async (transaction) => {
    const account = await userRows(transaction).lock(about.userId)
    if (account?.role !== 'parent') throw refuse('already_teacher', 'This account is a teacher account')
    if (!isStaffCode(code, (await storedStaffCode.read(transaction)).staffCode))
      throw refuse('staff_code_wrong', 'This is not the staff code of the school', {
        fields: { code: 'This is not the staff code of the school' },
      })
    const rows = studentRows(transaction)
    const entry = async () => (await rows.ofUser(account.id)).find(({ grade }) => grade === staffGrade)
    const there = await entry()
    if (there) return there
    await rows.insertStaffEntry(account.id, account.name)
    const what = `Staff entry of ${accountNamed(account.id)} added`
    await recordAccountChange(transaction, needs, about.by, what)
    return (await entry())!
  })

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Constant time. */
const isStaffCode = (given: string, code: string): boolean =>
  timingSafeEqual(digest(given), digest(code)) && code !== ''
