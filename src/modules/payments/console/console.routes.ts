import type { Knex } from 'knex'
import type { QueryOf, Direction } from '#contracts/endpoint'
import {
  acceptMismatch,
  liveOrders,
  notPaidYet,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
  type LiveSort,
} from '#contracts/payments-console'
import { foldedSearch, foldedSql, normalizedCodeSql } from '#kernel/folded-name'
import { ngweeFromSearch } from '#kernel/money'
import { inOrderOfNames, membersOnPage } from '#platform/http/paging'
import { answeredOnce, route, withFeature, type Route } from '#platform/http/route'
import type { ListedAttempt } from '../attempt/attempts.view'
import { recoveryError } from '../attempt/labels'
import type { StartedAttempt } from '../attempt/payment-attempt'
import { attemptNamed } from '../attempt/references.rows'
import { completeCheckout } from '../checkout/place-order.commands'
import type { PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'
import { amendmentsOf, recoveryOutcome, abandon, accept, retry, waive } from '../settlement/recovery.commands'
import type { SettlingNeeds } from '../settlement/settle.commands'
import { listedReplies, liveReply } from './find-attempts.rows'

const pageSize = 50

export const consoleRoutes = (needs: SettlingNeeds): Route[] => {
  const attemptOf = async (id: string): Promise<StartedAttempt> => (await attemptNamed(needs, id)).attempt

  return [
    route(liveOrders, withFeature('live_orders'), async ({ query }) => {
      const page = Math.max(1, query.page ?? 1)
      const limit = query.limit ?? pageSize
      const { rows, total } = await liveOrdersPage(needs, query, { offset: (page - 1) * limit, limit })
      const totalPages = Math.ceil(total / limit)
      return {
        data: await listedReplies(needs, rows, liveReply),
        pagination: {
          page,
          totalOrders: total,
          totalPages,
          hasPreviousPage: page > 1,
          hasNextPage: page < totalPages,
        },
      }
    }),

    route(
      setAttemptStatus,
      withFeature('live_orders'),
      async ({ params, body, by }) => {
        const { checkout } = await attemptOf(params.transactionId)
        if (body.status === 'Payment Abandoned' && checkout.kind === 'card')
          await abandon(needs)(checkout.attemptId, by)
        else if (body.status === 'Orders created successfully' && checkout.kind === 'free')
          await completeCheckout(needs)(checkout.attemptId, by)
        else throw refusal('unknown_status')
        return { message: 'Status updated' }
      },
      answeredOnce,
    ),

    route(
      retryAttempt,
      withFeature('live_orders', 'order_recovery'),
      async ({ params, body, by }) => {
        const attempt = await attemptOf(params.id)
        const amendments = amendmentsOf(attempt, body?.cartItems ?? [])
        const retried = await retry(needs)(attempt.checkout.attemptId, amendments, by)
        return recoveryOutcome(retried.attempt, retried.verdict)
      },
      answeredOnce,
    ),

    route(
      acceptMismatch,
      withFeature('order_recovery'),
      async ({ params, body, by }) => {
        const { checkout } = await attemptOf(params.id)
        const accepted = await accept(needs)(checkout.attemptId, body.reason, by)
        return recoveryOutcome(accepted.attempt)
      },
      answeredOnce,
    ),

    route(
      waiveRemainder,
      withFeature('order_recovery'),
      async ({ params, body, by }) => {
        const { checkout } = await attemptOf(params.id)
        const waived = await waive(needs)(checkout.attemptId, body.reason, by)
        return { message: recoveryError(waived.attempt) ?? 'Nothing is owed back' }
      },
      answeredOnce,
    ),
  ]
}

const maxNotPaid = 10_000

const liveOrdersPage = async (
  needs: PaymentsNeeds,
  filters: QueryOf<typeof liveOrders>,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const { knex } = needs.database
  const parent = filters.parent?.trim()
  const userIds = parent ? await needs.identity.usersNamed(parent) : null
  const isNotPaid = filters.status?.trim().toLowerCase() === notPaidYet.toLowerCase()
  const notPaid = isNotPaid
    ? [...(await needs.ordering.totals({ state: 'unpaid' }, 'attempt', { limit: maxNotPaid })).keys()]
    : null
  const wanted = { filters, userIds, notPaid, zone: needs.zone }
  const { sort = 'time', direction = 'desc' } = filters
  if (sort === 'parent') return sortedByParent(needs, wanted, { ...page, direction })
  return liveAttempts(knex, wanted, { ...page, sort, direction })
}

/** Names belong to identity, so counts per user locate the page. */
const sortedByParent = async (
  { database: { knex }, identity }: PaymentsNeeds,
  wanted: LiveOrderQuery,
  page: LivePage,
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const counts = await countAttemptsByUser(knex, wanted)
  const names = await identity.usernamesOf(counts.map(({ userId }) => userId))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const { userIds, before } = membersOnPage(inOrderOfNames(counts, names, page.direction), page)
  const rows = await liveAttemptsOf(knex, wanted, userIds, { ...page, offset: page.offset - before })
  return { rows, total }
}

type LiveOrderQuery = {
  filters: QueryOf<typeof liveOrders>
  userIds: readonly number[] | null
  /** The attempts asked for by `Not paid yet`. */
  notPaid: readonly string[] | null
  zone: string
}
type LivePage = { direction: Direction; offset: number; limit: number }

// Long carts are compared by their beginning.
const sortKeys: Record<Exclude<LiveSort, 'parent'>, string> = {
  time: 'started_at',
  student: 'lower(left(students, 100))',
  items: 'lower(left(items, 100))',
  amount: 'total',
  status: 'live_status',
  transactionId: `coalesce(token, '')`,
}

/** Ties in start order. Text ignores case, references ignore spaces and dashes; amounts, weeks, days and times match in common forms. */
const liveAttempts = async (
  knex: Knex,
  wanted: LiveOrderQuery,
  { sort, direction, offset, limit }: LivePage & { sort: Exclude<LiveSort, 'parent'> },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const [rows, [counted]] = await Promise.all([
    matching(knex, wanted)
      .orderByRaw([sortKeys[sort], 'started_at', 'id'].map((key) => `${key} ${direction}`).join(', '))
      .offset(offset)
      .limit(limit)
      .select('user_id', 'attempt'),
    matching(knex, wanted).count({ total: '*' }),
  ])
  return { rows, total: Number(counted?.total) }
}

const liveAttemptsOf = async (
  knex: Knex,
  wanted: LiveOrderQuery,
  users: readonly number[],
  { direction, offset, limit }: LivePage,
): Promise<ListedAttempt[]> =>
  matching(knex, { ...wanted, userIds: users })
    .orderByRaw('array_position(?::int[], user_id)', [[...users]])
    .orderBy([
      { column: 'started_at', order: direction },
      { column: 'id', order: direction },
    ])
    .offset(offset)
    .limit(limit)
    .select('user_id', 'attempt')

const countAttemptsByUser = async (
  knex: Knex,
  wanted: LiveOrderQuery,
): Promise<{ userId: number; count: number }[]> => {
  const rows: { userId: number; count: string }[] = await matching(knex, wanted)
    .groupBy('user_id')
    .select({ userId: 'user_id', count: knex.raw('count(*)') })
  return rows.map(({ userId, count }) => ({ userId, count: Number(count) }))
}

const matching = (knex: Knex, { filters, userIds, notPaid, zone }: LiveOrderQuery) => {
  const found = knex('payments.attempts')
  const contains = (what: string, asked: string | undefined, ...given: string[]) => {
    const text = asked?.trim()
    if (text) found.whereRaw(`position(lower(?) in lower(${what})) > 0`, [text, ...given])
  }
  const containsWritten = (what: string, asked: string | undefined) => {
    const signs = asked?.replaceAll(/[\s-]/g, '').toUpperCase() ?? ''
    if (/^[A-Z0-9]+$/.test(signs)) found.whereRaw(`position(? in ${normalizedCodeSql(what)}) > 0`, [signs])
    else contains(what, asked)
  }
  if (notPaid) found.whereRaw('id = any(?::uuid[])', [[...notPaid]])
  else contains('live_status', filters.status)
  const student = filters.student?.trim()
  if (student) found.whereRaw(`position(? in ${foldedSql('students')}) > 0`, [foldedSearch(student)])
  contains('items', filters.items)
  containsWritten(`concat_ws(' ', token, reference)`, filters.transactionId)
  contains(shownTime, filters.time, ...shownForms.map(() => zone))
  if (userIds) found.whereIn('user_id', userIds)
  if (filters.amount?.trim()) found.whereRaw('total = ?::int', [ngweeFromSearch(filters.amount)])
  if (filters.week?.trim()) found.whereRaw('?::int = any(weeks)', [wholeNumber(filters.week.trim())])
  if (filters.day?.trim()) found.whereRaw('?::int = any(days)', [dayNumber(filters.day.trim())])
  return found
}

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

const dayNumber = (text: string): number | null => {
  const name = dayNames.findIndex((day) => day.startsWith(text.toLowerCase()) && text.length >= 3)
  return name >= 0 ? name + 1 : wholeNumber(text)
}
const wholeNumber = (text: string): number | null => (/^\d{1,2}$/.test(text) ? Number(text) : null)

// Time formats of the table, in the school's zone.
const shownForms = [
  'YYYY-MM-DD HH24:MI',
  'DD/MM/YYYY HH24:MI',
  'FMDD Mon YYYY HH24:MI',
  'FMDD Mon YYYY, HH24:MI',
]
const shownTime = shownForms
  .map((form) => `to_char(started_at at time zone ?, '${form}')`)
  .join(" || ' | ' || ")
