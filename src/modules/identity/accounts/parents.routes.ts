import {
  createParent,
  deleteAnyStudent,
  deleteParent,
  listParents,
  searchUsers,
  updateParent,
} from '#contracts/parents'
import type { Database } from '#platform/database'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import { asParent, type parentCommands } from './parents.commands'
import { parentsPage, usersLike } from './parents.rows'

const pageSize = 50
const keepers = withFeature('parents_students')

export const parentRoutes = (
  commands: ReturnType<typeof parentCommands>,
  { knex, pool }: Pick<Database, 'knex' | 'pool'>,
) => [
  route(listParents, keepers, async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { limit = pageSize, search = '', sort = 'name', direction = 'asc' } = query
    const offset = (page - 1) * limit
    const { rows, total } = await parentsPage(pool, { search, sort, direction, offset, limit })
    return {
      data: rows.map((row) => asParent(row, row.students)),
      metadata: pageMetadataOf(total, page, limit),
    }
  }),

  route(createParent, keepers, ({ body, actor, correlationId }) =>
    commands.createParent(body, { actor, correlationId }),
  ),

  route(updateParent, keepers, ({ params, body, actor, correlationId }) =>
    commands.changeParent(params.id, body, { actor, correlationId }),
  ),

  route(deleteParent, keepers, async ({ params, query, user, actor, correlationId }) => {
    const { force, giveUp } = query
    await commands.deleteParent(
      { ...params, force: force === 'true', giveUp, administrator: user.userId },
      { actor, correlationId },
    )
    return { message: 'Parent deleted successfully' }
  }),

  route(deleteAnyStudent, keepers, async ({ params, query, actor, correlationId }) => {
    await commands.deleteStudent({ ...params, force: query.force === 'true' }, { actor, correlationId })
    return { message: 'Student deleted successfully' }
  }),

  route(searchUsers, withFeature('settings'), async ({ query }) => ({
    users: await usersLike(knex, query.q),
  })),
]
