import type { Knex } from 'knex'
import type { QueryOf, Direction } from '#contracts/endpoint'
import {
  failedOrders,
  type FailedOrder,
  listFailedOrders,
  needsDecision,
  paidMeanwhile,
  type RecoverySort,
} from '#contracts/payments-console'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { Reader } from '#platform/database'
import { pageMetadataOf, inOrderOfNames } from '#platform/http/paging'
import { route, withFeature, type Route } from '#platform/http/route'
import type { ListedAttempt } from '../attempt/attempts.view'
import { listedAfterMs } from '../attempt/labels'
import type { PaymentsNeeds } from '../ports'
import { failedReply, listedReplies, paidSince, startedIn } from './find-attempts.rows'

const pageSize = 50

/** payments.md section 7. */
export const recoveryListRoutes = (needs: PaymentsNeeds): Route[] => [
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
  needs: PaymentsNeeds,
  { sort = 'date', direction = 'desc', status, text = '' }: QueryOf<typeof listFailedOrders>,
  page: { offset: number; limit: number },
) => {
  const { now, identity } = needs
  const { knex } = needs.database
  const at = now()
  const users = sort === 'customer' ? await usersToRecover(knex, at) : []
  const names = await identity.usernamesOf(users.map(({ userId }) => userId))
  return recoveryPage(
    knex,
    at,
    {
      status: status ?? null,
      text,
      userIds: text === '' ? [] : await identity.usersNamed(text),
      paidIds: await idsPaidSince(needs, at),
    },
    {
      ...page,
      sort,
      direction,
      usersByName: inOrderOfNames(users, names, 'asc').map(({ userId }) => userId),
    },
  )
}

const repliesOf = async (rows: readonly ListedAttempt[], needs: PaymentsNeeds): Promise<FailedOrder[]> => {
  const families = await needs.identity.studentsOfUsers([...new Set(rows.map(({ user_id }) => user_id))])
  return listedReplies(needs, rows, (attempt, about) =>
    failedReply(attempt, about, families.get(attempt.checkout.userId) ?? []),
  )
}

// Older ones stay in the list, paid since or not.
const maxLookedThrough = 2_000

const idsPaidSince = async (needs: PaymentsNeeds, now: Date): Promise<string[]> => {
  const rows: ListedAttempt[] = await toRecover(needs.database.knex, now)
    .where({ status: 'declined' })
    .orderBy('started_at', 'desc')
    .limit(maxLookedThrough)
    .select('user_id', 'attempt')
  return [...(await paidSince(needs, startedIn(rows))).keys()]
}

const stuckMs = 5 * 60_000

/** Paid, and only a person gets on with them; or their orders should have been made long ago. */
const needsPerson = (now: Date) => ({
  sql: `(status in ('blocked', 'review') or (status = 'paid' and since_at < ?))`,
  bindings: [new Date(now.getTime() - stuckMs)],
})

export const paymentsToDecide = async (at: Reader, now: Date): Promise<number> => {
  const { sql, bindings } = needsPerson(now)
  const { rows } = await at.query<{ count: number }>(
    `select count(*)::int as count from payments.attempts where kind = 'card' and ${sql.replace('?', '$1')}`,
    bindings,
  )
  return rows[0]!.count
}

const toRecover = (knex: Knex, now: Date) => {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const late = Object.entries(listedAfterMs)
  return knex('payments.attempts')
    .where({ kind: 'card' })
    .whereNotNull('recovery_status')
    .where((listed) => {
      listed.where((other) =>
        other
          .whereNotIn(
            'status',
            late.map(([status]) => status),
          )
          .where('since_at', '<=', now),
      )
      for (const [status, ms] of late)
        listed.orWhere((one) => one.where({ status }).where('since_at', '<=', before(ms)))
    })
}

/** Newest first, at most 500. */
const attemptsToRecover = async (
  knex: Knex,
  asked: string | undefined,
  now: Date,
): Promise<ListedAttempt[]> => {
  const found = toRecover(knex, now)
  const text = asked?.trim()
  if (text) found.whereRaw('position(lower(?) in lower(recovery_status)) > 0', [text])
  return found
    .orderBy([
      { column: 'started_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(500)
    .select('user_id', 'attempt')
}

type RecoveryFilter = {
  status: string | null
  text: string
  userIds: readonly number[]
  paidIds: readonly string[]
}

type RecoveryPage = {
  sort: RecoverySort
  direction: Direction
  usersByName: readonly number[]
  offset: number
  limit: number
}

const recoveryPage = async (
  knex: Knex,
  now: Date,
  { status, text, userIds, paidIds }: RecoveryFilter,
  { sort, direction, usersByName, offset, limit }: RecoveryPage,
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const matching = () => {
    const found = toRecover(knex, now)
    found.whereRaw(`(id = any(?::uuid[])) = ?`, [[...paidIds], status === paidMeanwhile])
    if (status === needsDecision) found.whereRaw(needsPerson(now).sql, needsPerson(now).bindings)
    else if (status !== null && status !== paidMeanwhile) found.where({ recovery_status: status })
    if (text !== '')
      found.where((named) =>
        named
          .whereIn('user_id', userIds)
          .orWhereRaw(`position(? in ${foldedSql("concat_ws('|', students, reference, token)")}) > 0`, [
            foldedSearch(text),
          ]),
      )
    return found
  }
  const page = matching()
  if (sort === 'customer')
    page.orderByRaw(`array_position(?::int[], user_id) ${direction} nulls last`, [[...usersByName]])
  else page.orderByRaw(`${sortKeys[sort]} ${direction}`)
  const [rows, [counted]] = await Promise.all([
    page
      .orderBy([
        { column: 'started_at', order: direction },
        { column: 'id', order: direction },
      ])
      .offset(offset)
      .limit(limit)
      .select('user_id', 'attempt'),
    matching().count({ total: '*' }),
  ])
  return { rows, total: Number(counted?.total) }
}

const sortKeys: Record<Exclude<RecoverySort, 'customer'>, string> = {
  date: 'started_at',
  amount: 'total',
  status: 'recovery_status',
  reference: `coalesce(reference, '')`,
}

const usersToRecover = async (knex: Knex, now: Date): Promise<{ userId: number }[]> =>
  toRecover(knex, now).distinct({ userId: 'user_id' })
