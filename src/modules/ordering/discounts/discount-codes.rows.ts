import type { Knex } from 'knex'
import type { CodeSort } from '#contracts/order-reports'
import type { Direction } from '#contracts/endpoint'
import type { Reader } from '#platform/database'

/** `percentage` 0 to 100, at most two places. */
export type DiscountCodeRow = {
  id: number
  code: string
  user_id: number
  percentage: number
  is_active: boolean
}

const codeColumns = 'id, code, user_id, percentage::float8 as percentage, is_active'

/** The best active code; null for none. Prepared: every checkout asks it. */
export const bestDiscountOf = async (pool: Reader, userId: number): Promise<DiscountCodeRow | null> => {
  const { rows } = await pool.query<DiscountCodeRow>({
    name: 'ordering-best-discount',
    text: `select ${codeColumns} from ordering.discount_codes
           where user_id = $1 and is_active order by discount_codes.percentage desc, id limit 1`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** In percent; 0 for none. */
export const discountOf =
  (pool: Reader) =>
  async (userId: number): Promise<number> =>
    (await bestDiscountOf(pool, userId))?.percentage ?? 0

const codes = (knex: Knex) => knex('ordering.discount_codes')

export const insertDiscountCode = async (
  knex: Knex,
  code: Omit<DiscountCodeRow, 'id'>,
  createdAt: Date,
): Promise<DiscountCodeRow | null> => {
  const [row] = await codes(knex)
    .insert({ ...code, created_at: createdAt })
    .onConflict(knex.raw('(lower(code))'))
    .ignore()
    .returning(knex.raw(codeColumns))
  return row ?? null
}

export const setDiscountCodeActive = async (
  knex: Knex,
  id: number,
  isActive: boolean,
): Promise<DiscountCodeRow | null> => {
  const [row] = await codes(knex)
    .where({ id })
    .update({ is_active: isActive })
    .returning(knex.raw(codeColumns))
  return row ?? null
}

export const lockDiscountCode = async (
  transaction: Knex.Transaction,
  id: number,
): Promise<DiscountCodeRow | undefined> =>
  codes(transaction).where({ id }).forUpdate().first(transaction.raw(codeColumns))

export const deleteDiscountCode = async (knex: Knex, id: number): Promise<void> => {
  await codes(knex).where({ id }).delete()
}

export const deleteDiscountCodesOf = (knex: Knex, userId: number): Promise<number> =>
  codes(knex).where({ user_id: userId }).delete()

type CodesFound = { search: string; userIds: readonly number[]; active: boolean | null }

type CodePage = {
  sort: CodeSort
  direction: Direction
  usersByName: readonly number[]
  offset: number
  limit: number
}

const orders: Record<CodeSort, string> = {
  created: 'created_at',
  code: 'lower(code)',
  user: 'array_position(?::int[], user_id)',
  discount: 'discount_codes.percentage',
  active: 'is_active',
}

export const discountCodesPage = async (
  knex: Knex,
  { search, userIds, active }: CodesFound,
  { sort, direction, usersByName, offset, limit }: CodePage,
): Promise<{ rows: DiscountCodeRow[]; total: number }> => {
  const found = codes(knex).where((either) =>
    either.whereRaw('strpos(lower(code), lower(?)) > 0', [search]).orWhereIn('user_id', [...userIds]),
  )
  if (active !== null) found.where('is_active', active)
  const [rows, counted] = await Promise.all([
    found
      .clone()
      .select(knex.raw(codeColumns))
      .orderByRaw(`${orders[sort]} ${direction}, id ${direction}`, sort === 'user' ? [[...usersByName]] : [])
      .offset(offset)
      .limit(limit),
    found.clone().count({ total: '*' }).first(),
  ])
  return { rows, total: Number(counted?.total) }
}

export const codeOwners = (knex: Knex): Promise<number[]> => codes(knex).distinct().pluck('user_id')
