import type { Pool } from 'pg'
import type { RecoverySort } from '#contracts/recovery-list'
import type { Direction } from '#contracts/sorting'
import { listedAfterMs } from './labels'
import { attemptColumns } from '../attempt/attempts.rows'
import type { AttemptRow } from '../attempt/attempts.view'

/** Card payments that need a person or have needed one; `$1` is now. */
const toRecover = `a.kind = 'card' and a.recovery_status is not null
  and a.since_at <= $1::timestamptz
    - case a.status when 'processing' then ${listedAfterMs.processing} when 'paid' then ${listedAfterMs.paid} else 0 end
      * interval '1 ms'`

/** Those with this text in their status, the newest first, at most 500. */
export const attemptsToRecover = async (
  pool: Pool,
  status: string | undefined,
  now: Date,
): Promise<AttemptRow[]> => {
  const { rows } = await pool.query<AttemptRow>(
    `select ${attemptColumns} from payments.attempts a
     where ${toRecover} and ($2::text is null or position(lower($2) in lower(a.recovery_status)) > 0)
     order by a.started_at desc, a.id desc limit 500`,
    [now, status?.trim() || null],
  )
  return rows
}

/** Which of them: null and '' take all; the text is found in students, reference and token, or these users are meant. */
export type RecoveryFilter = { status: string | null; text: string; userIds: readonly number[] }

export type RecoveryPage = {
  sort: RecoverySort
  direction: Direction
  /** Everybody who has one, in the order of their names; only looked at when sorted by `customer`. */
  usersByName: readonly number[]
  offset: number
  limit: number
}

const columns: Record<RecoverySort, string> = {
  date: 'a.started_at',
  customer: 'owner.place',
  amount: 'a.total',
  status: 'a.recovery_status',
  reference: "coalesce(a.reference, '')",
}

const matching = `where ${toRecover} and ($2::text is null or a.recovery_status = $2)
  and ($3 = '' or a.user_id = any($4::int[])
    or position(lower($3) in lower(concat_ws(' ', a.students, a.reference, a.token))) > 0)`

/** One page of those that match and how many there are; equal ones stand in the order they were begun. */
export const recoveryPage = async (
  pool: Pool,
  now: Date,
  { status, text, userIds }: RecoveryFilter,
  { sort, direction, usersByName, offset, limit }: RecoveryPage,
): Promise<{ rows: AttemptRow[]; total: number }> => {
  const values = [now, status, text, userIds]
  const [page, counted] = await Promise.all([
    pool.query<AttemptRow>(
      `select ${attemptColumns} from payments.attempts a
       left join unnest($5::int[]) with ordinality as owner (user_id, place) using (user_id) ${matching}
       order by ${columns[sort]} ${direction}, a.started_at ${direction}, a.id ${direction} offset $6 limit $7`,
      [...values, usersByName, offset, limit],
    ),
    pool.query<{ total: number }>(
      `select count(*)::int as total from payments.attempts a ${matching}`,
      values,
    ),
  ])
  return { rows: page.rows, total: counted.rows[0]!.total }
}

/** Everybody who has one of them. */
export const usersToRecover = async (pool: Pool, now: Date): Promise<{ userId: number }[]> => {
  const { rows } = await pool.query<{ userId: number }>(
    `select distinct a.user_id as "userId" from payments.attempts a where ${toRecover}`,
    [now],
  )
  return rows
}
