import type { Knex } from 'knex'
import type { Direction } from '#contracts/endpoint'
import type { RefundSort, RefundStatus, ListedRefund } from '#contracts/refunds'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { Measure } from '#platform/module'
import type { Ports } from '#platform/ports'
import { isUnderWay, cardReply, type CardRefund } from './card-refund'
import type { RefundsNeeds } from './ports'
import type { ApprovalRow, RefundRow, CardRefundRow } from './refunds.view'

const refunds = (knex: Knex) => knex<RefundRow>('refunds.refunds')

type RefundFilter = { status: RefundStatus; text: string }
type RefundPage = { sort: RefundSort; direction: Direction; offset: number; limit: number }

const stored: Record<RefundStatus, readonly RefundRow['status'][]> = {
  cancelled: ['due'],
  refunded: ['paid_back'],
  all: ['due', 'paid_back'],
}

const shown: Record<RefundSort, string> = {
  due: 'due_since',
  date: 'ordered_at',
  student: 'lower(student_name)',
  item: 'lower(item_name)',
  amount: `case status when 'due' then owed else amount end`,
  status: `status = 'paid_back'`,
}

const waitsFirst = 'id in (select refund_id from refunds.approvals) desc'

export const refundsPage = async (
  knex: Knex,
  { status, text }: RefundFilter,
  { sort, direction, offset, limit }: RefundPage,
): Promise<{ rows: RefundRow[]; total: number }> => {
  const matching = refunds(knex).whereIn('status', [...stored[status]])
  if (text !== '')
    matching.whereRaw(`position(? in ${foldedSql("concat_ws('|', student_name, item_name, id)")}) > 0`, [
      foldedSearch(text),
    ])
  const [rows, counted] = await Promise.all([
    matching
      .clone()
      .orderByRaw(`${waitsFirst}, ${shown[sort]} ${direction}, id ${direction}`)
      .offset(offset)
      .limit(limit),
    matching.clone().count({ total: '*' }).first(),
  ])
  return { rows, total: Number(counted?.total) }
}

export const approvalsOf = async (
  knex: Knex,
  refundIds: readonly string[],
): Promise<Map<string, ApprovalRow>> => {
  const rows = await knex<ApprovalRow>('refunds.approvals').whereIn('refund_id', [...refundIds])
  return new Map(rows.map((row) => [row.refund_id, row]))
}

export const ordersOwed = (knex: Knex) => (): Promise<string[]> =>
  knex('refunds.refunds').where('status', 'due').whereNotNull('order_id').pluck('order_id')

/** Due or paid back, in ngwee. */
export const amountsOfOrders = async (
  pool: Reader,
  orderIds: readonly string[],
): Promise<Map<string, Ngwee>> => {
  const { rows } = await pool.query<{ id: string; amount: Ngwee }>(
    `select id, amount from refunds.refunds where id = any($1) and status <> 'withdrawn'`,
    [orderIds],
  )
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}

/** In ngwee; on the pool or within a transaction. */
export const owedInAll = async (at: Reader): Promise<Ngwee> => {
  const { rows } = await at.query<{ owed: number }>(
    'select coalesce(sum(owed), 0)::float8 as owed from refunds.refunds',
  )
  return rows[0]?.owed ?? 0
}

/** In ngwee. */
export const owedForAttempts = async (knex: Knex, attemptIds: readonly string[]): Promise<Ngwee> => {
  const found = await refunds(knex)
    .whereIn('attempt_id', [...attemptIds])
    .sum({ owed: 'owed' })
    .first()
  return Number(found?.owed ?? 0)
}

export const dueOfAttempts = (knex: Knex, attemptIds: readonly string[]): Promise<string[]> =>
  refunds(knex)
    .whereIn('attempt_id', [...attemptIds])
    .where('status', 'due')
    .pluck('id')

export const partsPaidBack = (knex: Knex, attemptIds: readonly string[]): Promise<string[]> =>
  refunds(knex)
    .whereIn('attempt_id', [...attemptIds])
    .whereNull('order_id')
    .whereRaw('owed < amount')
    .whereNot({ status: 'withdrawn' })
    .orderBy('id')
    .pluck('id')

export const refundsOfAttempts = (knex: Knex, attemptIds: readonly string[]): Promise<string[]> =>
  refunds(knex)
    .whereIn('attempt_id', [...attemptIds])
    .pluck('id')

export const refundsOfPayer = (knex: Knex, attemptIds: readonly string[]): Promise<RefundRow[]> =>
  refunds(knex)
    .whereIn('attempt_id', [...attemptIds])
    .whereIn('status', ['due', 'paid_back'])
    .orderBy(['due_since', 'id'])

export const refundedAmount =
  (knex: Knex) =>
  async (attemptId: string): Promise<Ngwee> => {
    const found = await refunds(knex)
      .where({ attempt_id: attemptId })
      .whereNot({ status: 'withdrawn' })
      .sum({ back: knex.raw('amount - owed') })
      .first()
    return Number(found?.back ?? 0)
  }

/** Newest first; amounts in ngwee. */
export const refundsOfFamily = async (at: Reader, attemptIds: readonly string[]): Promise<RefundRow[]> => {
  const { rows } = await at.query<RefundRow>(
    `select * from refunds.refunds where attempt_id = any($1::uuid[]) and status <> 'withdrawn'
     order by due_since desc, id limit 200`,
    [attemptIds],
  )
  return rows
}

/** `askedBy`: who asked for each approval that waits. */
export const refundsWaiting = async (
  at: Reader,
): Promise<{ due: number; owed: Ngwee; toCheck: number; askedBy: number[] }> => {
  const { rows } = await at.query(
    `select count(*)::int as due, coalesce(sum(owed), 0)::float8 as owed,
       (select count(*)::int from refunds.card_refunds where state = 'check') as "toCheck",
       array(select asked_by from refunds.approvals order by asked_at limit 500) as "askedBy"
     from refunds.refunds where status = 'due'`,
  )
  return rows[0]
}

/** Oldest first; a payment has few. */
export const dueOfAttempt = (knex: Knex, attemptId: string): Promise<string[]> =>
  refunds(knex)
    .where({ attempt_id: attemptId, status: 'due' })
    .orderBy(['due_since', 'id'])
    .limit(500)
    .pluck('id')

const owedOfAttempts = async (knex: Knex, attemptIds: readonly string[]): Promise<Map<string, Ngwee>> => {
  const rows = await refunds(knex)
    .whereIn('attempt_id', [...attemptIds])
    .where({ status: 'due' })
    .groupBy('attempt_id')
    .select<{ attempt_id: string; owed: string }[]>('attempt_id', knex.raw('sum(owed) as owed'))
  return new Map(rows.map(({ attempt_id, owed }) => [attempt_id, Number(owed)]))
}

const cardRefunds = (knex: Knex) => knex<CardRefundRow>('refunds.card_refunds')

const cardRefundsOf = async (
  knex: Knex,
  refundIds: readonly string[],
): Promise<ReadonlyMap<string, CardRefund>> => {
  const rows = await cardRefunds(knex).whereIn('refund_id', [...refundIds])
  return new Map(rows.map(({ refund_id, card }) => [refund_id, card]))
}

export const cardRefundsToFollow = (
  knex: Knex,
): Promise<{ refundId: string; requestId: string; since: string }[]> =>
  cardRefunds(knex)
    .whereIn('state', ['requested', 'pending'])
    .orderBy('refund_id')
    .select({
      refundId: 'refund_id',
      requestId: knex.raw(`card->>'requestId'`),
      since: knex.raw(`card->>'since'`),
    })

const cardRefundsToCheck = async (knex: Knex): Promise<number> =>
  Number((await cardRefunds(knex).where({ state: 'check' }).count({ count: '*' }).first())?.count)

type CardShown = Pick<ListedRefund, 'card'> & {
  allowed: Pick<ListedRefund['allowed'], 'complete' | 'card' | 'check'>
}

export const withCardRefunds = async (
  { database, cards, cardRefundsOn, payments }: RefundsNeeds,
  rows: readonly RefundRow[],
): Promise<(row: RefundRow) => CardShown> => {
  const isOn = cards !== null && (await cardRefundsOn())
  const attemptIds = isOn ? [...new Set(rows.map((row) => row.attempt_id))] : []
  const [requests, byCard] = await Promise.all([
    cardRefundsOf(
      database.knex,
      rows.map(({ id }) => id),
    ),
    payments.cardPayments(attemptIds),
  ])
  const mobile = [...byCard].flatMap(([id, { method }]) => (method === 'card' ? [] : [id]))
  const owed = mobile.length > 0 ? await owedOfAttempts(database.knex, mobile) : new Map<string, Ngwee>()
  const mayGoBack = ({ attempt_id: id }: RefundRow) => {
    const payment = byCard.get(id)
    return payment !== undefined && (payment.method === 'card' || owed.get(id) === payment.received)
  }
  return (row) => {
    const request = requests.get(row.id) ?? null
    const isFree = row.status === 'due' && !isUnderWay(request)
    return {
      card: request && cardReply(request),
      allowed: {
        complete: isFree,
        card: isFree && mayGoBack(row),
        check: request?.state === 'check',
      },
    }
  }
}

export const refundMeasures = ({ database: { knex }, now }: Ports): Measure[] => {
  const due = () => knex('refunds.refunds').where('status', 'due')
  return [
    {
      name: 'tuckshop_refunds_due',
      help: 'Refunds that are due and not paid back in full',
      value: async () => Number((await due().count({ count: '*' }).first())?.count),
    },
    {
      name: 'tuckshop_refunds_due_ngwee',
      help: 'What is still to be paid back, in ngwee',
      value: async () => Number((await due().sum({ owed: 'owed' }).first())?.owed),
    },
    {
      name: 'tuckshop_refunds_oldest_due_seconds',
      help: 'For how long the oldest refund has been due, 0 without one',
      value: async () => {
        const oldest = await due().min({ since: 'due_since' }).first()
        return oldest?.since ? Math.max(0, (now().getTime() - oldest.since.getTime()) / 1000) : 0
      },
    },
    {
      name: 'tuckshop_card_refunds_to_check',
      help: 'Refunds to the card of which the provider has not said what became of them, for a person to find out',
      value: () => cardRefundsToCheck(knex),
    },
  ]
}
