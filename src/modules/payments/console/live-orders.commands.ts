import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import type { liveOrders } from '#contracts/payments-console'
import { inOrderOfNames, membersOnPage } from './page-by-user'
import type { ListedAttempt } from '../attempt/attempts.view'
import { countAttemptsByUser, liveAttempts, liveAttemptsOf } from './live-orders.rows'
import type { LivePage, LiveWanted } from './live-orders.rows'

export type LiveNeeds = {
  database: { pool: Pool }
  zone: string
  usernames: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** The users whose username contains this text, without regard to case. */
  usersNamed: (text: string) => Promise<number[]>
}

/** A page of Live Orders: attempts of every kind, filtered and sorted as asked, and how many there are. */
export const liveOrdersPage = async (
  needs: LiveNeeds,
  filters: QueryOf<typeof liveOrders>,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const { pool } = needs.database
  const parent = filters.parent?.trim()
  const userIds = parent ? await needs.usersNamed(parent) : null
  const wanted = { filters, userIds, zone: needs.zone }
  const { sort = 'time', direction = 'desc' } = filters
  if (sort === 'parent') return sortedByParent(needs, wanted, { ...page, direction })
  return liveAttempts(pool, wanted, { ...page, sort, direction })
}

/** Names belong to another context: how many attempts each user has tells whose are on the page. */
const sortedByParent = async (
  { database: { pool }, usernames }: LiveNeeds,
  wanted: LiveWanted,
  page: LivePage,
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const counts = await countAttemptsByUser(pool, wanted)
  const names = await usernames(counts.map(({ userId }) => userId))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const { userIds, before } = membersOnPage(inOrderOfNames(counts, names, page.direction), page)
  const rows = await liveAttemptsOf(pool, wanted, userIds, { ...page, offset: page.offset - before })
  return { rows, total }
}
