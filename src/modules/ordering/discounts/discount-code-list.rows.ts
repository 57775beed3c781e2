import type { Pool } from 'pg'
import type { CodeSort } from '#contracts/discount-codes'
import type { Direction } from '#contracts/sorting'
import { codeColumns } from './discount-codes.rows'
import type { DiscountCodeRow } from './discount-codes.rows'

/** Codes that contain the text or belong to one of these users; `active` null takes both. */
export type CodesFound = { search: string; userIds: readonly number[]; active: boolean | null }

export type CodePage = {
  sort: CodeSort
  direction: Direction
  /** Everybody who has a code, in the order of their names; only looked at when sorted by `user`. */
  usersByName: readonly number[]
  offset: number
  limit: number
}

const orders: Record<CodeSort, string> = {
  created: 'created_at',
  code: 'lower(code)',
  user: 'owner.place',
  discount: 'discount_codes.percentage',
  active: 'is_active',
}

const where = `where (strpos(lower(code), lower($1)) > 0 or user_id = any($2::int[]))
  and ($3::boolean is null or is_active = $3)`

/** One page of the codes found and how many there are; equal ones stand in the order they were made. */
export const discountCodesPage = async (
  pool: Pool,
  { search, userIds, active }: CodesFound,
  { sort, direction, usersByName, offset, limit }: CodePage,
): Promise<{ rows: DiscountCodeRow[]; total: number }> => {
  const values = [search, userIds, active]
  const [page, counted] = await Promise.all([
    pool.query<DiscountCodeRow>(
      `select ${codeColumns} from ordering.discount_codes
       left join unnest($4::int[]) with ordinality as owner (user_id, place) using (user_id) ${where}
       order by ${orders[sort]} ${direction}, id ${direction} offset $5 limit $6`,
      [...values, usersByName, offset, limit],
    ),
    pool.query<{ total: number }>(
      `select count(*)::int as total from ordering.discount_codes ${where}`,
      values,
    ),
  ])
  return { rows: page.rows, total: counted.rows[0]!.total }
}

/** Everybody who has a code. */
export const codeOwners = async (pool: Pool): Promise<number[]> => {
  const { rows } = await pool.query<{ id: number }>(
    'select distinct user_id as id from ordering.discount_codes',
  )
  return rows.map(({ id }) => id)
}
