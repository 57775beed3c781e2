import {
  administratorList,
  listAdmins,
  setAdminStatus,
  setPassword,
  setPermissions,
} from '#contracts/administrators'
import { createAdmin } from '#contracts/identity'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import type { administratorCommands } from './administrators.commands'
import type { registrationCommands } from '../accounts/registration.commands'

type AdministratorCommands = ReturnType<typeof administratorCommands> &
  Pick<ReturnType<typeof registrationCommands>, 'createAdmin'>

const pageSize = 50

export const administratorRoutes = (commands: AdministratorCommands) => [
  route(listAdmins, withFeature('admins'), ({ user }) => commands.administrators({ user })),

  route(administratorList, withFeature('admins'), async ({ query, user }) => {
    const page = Math.max(1, query.page ?? 1)
    const { sort = 'rank', direction = 'asc', search = '', feature } = query
    const place = { sort, direction, offset: (page - 1) * pageSize, limit: pageSize }
    const { data, total } = await commands.administratorsPage({ search, feature: feature ?? null }, place, {
      user,
    })
    return { data, metadata: pageMetadataOf(total, page, pageSize) }
  }),

  route(createAdmin, withFeature('admins'), async ({ body, user, actor, correlationId }) => {
    const about = { user, by: { actor, correlationId } }
    const { id, username, role, features } = await commands.createAdmin(body, about)
    return { id, username, role, allowedFeatures: features }
  }),

  route(setPermissions, withFeature('admins'), ({ params, body, user, actor, correlationId }) =>
    commands.setPermissions({ ...params, ...body }, { user, by: { actor, correlationId } }),
  ),

  route(setAdminStatus, withFeature('admins'), ({ params, body, user, actor, correlationId }) =>
    commands.setDisabled({ ...params, ...body }, { user, by: { actor, correlationId } }),
  ),

  route(setPassword, withFeature('admins', 'parents_students'), async (call) => {
    const { params, body, user, session, actor, correlationId } = call
    const about = { user, sessionId: session.id(), by: { actor, correlationId } }
    await commands.setPassword({ ...params, ...body }, about)
    return { message: 'Password updated successfully' }
  }),
]
