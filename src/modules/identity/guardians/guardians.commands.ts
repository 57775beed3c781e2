import type { Knex } from 'knex'
import type { Guardian, GuardianInvite } from '#contracts/guardians'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Principal } from '#platform/http/route'
import { recordAccountChange } from '../accounts/account-changes.rows'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { guardianRows } from '../students/guardians.rows'
import { studentRows } from '../students/students.rows'
import { decideRemoval, decideSeenChild } from './guardian.decide'
import { inviteRows } from './invites.rows'

/** Who asks, and how it stands in the history. */
export type Asker = By & { user: Pick<Principal, 'userId' | 'role'> }

/** The child of this id, also one that it had before, and whether the user is a second guardian of it. */
export const tiesOf = async (transaction: Knex.Transaction, id: number, userId: number) => {
  const student = await studentRows(transaction).hold(id)
  const seconds = student ? await guardianRows(transaction).ofStudent(student.id) : []
  return { student, isSecond: seconds.some((second) => second.userId === userId) }
}

/** Who a child's guardians are, and taking one away (families.md section 4). */
export const guardianCommands = (needs: Pick<IdentityNeeds, 'database' | 'now'>) => {
  const { knex } = needs.database
  return {
    /** Open invites are shown to who may withdraw them. */
    guardiansOf: (
      id: number,
      user: Asker['user'],
    ): Promise<{ guardians: Guardian[]; invites: GuardianInvite[] }> =>
      knex.transaction(async (transaction) => {
        const ties = await tiesOf(transaction, id, user.userId)
        const student = decideSeenChild(user, ties)
        const guardians = await guardianRows(transaction).namedOf(student.id)
        const open = ties.isSecond
          ? []
          : await inviteRows(transaction).openOf(student.id, student.userId, needs.now())
        const invites = open.map((one) => ({
          id: one.id,
          email: one.email!,
          expiresAt: one.expiresAt.toISOString(),
        }))
        return { guardians, invites }
      }),

    removeGuardian: (given: { id: number; userId: number }, { user, ...by }: Asker): Promise<void> =>
      knex.transaction(async (transaction) => {
        const ties = await tiesOf(transaction, given.id, user.userId)
        const student = decideRemoval(user, ties, given.userId)
        if (!(await guardianRows(transaction).remove(student.id, given.userId)))
          throw refuse('guardian_not_found', 'This person is no guardian of the child')
        const what = `Second guardian ${accountNamed(given.userId)} of student ${student.id} of ${accountNamed(student.userId)} removed`
        await recordAccountChange(transaction, needs, by, what)
      }),
  }
}
