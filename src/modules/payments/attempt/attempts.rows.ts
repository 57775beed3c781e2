import type { Knex } from 'knex'
import type { PayBy } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import type { OwedPart } from './events'
import { ledgerOf, owedBack, isMoneyOurs, payByOf } from './payment-attempt'
import type { AttemptRow, ListedAttempt } from './attempts.view'
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

export const openAttempts = async (
  knex: Knex,
  userId: number,
  now: Date,
): Promise<{ id: string; bodyHash: string }[]> =>
  attempts(knex)
    .where({ user_id: userId, kind: 'card' })
    .where((open) =>
      open
        .whereIn('status', ['initiated', 'processing', 'review'])
        .orWhere((declined) => declined.where({ status: 'declined' }).where('limit_at', '>', now)),
    )
    .orderBy([
      { column: 'started_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(50)
    .select('id', { bodyHash: 'body_hash' })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const attemptNamed = async (knex: Knex, transactionId: string): Promise<ListedAttempt | null> => {
  const found = (where: Partial<AttemptRow>): Promise<ListedAttempt | undefined> =>
    attempts(knex).where(where).first('user_id', 'attempt')
  const byToken = await found({ token: transactionId })
  return byToken ?? (uuid.test(transactionId) ? await found({ id: transactionId }) : null) ?? null
}

export const attemptOfToken = async (knex: Knex, token: string): Promise<string | null> => {
  const [id] = await attempts(knex).where({ token }).pluck('id')
  return id ?? null
}

export const paymentsShown = async (
  knex: Knex,
  attemptIds: readonly string[],
): Promise<Map<string, { userId: number; payBy: PayBy | null; reference: string }>> => {
  const rows: (ListedAttempt & { id: string })[] = await attempts(knex)
    .whereIn('id', [...attemptIds])
    .select('id', 'user_id', 'attempt')
  return new Map(
    rows.flatMap(({ id, user_id: userId, attempt }) =>
      attempt.status === 'none'
        ? []
        : [
            [
              id,
              { userId, payBy: payByOf(attempt.checkout), reference: attempt.checkout.companyRef ?? '' },
            ] as const,
          ],
    ),
  )
}

export const attemptsOfUser = (knex: Knex, userId: number): Promise<string[]> =>
  knex('payments.attempts').where({ user_id: userId }).pluck('id')

type CardPayment = { token: string; ref: string | null; received: Ngwee }

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
      return [[id, { token, ref, received: ledgerOf(attempt).received }]]
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
