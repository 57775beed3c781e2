import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  waitingInvites,
  withdrawInvite,
  type GuardianInvite,
  type Guardian,
} from '#contracts/accounts'
import { accountNamed } from '#platform/changes'
import {
  answeredOnce,
  onlyRoles,
  route,
  signedIn,
  buyersOrFeature,
  type RateLimit,
} from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { refuse } from '../refusals'
import { guardianRows } from '../students/guardians.rows'
import { decideRemoval, decideSeenChild } from '../students/student.decide'
import { asStudent } from '../students/students.rows'
import { recordAccountChange } from '../users/users.rows'
import { inviteRows, tiesOf, type Asker, type inviteCommands } from './invites.commands'

const guardiansAndOffice = buyersOrFeature('parents_students')
const tries: RateLimit = { name: 'guardian-invite-code', points: 60, seconds: 3600, by: 'user' }

export const guardianRoutes = (
  commands: ReturnType<typeof guardianCommands> & ReturnType<typeof inviteCommands>,
) => [
  route(listGuardians, guardiansAndOffice, ({ params, user }) => commands.guardiansOf(params.id, user)),

  route(
    inviteGuardian,
    onlyRoles('parent', 'teacher'),
    ({ params, body, user, by }) => commands.inviteGuardian({ ...params, ...body }, { user, by }),
    { ...answeredOnce, limit: { name: 'guardian-invite', points: 10, seconds: 3600, by: 'user' } },
  ),

  route(withdrawInvite, guardiansAndOffice, async ({ params, user, by }) => {
    await commands.withdrawInvite(params, { user, by })
    return { message: 'Invitation withdrawn' }
  }),

  route(removeGuardian, guardiansAndOffice, async ({ params, user, by }) => {
    await commands.removeGuardian(params, { user, by })
    return { message: 'Guardian removed' }
  }),

  route(waitingInvites, onlyRoles('parent'), ({ user }) => commands.waitingInvites(user.userId)),

  route(
    getGuardianInvite,
    signedIn,
    ({ params, user }) => commands.showInvite(params.idOrCode, user.userId),
    { limit: tries },
  ),

  route(
    acceptGuardianInvite,
    signedIn,
    async ({ params, user, by }) => {
      const students = (await commands.acceptInvite(params.idOrCode, { user, by })).map(asStudent)
      return { ...students[0]!, students }
    },
    { limit: tries },
  ),
]

export const guardianCommands = (needs: Ports) => {
  const { knex } = needs.database
  return {
    /** Only to those who may withdraw them. */
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
          email: one.email,
          expiresAt: one.expiresAt.toISOString(),
        }))
        return { guardians, invites }
      }),

    removeGuardian: (given: { id: number; userId: number }, { user, by }: Asker): Promise<void> =>
      knex.transaction(async (transaction) => {
        const ties = await tiesOf(transaction, given.id, user.userId)
        const student = decideRemoval(user, ties, given.userId)
        if (!(await guardianRows(transaction).remove(student.id, given.userId)))
          throw refuse('guardian_not_found', 'This person is not a guardian of the child')
        const what = `Second guardian ${accountNamed(given.userId)} of student ${student.id} of ${accountNamed(student.userId)} removed`
        await recordAccountChange(transaction, needs, by, what)
      }),
  }
}
