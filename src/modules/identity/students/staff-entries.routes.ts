import { addStaffEntry, getStaffCode, saveStaffCode } from '#contracts/staff'
import { onlyRoles, route, withFeature } from '#platform/http/route'
import type { staffEntryCommands } from './staff-entries.commands'
import { asStudent } from './students.rows'

export const staffEntryRoutes = (commands: ReturnType<typeof staffEntryCommands>) => [
  route(getStaffCode, withFeature('settings'), async () => ({ staffCode: await commands.readStaffCode() })),

  route(saveStaffCode, withFeature('settings'), async ({ body, actor, correlationId }) => {
    await commands.saveStaffCode(body.staffCode, { actor, correlationId })
    return body
  }),

  route(
    addStaffEntry,
    onlyRoles('parent'),
    async ({ body, user: { userId }, actor, correlationId }) =>
      asStudent(await commands.addStaffEntry(body.code, { userId, by: { actor, correlationId } })),
    { limit: { name: 'staff-entry', points: 5, seconds: 3600, by: 'user' } },
  ),
]
