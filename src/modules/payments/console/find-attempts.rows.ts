import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { ListedAttempt } from '../attempt/attempts.view'
import { normalizedCodeSql } from '#kernel/folded-name'

const maxIdentified = 50

/** Newest first, at most 50. `code` is a `like` pattern; `LP` may be missing. */
export const attemptsByReference = async (
  at: Reader,
  code: string,
): Promise<{ id: string; userId: number }[]> => {
  const { rows } = await at.query<{ id: string; userId: number }>(
    `select id, user_id as "userId" from payments.attempts where id in (
       select id from payments.attempts where reference is not null and ${normalizedCodeSql('reference')} like $1
       union all
       select id from payments.attempts where reference is not null and ${normalizedCodeSql('reference')} like 'LP' || $1
       union all
       select id from payments.attempts where token is not null and ${normalizedCodeSql('token')} like $1
       union all
       select id from payments.attempts where attempt->'token'->>'ref' is not null
         and ${normalizedCodeSql(`(attempt->'token'->>'ref')`)} like $1)
     order by started_at desc, id desc limit $2`,
    [code, maxIdentified],
  )
  return rows
}

type AttemptQuestion = {
  ids: readonly string[]
  users: readonly number[]
  amount: Ngwee | null
  unpaid: readonly string[]
}

const isOpen = `status in ('draft', 'initiated', 'processing', 'recovering', 'review')`

// Selects the few shown before reading whole checkouts.
const place = `id, started_at, (${isOpen}) as is_open`

/** By id, user or amount: unpaid first, then newest. Scans the newest `limit` per user and amount, plus the unpaid. */
export const attemptsFound = async (
  at: Reader,
  { ids, users, amount, unpaid }: AttemptQuestion,
  limit: number,
): Promise<ListedAttempt[]> => {
  const { rows } = await at.query<ListedAttempt>(
    `with picked as (
       select ${place} from payments.attempts where id = any($1::uuid[] || $4::uuid[])
       union
       select a.* from unnest($2::int[]) as wanted (user_id) cross join lateral (
         select ${place} from payments.attempts where user_id = wanted.user_id
         order by started_at desc limit $5) a
       union
       (select ${place} from payments.attempts where total = $3 order by started_at desc limit $5)
       union
       (select ${place} from payments.attempts where attempt->'money'->>'amount' is not null
          and (attempt->'money'->>'amount')::bigint = $3 order by started_at desc limit $5)
       union
       (select ${place} from payments.attempts where ${isOpen} and total = $3 limit $5)),
     shown as (
       select id, (is_open or id = any($4::uuid[])) as comes_first from picked
       order by comes_first desc, started_at desc, id desc limit $5)
     select user_id, attempt from shown join payments.attempts using (id)
     order by comes_first desc, started_at desc, id desc`,
    [ids, users, amount, unpaid, limit],
  )
  return rows
}

export const referencesAt = async (
  at: Reader,
  attemptIds: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await at.query<{ id: string; reference: string }>(
    'select id, reference from payments.attempts where id = any($1::uuid[]) and reference is not null',
    [attemptIds],
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

const maxPerFamily = 50

export const attemptsOfFamily = async (
  at: Reader,
  userId: number,
): Promise<(ListedAttempt & { since: Date })[]> => {
  const { rows } = await at.query<ListedAttempt & { since: Date }>(
    `select user_id, attempt, since_at as since from payments.attempts where user_id = $1
     order by started_at desc, id desc limit $2`,
    [userId, maxPerFamily],
  )
  return rows
}
