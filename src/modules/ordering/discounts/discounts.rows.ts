import type { Knex } from 'knex'
import type { Direction } from '#contracts/endpoint'
import type { CodeSort } from '#contracts/order-reports'
import { noDiscount, type Discount } from '#kernel/money'
import type { Reader } from '#platform/database'

/** `percentage` 0 to 100, at most two places. */
export type DiscountCodeRow = {
  id: number
  code: string
  user_id: number | null
  student_id: number | null
  sponsor: string | null
  percentage: number
  is_active: boolean
}

export const codeColumns =
  'id, code, user_id, student_id, sponsor, percentage::float8 as percentage, is_active'

/** The active codes of these accounts and children, the best first. Prepared: every checkout asks it. */
export const codesThatCount = async (
  pool: Reader,
  userIds: readonly number[],
  studentIds: readonly number[],
): Promise<DiscountCodeRow[]> => {
  const { rows } = await pool.query<DiscountCodeRow>({
    name: 'ordering-discounts',
    text: `select ${codeColumns} from ordering.discount_codes
           where is_active and (user_id = any($1::int[]) or student_id = any($2::int[]))
           order by discount_codes.percentage desc, student_id, id`,
    values: [userIds, studentIds],
  })
  return rows
}

/**
 * The discount of each line: the higher of the account's and the child's. Whatever computes a price for a family asks this, with all children
 * at once.
 */
export const discountOf =
  (pool: Reader) =>
  async (userId: number, studentIds: readonly number[]): Promise<(studentId: number | null) => Discount> => {
    const codes = await codesThatCount(pool, [userId], [...new Set(studentIds)])
    return (studentId) =>
      codes.find((code) => code.student_id === null || code.student_id === studentId) ?? noDiscount
  }

/** The same for children of many accounts. */
export const discountOfEach = async (
  pool: Reader,
  children: readonly { id: number; userId: number | null }[],
): Promise<(child: { id: number; userId: number | null }) => Discount> => {
  const userIds = [...new Set(children.flatMap(({ userId }) => userId ?? []))]
  const found = await codesThatCount(
    pool,
    userIds,
    children.map(({ id }) => id),
  )
  const best = new Map<string, Discount>()
  for (const code of found) if (!best.has(ownerKey(code))) best.set(ownerKey(code), code)
  return ({ id, userId }) => {
    const own = best.get(ownerKey({ user_id: null, student_id: id })) ?? noDiscount
    const account = best.get(ownerKey({ user_id: userId ?? 0, student_id: null })) ?? noDiscount
    return account.percentage > own.percentage ? account : own
  }
}
export type DiscountOf = ReturnType<typeof discountOf>

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

export const updateDiscountCode = async (
  knex: Knex,
  id: number,
  values: Partial<DiscountCodeRow>,
): Promise<DiscountCodeRow | null> => {
  const [row] = await codes(knex).where({ id }).update(values).returning(knex.raw(codeColumns))
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

export const deleteDiscountCodesOf = (
  knex: Knex,
  userId: number | null,
  studentIds: readonly number[],
): Promise<number> =>
  codes(knex)
    .whereRaw('user_id = ? or student_id = any(?::int[])', [userId, [...studentIds]])
    .delete()

export const moveCodesOfChild = async (knex: Knex, id: number, intoId: number): Promise<void> => {
  await codes(knex).where({ student_id: id }).update({ student_id: intoId })
}

type CodesFound = {
  search: string
  userIds: readonly number[]
  studentIds: readonly number[]
  active: boolean | null
}

type CodePage = {
  sort: CodeSort
  direction: Direction
  /** `ownerKey`s in order. */
  byUser: readonly string[]
  offset: number
  limit: number
}

const orders: Record<CodeSort, string> = {
  created: 'created_at',
  code: 'lower(code)',
  user: `array_position(?::text[], coalesce('user ' || user_id, 'child ' || student_id))`,
  discount: 'discount_codes.percentage',
  active: 'is_active',
}

export const ownerKey = ({ user_id, student_id }: Pick<DiscountCodeRow, 'user_id' | 'student_id'>): string =>
  user_id === null ? `child ${student_id}` : `user ${user_id}`

export const discountCodesPage = async (
  knex: Knex,
  { search, userIds, studentIds, active }: CodesFound,
  { sort, direction, byUser, offset, limit }: CodePage,
): Promise<{ rows: DiscountCodeRow[]; total: number }> => {
  const found = codes(knex).where((either) =>
    either
      .whereRaw(`strpos(lower(concat_ws('|', code, sponsor)), lower(?)) > 0`, [search])
      .orWhereIn('user_id', [...userIds])
      .orWhereIn('student_id', [...studentIds]),
  )
  if (active !== null) found.where('is_active', active)
  const [rows, counted] = await Promise.all([
    found
      .clone()
      .select(knex.raw(codeColumns))
      .orderByRaw(`${orders[sort]} ${direction}, id ${direction}`, sort === 'user' ? [[...byUser]] : [])
      .offset(offset)
      .limit(limit),
    found.clone().count({ total: '*' }).first(),
  ])
  return { rows, total: Number(counted?.total) }
}

export const codeOwners = (knex: Knex): Promise<Pick<DiscountCodeRow, 'user_id' | 'student_id'>[]> =>
  codes(knex).distinct('user_id', 'student_id')
