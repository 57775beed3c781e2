import { mergeStudent, moveStudent, roll } from '#contracts/enrolment'
import { asHeldStudent, classesOfRoll, rollPage } from '#modules/identity/index'
import type { Database } from '#platform/database'
import { pageMetadataOf } from '#platform/http/paging'
import { route, withFeature } from '#platform/http/route'
import { rollCommands } from './edit-children.commands'
import { type mergeCommands } from './merge-children.commands'

const pageSize = 50
const keepers = withFeature('parents_students')

type RollCommands = ReturnType<typeof rollCommands> & ReturnType<typeof mergeCommands>

export const rollRoutes = (commands: RollCommands, { pool }: Pick<Database, 'pool'>) => [
  route(roll, keepers, async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { text = '', class: inClass = null, claimed = null, left = null, limit = pageSize } = query
    const { sort = 'name', direction = 'asc' } = query
    const place = { sort, direction, offset: (page - 1) * limit, limit }
    const [{ data, total }, classes] = await Promise.all([
      rollPage(pool, { text, class: inClass, claimed, left }, place),
      classesOfRoll(pool),
    ])
    return { data, metadata: pageMetadataOf(total, page, limit), classes }
  }),

  route(moveStudent, keepers, async ({ params, body, by }) =>
    asHeldStudent(await commands.moveStudent({ ...params, ...body }, by)),
  ),

  route(mergeStudent, keepers, async ({ params, body, by }) =>
    asHeldStudent(await commands.mergeStudent({ ...params, ...body }, by)),
  ),
]
