import { createHash, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { addStaffEntry, getStaffCode, saveStaffCode } from '#contracts/accounts'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { addStudent, listClasses, listStudents } from '#contracts/identity'
import { accountNamed, saveSettings } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { answeredOnce, onlyRoles, route, signedIn, type Principal, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { withVersion } from '#platform/versions'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { decideParentOf } from '../users/account.decide'
import { readSecurity } from '../users/security.rows'
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
            (await readSecurity(transaction)).maxChildren,
          )
        return rows.insert({ userId, name: input.name, grade: input.grade })
      })
    },
  }
}

const record = 'settings:staff-code'

export const staffEntryRoutes = (commands: ReturnType<typeof staffEntryCommands>) => [
  route(getStaffCode, withFeature('settings'), async () =>
    withVersion(record, { staffCode: await commands.readStaffCode() }),
  ),

  route(saveStaffCode, withFeature('settings'), ({ body, by }) => commands.saveStaffCode(body, by)),

  route(
    addStaffEntry,
    onlyRoles('parent'),
    async ({ body, user: { userId }, by }) =>
      asStudent(await commands.addStaffEntry(body.code, { userId, by })),
    { limit: { name: 'staff-entry', points: 5, seconds: 3600, by: 'user' } },
  ),
]

export const staffEntryCommands = (needs: Ports) => {
  const { knex } = needs.database
  return {
    readStaffCode: (): Promise<string> => readStaffCode(knex),

    /** Existing entries stay. The code is in no history. */
    saveStaffCode: (
      { version, staffCode }: BodyOf<typeof saveStaffCode>,
      by: By,
    ): Promise<ReplyOf<typeof saveStaffCode>> =>
      knex.transaction(async (transaction) => {
        const before = (await security(transaction).forUpdate().first('staffCode'))!
        const what = staffCode === '' ? 'Staff code taken away' : 'Staff code set'
        const saved = { record, what, version, before, after: { staffCode }, secret: true }
        return saveSettings(transaction, { ...by, at: needs.now() }, saved, (after) =>
          security(transaction).update(after),
        )
      }),

    /** Throws `staff_code_wrong`, also without a code. */
    addStaffEntry: (code: string, about: { userId: number; by: By }): Promise<ClaimedStudent> =>
      knex.transaction(async (transaction) => {
        const account = await userRows(transaction).lock(about.userId)
        if (account?.role !== 'parent') throw refuse('already_teacher', 'This account is a teacher account')
        if (!isStaffCode(code, await readStaffCode(transaction)))
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
      }),
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Constant time. */
const isStaffCode = (given: string, code: string): boolean =>
  timingSafeEqual(digest(given), digest(code)) && code !== ''

const security = (knex: Knex) => knex<{ staffCode: string }>('identity.security')

const readStaffCode = async (knex: Knex): Promise<string> =>
  (await security(knex).first('staffCode'))!.staffCode
