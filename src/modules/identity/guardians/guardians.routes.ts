import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  withdrawInvite,
} from '#contracts/guardians'
import { onlyRoles, route, signedIn, whoeverOrdersOr } from '#platform/http/route'
import { asStudent } from '../students/students.rows'
import type { guardianCommands } from './guardians.commands'
import type { inviteCommands } from './invites.commands'

const guardiansAndOffice = whoeverOrdersOr('parents_students')

/** A child's guardians: who they are, inviting another, and taking one away (families.md section 4). */
export const guardianRoutes = (
  commands: ReturnType<typeof guardianCommands> & ReturnType<typeof inviteCommands>,
) => [
  route(listGuardians, guardiansAndOffice, ({ params, user }) => commands.guardiansOf(params.id, user)),

  route(
    inviteGuardian,
    onlyRoles('parent', 'teacher'),
    ({ params, body, user, actor, correlationId }) =>
      commands.inviteGuardian({ ...params, ...body }, { user, actor, correlationId }),
    // A family has few children; strangers' addresses are many.
    { limit: { name: 'guardian-invite', points: 10, seconds: 3600, by: 'user' } },
  ),

  route(withdrawInvite, guardiansAndOffice, async ({ params, user, actor, correlationId }) => {
    await commands.withdrawInvite(params, { user, actor, correlationId })
    return { message: 'Invitation withdrawn' }
  }),

  route(removeGuardian, guardiansAndOffice, async ({ params, user, actor, correlationId }) => {
    await commands.removeGuardian(params, { user, actor, correlationId })
    return { message: 'Guardian removed' }
  }),

  route(getGuardianInvite, signedIn, ({ params, user }) => commands.showInvite(params.token, user.userId)),

  route(acceptGuardianInvite, signedIn, async ({ params, user, actor, correlationId }) =>
    asStudent(await commands.acceptInvite(params.token, { user, actor, correlationId })),
  ),
]
