import { listAdmins, setPassword, setPermissions } from '#contracts/administrators'
import { createAdmin } from '#contracts/identity'
import { route, withFeature } from '#platform/http/route'
import type { administratorCommands } from './administrators.commands'
import type { registrationCommands } from './registration.commands'

export type AdministratorCommands = ReturnType<typeof administratorCommands> &
  Pick<ReturnType<typeof registrationCommands>, 'createAdmin'>

export const administratorRoutes = (commands: AdministratorCommands) => [
  route(listAdmins, withFeature('admins'), ({ user }) => commands.administrators({ user })),

  route(createAdmin, withFeature('admins'), async ({ body, user }) => {
    const { id, username, role, features } = await commands.createAdmin(body, { user })
    return { id, username, role, allowedFeatures: features }
  }),

  route(setPermissions, withFeature('admins'), ({ params, body, user }) =>
    commands.setPermissions({ ...params, ...body }, { user }),
  ),

  route(setPassword, withFeature('admins', 'parents_students'), async ({ params, body, user, session }) => {
    await commands.setPassword({ ...params, ...body }, { user, sessionId: session.id() })
    return { message: 'Password updated successfully' }
  }),
]
