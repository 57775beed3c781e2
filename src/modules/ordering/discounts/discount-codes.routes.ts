import {
  createDiscountCode,
  deleteDiscountCode as deleteCode,
  listDiscountCodes,
  myDiscountCode,
  updateDiscountCode,
  type DiscountCode,
} from '#contracts/discount-codes'
import type { QueryOf } from '#contracts/endpoint'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import { bestDiscountOf, codeOwners, discountCodesPage, type DiscountCodeRow } from './discount-codes.rows'
import { discountCodeCommands } from './discount-codes.commands'
import { refusal } from '../refusals'

type DiscountNeeds = Pick<OrderingNeeds, 'database' | 'now' | 'identity'>

const pageSize = 50

type CodesQuery = QueryOf<typeof listDiscountCodes>

/** Discount codes: administrators with the feature settings keep them, everybody may ask for their own. */
export const discountCodeRoutes = (needs: DiscountNeeds): Route[] => {
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

    route(createDiscountCode, settings, async ({ body, actor, correlationId }) =>
      replyOf(await commands.create(body, { actor, correlationId }), needs),
    ),

    route(updateDiscountCode, settings, async ({ params, body, actor, correlationId }) =>
      replyOf(await commands.setActive(params.id, body.isActive, { actor, correlationId }), needs),
    ),

    route(deleteCode, settings, async ({ params, actor, correlationId }) => {
      await commands.remove(params.id, { actor, correlationId })
      return { message: 'Discount code deleted successfully' }
    }),
  ]
}

const codeList = async (
  { page: asked, sort = 'created', direction = 'desc', search = '', active }: CodesQuery,
  needs: DiscountNeeds,
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

/** Names belong to another context, so they are not there to sort by in a query of this one. */
const ownersByName = async ({ database: { knex }, identity }: DiscountNeeds): Promise<number[]> => {
  const names = await identity.usernamesOf(await codeOwners(knex))
  return [...names]
    .map(([id, name]) => ({ id, name: name.toLowerCase() }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ id }) => id)
}

const withUsernames = async (
  rows: readonly DiscountCodeRow[],
  { identity }: Pick<DiscountNeeds, 'identity'>,
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

const replyOf = async (row: DiscountCodeRow, needs: Pick<DiscountNeeds, 'identity'>): Promise<DiscountCode> =>
  (await withUsernames([row], needs))[0]!
