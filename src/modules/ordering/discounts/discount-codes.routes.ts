import type { Pool } from 'pg'
import {
  createDiscountCode,
  deleteDiscountCode as deleteCode,
  listDiscountCodes,
  myDiscountCode,
  updateDiscountCode,
} from '#contracts/discount-codes'
import type { QueryOf } from '#contracts/endpoint'
import type { DiscountCode } from '#contracts/discount-codes'
import type { Now } from '#platform/clock'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, signedIn, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { invalidating } from '#platform/cached'
import { codeOwners, discountCodesPage } from './discount-code-list.rows'
import {
  bestDiscountOf,
  deleteDiscountCode,
  insertDiscountCode,
  setDiscountCodeActive,
} from './discount-codes.rows'
import type { DiscountCodeRow } from './discount-codes.rows'
import { refusal } from '../refusals'

export type DiscountNeeds = {
  database: { pool: Pool }
  /** Null when there is no such user. */
  userById: (id: number) => Promise<{ id: number; username: string } | null>
  usernames: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
  /** The ids of everybody whose username contains this text, without regard to case. */
  usersNamed: (text: string) => Promise<number[]>
  now: Now
}

type Changing = {
  /** Called after every change of the codes. */
  changed: () => void
}

const pageSize = 50

type CodesAsked = QueryOf<typeof listDiscountCodes>

/** Discount codes: administrators with the feature settings keep them, everybody may ask for their own. */
export const discountCodeRoutes = (needs: DiscountNeeds & Changing): Route[] => {
  const { pool } = needs.database
  const codes = invalidating({ insertDiscountCode, setDiscountCodeActive, deleteDiscountCode }, needs.changed)
  const settings = withFeature('settings')
  return [
    route(myDiscountCode, signedIn, async ({ user }) => {
      const best = await bestDiscountOf(pool, user.userId)
      if (!best) throw refusal('no_discount_code')
      return { code: best.code, discountPercentage: best.percentage }
    }),

    route(listDiscountCodes, settings, ({ query }) => codeList(query, needs)),

    route(createDiscountCode, settings, async ({ body }) => {
      if (!(await needs.userById(body.userId))) throw refusal('discount_user_not_found')
      const { code, userId, discountPercentage, isActive } = body
      const wanted = { code, user_id: userId, percentage: discountPercentage, is_active: isActive }
      const row = await codes.insertDiscountCode(pool, wanted, needs.now())
      if (!row) throw refusal('discount_code_taken')
      return replyOf(row, needs)
    }),

    route(updateDiscountCode, settings, async ({ params, body }) => {
      const row = await codes.setDiscountCodeActive(pool, params.id, body.isActive)
      if (!row) throw refusal('discount_code_not_found')
      return replyOf(row, needs)
    }),

    route(deleteCode, settings, async ({ params }) => {
      if (!(await codes.deleteDiscountCode(pool, params.id))) throw refusal('discount_code_not_found')
      return { message: 'Discount code deleted successfully' }
    }),
  ]
}

const codeList = async (
  { page: asked, sort = 'created', direction = 'desc', search = '', active }: CodesAsked,
  needs: DiscountNeeds,
) => {
  const { pool } = needs.database
  const page = Math.max(1, asked ?? 1)
  const { rows, total } = await discountCodesPage(
    pool,
    { search, active: active ?? null, userIds: search === '' ? [] : await needs.usersNamed(search) },
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

/** Names belong to another context, so they are not there to sort by in a query of this one. */
const ownersByName = async ({ database: { pool }, usernames }: DiscountNeeds): Promise<number[]> => {
  const names = await usernames(await codeOwners(pool))
  return [...names]
    .map(([id, name]) => ({ id, name: name.toLowerCase() }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ id }) => id)
}

const withUsernames = async (
  rows: readonly DiscountCodeRow[],
  { usernames }: Pick<DiscountNeeds, 'usernames'>,
): Promise<DiscountCode[]> => {
  const names = await usernames([...new Set(rows.map(({ user_id }) => user_id))])
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    userId: row.user_id,
    user: { username: names.get(row.user_id) ?? '' },
    discountPercentage: row.percentage,
    isActive: row.is_active,
  }))
}

const replyOf = async (
  row: DiscountCodeRow,
  needs: Pick<DiscountNeeds, 'usernames'>,
): Promise<DiscountCode> => (await withUsernames([row], needs))[0]!
