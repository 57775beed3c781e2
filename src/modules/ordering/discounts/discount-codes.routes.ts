import type { Knex } from 'knex'
import type { QueryOf, BodyOf, Direction } from '#contracts/endpoint'
import {
  createDiscountCode,
  deleteDiscountCode as deleteCode,
  listDiscountCodes,
  myDiscountCode,
  updateDiscountCode,
  type DiscountCode,
  type CodeSort,
} from '#contracts/order-reports'
import { accountNamed, recordChanges, type Change } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'

const pageSize = 50

type CodesQuery = QueryOf<typeof listDiscountCodes>

export const discountCodeRoutes = (needs: OrderingNeeds): Route[] => {
  const { pool } = needs.database
  const settings = withFeature('settings')
  const commands = discountCodeCommands(needs)
  return [
    route(myDiscountCode, signedIn, async ({ user }) => {
      const best = await bestDiscountOf(pool, user.userId)
      if (!best) throw refusal('no_discount_code')
      return { code: best.code, discountPercentage: best.percentage }
    }),

    route(listDiscountCodes, settings, ({ query }) => codeList(query, needs)),

    route(
      createDiscountCode,
      settings,
      async ({ body, by }) => replyOf(await commands.create(body, by), needs),
      answeredOnce,
    ),

    route(updateDiscountCode, settings, async ({ params, body, by }) =>
      replyOf(await commands.setActive(params.id, body.isActive, by), needs),
    ),

    route(deleteCode, settings, async ({ params, by }) => {
      await commands.remove(params.id, by)
      return { message: 'Discount code deleted successfully' }
    }),
  ]
}

const codeList = async (
  { page: asked, sort = 'created', direction = 'desc', search = '', active }: CodesQuery,
  needs: OrderingNeeds,
) => {
  const page = Math.max(1, asked ?? 1)
  const { rows, total } = await discountCodesPage(
    needs.database.knex,
    { search, active: active ?? null, userIds: search === '' ? [] : await needs.identity.usersNamed(search) },
    {
      sort,
      direction,
      usersByName: sort === 'user' ? await ownersByName(needs) : [],
      offset: (page - 1) * pageSize,
      limit: pageSize,
    },
  )
  return { data: await withUsernames(rows, needs), metadata: pageMetadataOf(total, page, pageSize) }
}

/** Names belong to identity, so SQL here cannot sort by them. */
const ownersByName = async ({ database: { knex }, identity }: OrderingNeeds): Promise<number[]> => {
  const names = await identity.usernamesOf(await codeOwners(knex))
  return [...names]
    .map(([id, name]) => ({ id, name: name.toLowerCase() }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ id }) => id)
}

const withUsernames = async (
  rows: readonly DiscountCodeRow[],
  { identity }: OrderingNeeds,
): Promise<DiscountCode[]> => {
  const names = await identity.usernamesOf([...new Set(rows.map(({ user_id }) => user_id))])
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    userId: row.user_id,
    user: { username: names.get(row.user_id) ?? '' },
    discountPercentage: row.percentage,
    isActive: row.is_active,
  }))
}

const replyOf = async (row: DiscountCodeRow, needs: OrderingNeeds): Promise<DiscountCode> =>
  (await withUsernames([row], needs))[0]!

export const discountCodeCommands = ({ database: { knex }, now, identity }: OrderingNeeds) => {
  const record = (
    transaction: Knex.Transaction,
    by: By,
    { row, did, ...values }: { row: DiscountCodeRow; did: string } & Pick<Change, 'old' | 'new'>,
  ) => {
    const what = `Discount code ${row.code} of ${accountNamed(row.user_id)} ${did}`
    const change = { kind: 'settings', what, ...values, userId: row.user_id } as const
    return recordChanges(transaction, { ...by, at: now() }, [change])
  }

  return {
    create: async (body: BodyOf<typeof createDiscountCode>, by: By): Promise<DiscountCodeRow> => {
      if (!(await identity.personOf(body.userId))) throw refusal('discount_user_not_found')
      const { code, userId, discountPercentage, isActive } = body
      const wanted = { code, user_id: userId, percentage: discountPercentage, is_active: isActive }
      return knex.transaction(async (transaction) => {
        const row = await insertDiscountCode(transaction, wanted, now())
        if (!row) throw refusal('discount_code_taken')
        await record(transaction, by, { row, did: 'made', old: null, new: valuesOf(row) })
        return row
      })
    },

    setActive: (id: number, isActive: boolean, by: By): Promise<DiscountCodeRow> =>
      knex.transaction(async (transaction) => {
        const before = await locked(transaction, id)
        const row = (await setDiscountCodeActive(transaction, id, isActive))!
        const did = isActive ? 'switched on' : 'switched off'
        await record(transaction, by, { row, did, old: valuesOf(before), new: valuesOf(row) })
        return row
      }),

    removeOfUser: (userId: number, by: By): Promise<void> =>
      knex.transaction(async (transaction) => {
        if ((await deleteDiscountCodesOf(transaction, userId)) === 0) return
        const what = `Discount codes of ${accountNamed(userId)} deleted with the account`
        await recordChanges(transaction, { ...by, at: now() }, [
          { kind: 'settings', what, old: null, new: null },
        ])
      }),

    remove: (id: number, by: By): Promise<void> =>
      knex.transaction(async (transaction) => {
        const row = await locked(transaction, id)
        await deleteDiscountCode(transaction, id)
        await record(transaction, by, { row, did: 'deleted', old: valuesOf(row), new: null })
      }),
  }
}

const valuesOf = ({ code, percentage, is_active }: DiscountCodeRow) => ({
  code,
  discountPercentage: percentage,
  isActive: is_active,
})

const locked = async (transaction: Knex.Transaction, id: number): Promise<DiscountCodeRow> => {
  const row = await lockDiscountCode(transaction, id)
  if (!row) throw refusal('discount_code_not_found')
  return row
}

/** `percentage` 0 to 100, at most two places. */
type DiscountCodeRow = {
  id: number
  code: string
  user_id: number
  percentage: number
  is_active: boolean
}

const codeColumns = 'id, code, user_id, percentage::float8 as percentage, is_active'

/** The best active code; null for none. Prepared: every checkout asks it. */
const bestDiscountOf = async (pool: Reader, userId: number): Promise<DiscountCodeRow | null> => {
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

const insertDiscountCode = async (
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

const setDiscountCodeActive = async (
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

const lockDiscountCode = async (
  transaction: Knex.Transaction,
  id: number,
): Promise<DiscountCodeRow | undefined> =>
  codes(transaction).where({ id }).forUpdate().first(transaction.raw(codeColumns))

const deleteDiscountCode = async (knex: Knex, id: number): Promise<void> => {
  await codes(knex).where({ id }).delete()
}

const deleteDiscountCodesOf = (knex: Knex, userId: number): Promise<number> =>
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

const discountCodesPage = async (
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

const codeOwners = (knex: Knex): Promise<number[]> => codes(knex).distinct().pluck('user_id')
