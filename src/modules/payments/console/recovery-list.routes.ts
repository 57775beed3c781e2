import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import { failedOrders } from '#contracts/payments-console'
import type { FailedOrder } from '#contracts/payments-console'
import { listFailedOrders } from '#contracts/recovery-list'
import type { Now } from '#platform/clock'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { failedReply } from '../card/replies'
import type { AttemptRow } from '../attempt/attempts.view'
import { namedReplies } from './named-replies.commands'
import { inOrderOfNames } from './page-by-user'
import { attemptsToRecover, recoveryPage, usersToRecover } from './recovery-list.rows'

export type RecoveryNeeds = {
  database: { pool: Pool }
  now: Now
  usernames: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** The users whose username contains this text, without regard to case. */
  usersNamed: (text: string) => Promise<number[]>
  /** The children on each of these accounts. */
  studentsOfUsers: (
    userIds: readonly number[],
  ) => Promise<ReadonlyMap<number, readonly { id: number; name: string; grade: string }[]>>
}

const pageSize = 50

/** Order Recovery's list (payments.md section 7): whole as the spec calls it, and in pages. */
export const recoveryListRoutes = (needs: RecoveryNeeds): Route[] => [
  route(failedOrders, withFeature('order_recovery'), async ({ query }) =>
    repliesOf(await attemptsToRecover(needs.database.pool, query.status, needs.now()), needs),
  ),

  route(listFailedOrders, withFeature('order_recovery'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const limit = query.limit ?? pageSize
    const { rows, total } = await foundIn(needs, query, { offset: (page - 1) * limit, limit })
    return { data: await repliesOf(rows, needs), metadata: pageMetadataOf(total, page, limit) }
  }),
]

const foundIn = async (
  { database: { pool }, now, ...directory }: RecoveryNeeds,
  { sort = 'date', direction = 'desc', status, text = '' }: QueryOf<typeof listFailedOrders>,
  page: { offset: number; limit: number },
) => {
  const at = now()
  const users = sort === 'customer' ? await usersToRecover(pool, at) : []
  const names = await directory.usernames(users.map(({ userId }) => userId))
  return recoveryPage(
    pool,
    at,
    { status: status ?? null, text, userIds: text === '' ? [] : await directory.usersNamed(text) },
    {
      ...page,
      sort,
      direction,
      usersByName: inOrderOfNames(users, names, 'asc').map(({ userId }) => userId),
    },
  )
}

const repliesOf = async (
  rows: readonly AttemptRow[],
  { usernames, studentsOfUsers }: RecoveryNeeds,
): Promise<FailedOrder[]> => {
  const families = await studentsOfUsers([...new Set(rows.map(({ user_id }) => user_id))])
  return namedReplies(rows, usernames, (attempt, username) =>
    failedReply(attempt, username, families.get(attempt.checkout.userId) ?? []),
  )
}
