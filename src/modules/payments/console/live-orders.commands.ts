import type { QueryOf } from '#contracts/endpoint'
import type { liveOrders } from '#contracts/payments-console'
import type { ListedAttempt } from '../attempt/attempts.view'
import type { PaymentsNeeds } from '../needs'
import {
  countAttemptsByUser,
  liveAttempts,
  liveAttemptsOf,
  type LivePage,
  type LiveWanted,
} from './live-orders.rows'
import { inOrderOfNames, membersOnPage } from './page-by-user'

type LiveNeeds = Pick<PaymentsNeeds, 'database' | 'identity' | 'zone'>

/** A page of Live Orders: attempts of every kind, filtered and sorted as asked, and how many there are. */
export const liveOrdersPage = async (
  needs: LiveNeeds,
  filters: QueryOf<typeof liveOrders>,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const { knex } = needs.database
  const parent = filters.parent?.trim()
  const userIds = parent ? await needs.identity.usersNamed(parent) : null
  const wanted = { filters, userIds, zone: needs.zone }
  const { sort = 'time', direction = 'desc' } = filters
  if (sort === 'parent') return sortedByParent(needs, wanted, { ...page, direction })
  return liveAttempts(knex, wanted, { ...page, sort, direction })
}

/** Names belong to another context: how many attempts each user has tells whose are on the page. */
const sortedByParent = async (
  { database: { knex }, identity }: LiveNeeds,
  wanted: LiveWanted,
  page: LivePage,
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const counts = await countAttemptsByUser(knex, wanted)
  const names = await identity.usernamesOf(counts.map(({ userId }) => userId))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const { userIds, before } = membersOnPage(inOrderOfNames(counts, names, page.direction), page)
  const rows = await liveAttemptsOf(knex, wanted, userIds, { ...page, offset: page.offset - before })
  return { rows, total }
}
