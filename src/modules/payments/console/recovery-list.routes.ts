import type { QueryOf } from '#contracts/endpoint'
import { failedOrders, type FailedOrder } from '#contracts/payments-console'
import { listFailedOrders } from '#contracts/recovery-list'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature, type Route } from '#platform/http/route'
import type { ListedAttempt } from '../attempt/attempts.view'
import type { PaymentsNeeds } from '../needs'
import { failedReply, namedReplies } from './console-replies'
import { inOrderOfNames } from './page-by-user'
import { attemptsToRecover, recoveryPage, usersToRecover } from './recovery-list.rows'

type RecoveryNeeds = Pick<PaymentsNeeds, 'database' | 'identity' | 'now'>

const pageSize = 50

/** Order Recovery's list (payments.md section 7): whole as the spec calls it, and in pages. */
export const recoveryListRoutes = (needs: RecoveryNeeds): Route[] => [
  route(failedOrders, withFeature('order_recovery'), async ({ query }) =>
    repliesOf(await attemptsToRecover(needs.database.knex, query.status, needs.now()), needs),
  ),

  route(listFailedOrders, withFeature('order_recovery'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const limit = query.limit ?? pageSize
    const { rows, total } = await foundIn(needs, query, { offset: (page - 1) * limit, limit })
    return { data: await repliesOf(rows, needs), metadata: pageMetadataOf(total, page, limit) }
  }),
]

const foundIn = async (
  { database: { knex }, now, identity }: RecoveryNeeds,
  { sort = 'date', direction = 'desc', status, text = '' }: QueryOf<typeof listFailedOrders>,
  page: { offset: number; limit: number },
) => {
  const at = now()
  const users = sort === 'customer' ? await usersToRecover(knex, at) : []
  const names = await identity.usernamesOf(users.map(({ userId }) => userId))
  return recoveryPage(
    knex,
    at,
    { status: status ?? null, text, userIds: text === '' ? [] : await identity.usersNamed(text) },
    {
      ...page,
      sort,
      direction,
      usersByName: inOrderOfNames(users, names, 'asc').map(({ userId }) => userId),
    },
  )
}

const repliesOf = async (
  rows: readonly ListedAttempt[],
  { identity }: RecoveryNeeds,
): Promise<FailedOrder[]> => {
  const families = await identity.studentsOfUsers([...new Set(rows.map(({ user_id }) => user_id))])
  return namedReplies(rows, identity.usernamesOf, (attempt, username) =>
    failedReply(attempt, username, families.get(attempt.checkout.userId) ?? []),
  )
}
