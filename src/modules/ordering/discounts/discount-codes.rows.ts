import type { Pool } from 'pg'

/** `percentage` 0 to 100, at most two places. */
export type DiscountCodeRow = {
  id: number
  code: string
  user_id: number
  percentage: number
  is_active: boolean
}

export const codeColumns = 'id, code, user_id, percentage::float8 as percentage, is_active'

/** The active code of a user that takes most off; null without one. */
export const bestDiscountOf = async (pool: Pool, userId: number): Promise<DiscountCodeRow | null> => {
  const { rows } = await pool.query<DiscountCodeRow>({
    name: 'ordering-best-discount',
    text: `select ${codeColumns} from ordering.discount_codes
           where user_id = $1 and is_active order by discount_codes.percentage desc, id limit 1`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** What the best active code of each user takes off, in percent, by the user's id. */
export const bestPercentages = async (pool: Pool): Promise<Map<number, number>> => {
  const { rows } = await pool.query<{ user_id: number; percentage: number }>(
    'select user_id, max(percentage)::float8 as percentage from ordering.discount_codes where is_active group by user_id',
  )
  return new Map(rows.map(({ user_id, percentage }) => [user_id, percentage]))
}

/** Null when the code exists already, in whatever case. */
export const insertDiscountCode = async (
  pool: Pool,
  code: Omit<DiscountCodeRow, 'id'>,
  createdAt: Date,
): Promise<DiscountCodeRow | null> => {
  const { rows } = await pool.query<DiscountCodeRow>(
    `insert into ordering.discount_codes (code, user_id, percentage, is_active, created_at)
     values ($1, $2, $3, $4, $5) on conflict (lower(code)) do nothing returning ${codeColumns}`,
    [code.code, code.user_id, code.percentage, code.is_active, createdAt],
  )
  return rows[0] ?? null
}

/** Null when there is no such code. */
export const setDiscountCodeActive = async (
  pool: Pool,
  id: number,
  isActive: boolean,
): Promise<DiscountCodeRow | null> => {
  const { rows } = await pool.query<DiscountCodeRow>(
    `update ordering.discount_codes set is_active = $2 where id = $1 returning ${codeColumns}`,
    [id, isActive],
  )
  return rows[0] ?? null
}

/** True when there was such a code. */
export const deleteDiscountCode = async (pool: Pool, id: number): Promise<boolean> => {
  const { rowCount } = await pool.query('delete from ordering.discount_codes where id = $1', [id])
  return rowCount === 1
}
