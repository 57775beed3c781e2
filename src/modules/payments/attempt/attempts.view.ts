import type { Knex } from 'knex'
import type { PayBy } from '#contracts/ordering'
import { column, type RowOf } from '#kernel/column'
import { normalizedCodeSql } from '#kernel/folded-name'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { Ports } from '#platform/ports'
import { rowView } from '#platform/projections/row-view'
import type { ProviderMethod } from '../published'
import type { Checkout, OwedPart } from './events'
import { paymentAttempt } from './fold'
import { liveLabel, recoveryStatus } from './labels'
import {
  ledgerOf,
  attemptEventTypes,
  owedBack,
  isMoneyOurs,
  payByOf,
  type AttemptState,
  type PaymentAttempt,
  type StartedAttempt,
  type AttemptEvent,
} from './payment-attempt'

/** Totals in ngwee. `attempt` is the folded state, `since_at` when it entered its status; students and items are for searching. */
const attemptColumns = {
  id: column<string>('uuid'),
  kind: column<Checkout['kind']>('text'),
  user_id: column<number>('integer'),
  status: column<AttemptState>('text'),
  live_status: column<string>('text'),
  recovery_status: column<string | null>('text'),
  total: column<number>('integer'),
  reference: column<string | null>('text'),
  token: column<string | null>('text'),
  body_hash: column<string>('text'),
  students: column<string>('text'),
  items: column<string>('text'),
  weeks: column<number[]>('integer[]'),
  days: column<number[]>('integer[]'),
  started_at: column<string | Date>('timestamptz'),
  since_at: column<string | Date>('timestamptz'),
  issued_at: column<string | Date | null>('timestamptz'),
  limit_at: column<string | Date | null>('timestamptz'),
  lease_until: column<string | Date | null>('timestamptz'),
  acknowledged: column<boolean>('boolean'),
  /** Still owed, in ngwee. */
  owed: column<number>('integer'),
  attempt: column<PaymentAttempt>('jsonb'),
}
export type AttemptRow = RowOf<typeof attemptColumns>

export type ListedAttempt = Pick<AttemptRow, 'user_id' | 'attempt'>

export const attemptsView = rowView({
  table: 'payments.attempts',
  columns: attemptColumns,
  primaryKey: 'id',
  events: attemptEventTypes,
  key: ({ data }) => data.attemptId,
  /** Derived from the folded state: no event has its own rule here. */
  evolve: (row: AttemptRow | null, event: AttemptEvent): AttemptRow | null => {
    const attempt = paymentAttempt.evolve(row?.attempt ?? paymentAttempt.initial, event)
    if (attempt.status === 'none') return null
    return rowOf(attempt, row?.status === attempt.status ? row.since_at : event.data.at)
  },
})

const distinct = <Value>(values: Value[]): Value[] => [...new Set(values)]

const rowOf = (attempt: StartedAttempt, since: string | Date): AttemptRow => {
  const { checkout, token } = attempt
  return {
    id: checkout.attemptId,
    kind: checkout.kind,
    user_id: checkout.userId,
    status: attempt.status,
    live_status: liveLabel(attempt).status,
    recovery_status: recoveryStatus(attempt),
    total: checkout.total,
    reference: checkout.companyRef,
    token: token?.token ?? null,
    body_hash: checkout.bodyHash,
    students: distinct(checkout.lines.map(({ student }) => student.name)).join('\n'),
    items: distinct(checkout.lines.map(({ item }) => item.name)).join('\n'),
    weeks: distinct(checkout.lines.map(({ slot }) => slot.week)),
    days: distinct(checkout.lines.map(({ slot }) => slot.day)),
    started_at: checkout.at,
    since_at: since,
    issued_at: token?.issuedAt ?? null,
    limit_at: token?.limitAt ?? null,
    lease_until: attempt.status === 'recovering' ? attempt.leaseUntil : null,
    acknowledged: attempt.acknowledged,
    owed: ledgerOf(attempt).owed,
    attempt,
  }
}

const attempts = (knex: Knex) => knex('payments.attempts')

/** Oldest first, at most 100. */
export const unfinishedFreeAttempts = (knex: Knex, startedBefore: Date): Promise<string[]> =>
  attempts(knex)
    .whereIn('status', ['draft', 'releasing'])
    .whereNot({ kind: 'card' })
    .where('started_at', '<', startedBefore)
    .orderBy(['started_at', 'id'])
    .limit(100)
    .pluck('id')

/** Newest first, at most 50. */
export const openAttempts = async (
  { database, now }: Ports,
  userId: number,
): Promise<{ id: string; bodyHash: string }[]> => {
  const { rows } = await database.reads.query<{ id: string; bodyHash: string }>({
    name: 'payments-open-attempts',
    text: `select id, body_hash as "bodyHash" from payments.attempts
      where user_id = $1 and kind = 'card'
        and (status in ('initiated', 'processing', 'review') or (status = 'declined' and limit_at > $2))
      order by started_at desc, id desc limit 50`,
    values: [userId, now()],
  })
  return rows
}

export type ShownPayment = { userId: number; payBy: PayBy | null; reference: string }

export const paymentsShown = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<Map<string, ShownPayment>> => {
  const rows: (ListedAttempt & { id: string })[] = await attempts(knex)
    .whereIn('id', [...attemptIds])
    .select('id', 'user_id', 'attempt')
  return new Map(
    rows.flatMap(({ id, user_id: userId, attempt }) =>
      attempt.status === 'none'
        ? []
        : [[id, { userId, payBy: payByOf(attempt), reference: attempt.checkout.companyRef ?? '' }] as const],
    ),
  )
}

export const attemptsOfUser = (knex: Knex, userId: number): Promise<string[]> =>
  knex('payments.attempts').where({ user_id: userId }).pluck('id')

export type CardPayment = { token: string; ref: string | null; received: Ngwee; method: ProviderMethod }

export const cardPayments = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<ReadonlyMap<string, CardPayment>> => {
  const rows = await attempts(knex)
    .whereIn('id', [...attemptIds])
    .where({ kind: 'card' })
    .select('id', 'attempt')
  return new Map(
    rows.flatMap(({ id, attempt }): [string, CardPayment][] => {
      if (attempt.status === 'none' || !attempt.token || !isMoneyOurs(attempt)) return []
      const { token, ref } = attempt.token
      return [[id, { token, ref, received: ledgerOf(attempt).received, method: attempt.method ?? 'card' }]]
    }),
  )
}

/** Card money in ngwee received after the day was closed, by closure. */
export const owedForClosures = async (
  knex: Knex,
  closureIds: readonly string[],
): Promise<Map<string, Ngwee>> => {
  const { rows } = await knex.raw<{ rows: { id: string; owed: Ngwee }[] }>(
    `select line->'closure'->>'id' as id, sum((line->>'owed')::int)::int as owed
     from payments.attempts a cross join lateral jsonb_array_elements(a.attempt->'outcomes') line
     where jsonb_path_exists(a.attempt, '$.outcomes[*].closure') and line->'closure'->>'id' = any(?)
     group by line->'closure'->>'id'`,
    [[...closureIds]],
  )
  return new Map(rows.map(({ id, owed }) => [id, owed]))
}

export type OwingAttempt = { attemptId: string; parts: readonly OwedPart[]; payouts: readonly string[] }

export const owingAttempts = async (knex: Knex): Promise<OwingAttempt[]> => {
  const rows: { id: string; attempt: AttemptRow['attempt'] }[] = await attempts(knex)
    .where('owed', '>', 0)
    .orderBy('id')
    .select('id', 'attempt')
  return rows.map(({ id, attempt }) => ({
    attemptId: id,
    parts: owedBack(attempt).map(({ part }) => part),
    payouts: attempt.status === 'none' ? [] : Object.values(attempt.payouts).flat(),
  }))
}

/** `token` and `ref` are the provider's, `reference` is ours. */
export type CardNames = {
  attemptId: string
  token: string | null
  ref: string | null
  reference: string | null
}

export const cardNames = async (
  at: Reader,
  { attemptIds, names }: { attemptIds: readonly string[]; names: readonly string[] },
): Promise<CardNames[]> => {
  const written = [...new Set(names.map((name) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')))]
  const { rows } = await at.query<CardNames>(
    `select id as "attemptId", token, attempt->'token'->>'ref' as ref, reference
     from payments.attempts where kind = 'card' and id in (
       select unnest($1::uuid[])
       union all
       select id from payments.attempts where reference is not null and ${normalizedCodeSql('reference')} = any($2)
       union all
       select id from payments.attempts where token is not null and ${normalizedCodeSql('token')} = any($2)
       union all
       select id from payments.attempts where attempt->'token'->>'ref' is not null
         and ${normalizedCodeSql(`(attempt->'token'->>'ref')`)} = any($2))`,
    [attemptIds, written.filter((name) => name !== '')],
  )
  return rows
}
