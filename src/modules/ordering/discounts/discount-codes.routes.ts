import type { Knex } from 'knex'
import { myDiscountCode, myDiscounts } from '#contracts/discounts'
import type { QueryOf, BodyOf } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import {
  createDiscountCode,
  deleteDiscountCode as deleteCode,
  listDiscountCodes,
  updateDiscountCode as updateCode,
  type DiscountCode,
} from '#contracts/order-reports'
import { foldedSearch } from '#kernel/folded-name'
import { accountNamed, recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import {
  codeOwners,
  codesThatCount,
  deleteDiscountCode,
  deleteDiscountCodesOf,
  discountCodesPage,
  discountOf,
  insertDiscountCode,
  lockDiscountCode,
  ownerKey,
  updateDiscountCode,
  type DiscountCodeRow,
} from './discounts.rows'

const pageSize = 50

type CodesQuery = QueryOf<typeof listDiscountCodes>

export const discountCodeRoutes = (needs: OrderingNeeds): Route[] => {
  const { pool } = needs.database
  const settings = withFeature('settings')
  const commands = discountCodeCommands(needs)
  return [
    route(myDiscountCode, signedIn, async ({ user }) => {
      const best = await codeOfAccount(needs, user.userId)
      if (!best) throw refusal('no_discount_code')
      return best
    }),

    route(myDiscounts, signedIn, async ({ user: { userId } }) => {
      const [account, students] = await Promise.all([
        codeOfAccount(needs, userId),
        needs.identity.orderableStudentsOf(userId),
      ])
      const ids = students.map(({ id }) => id)
      const discount = await discountOf(pool)(userId, ids)
      const children = ids.map((studentId) => ({
        studentId,
        discountPercentage: discount(studentId).percentage,
      }))
      return { account, children }
    }),

    route(listDiscountCodes, settings, ({ query }) => codeList(query, needs)),

    route(
      createDiscountCode,
      settings,
      async ({ body, by }) => replyOf(await commands.create(body, by), needs),
      answeredOnce,
    ),

    route(updateCode, settings, async ({ params, body, by }) =>
      replyOf(await commands.setActive(params.id, body.isActive, by), needs),
    ),

    route(deleteCode, settings, async ({ params, by }) => {
      await commands.remove(params.id, by)
      return { message: 'Discount code deleted successfully' }
    }),
  ]
}

const codeOfAccount = async ({ database: { pool } }: OrderingNeeds, userId: number) => {
  const [best] = await codesThatCount(pool, [userId], [])
  return best ? { code: best.code, discountPercentage: best.percentage } : null
}

const codeList = async (
  { page: asked, sort = 'created', direction = 'desc', search = '', active }: CodesQuery,
  needs: OrderingNeeds,
) => {
  const page = Math.max(1, asked ?? 1)
  const { knex } = needs.database
  const owned = search === '' && sort !== 'user' ? [] : await codeOwners(knex)
  const owners = await ownersOf(owned, needs)
  const isFound = (text: string) => foldedSearch(text).includes(foldedSearch(search))
  const found = owned.filter((one) => {
    const { user, student } = owners(one)
    return isFound(`${user?.username ?? ''}|${student?.name ?? ''}`)
  })
  const { rows, total } = await discountCodesPage(
    knex,
    {
      search,
      active: active ?? null,
      userIds: found.flatMap(({ user_id: id }) => id ?? []),
      studentIds: found.flatMap(({ student_id: id }) => id ?? []),
    },
    {
      sort,
      direction,
      // Names belong to identity, so SQL here cannot sort by them.
      byUser: owned
        .map((one) => ({ key: ownerKey(one), name: owners(one).user?.username.toLowerCase() ?? '' }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ key }) => key),
      offset: (page - 1) * pageSize,
      limit: pageSize,
    },
  )
  return { data: await repliesOf(rows, needs), metadata: pageMetadataOf(total, page, pageSize) }
}

type Owned = Pick<DiscountCodeRow, 'user_id' | 'student_id'>
type Owner = Pick<DiscountCode, 'userId' | 'user' | 'student'>

const ownersOf = async (
  owned: readonly Owned[],
  { identity }: OrderingNeeds,
): Promise<(code: Owned) => Owner> => {
  const studentIds = owned.flatMap(({ student_id: id }) => id ?? [])
  const [children, guardians] = await Promise.all([
    identity.childrenNow(studentIds),
    identity.guardiansOf(studentIds),
  ])
  const userOf = ({ user_id, student_id }: Owned): number | null =>
    user_id ?? guardians.get(student_id ?? 0)?.[0] ?? null
  const names = await identity.usernamesOf([...new Set(owned.flatMap((one) => userOf(one) ?? []))])
  return (code) => {
    const userId = userOf(code)
    const child = code.student_id === null ? undefined : children.get(code.student_id)
    return {
      userId,
      user: userId === null ? null : { username: names.get(userId) ?? '' },
      student: child ? { name: child.name, grade: child.grade as Grade, class: child.class } : null,
    }
  }
}

const repliesOf = async (rows: readonly DiscountCodeRow[], needs: OrderingNeeds): Promise<DiscountCode[]> => {
  const owners = await ownersOf(rows, needs)
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    ...owners(row),
    studentId: row.student_id,
    sponsor: row.sponsor,
    discountPercentage: row.percentage,
    isActive: row.is_active,
  }))
}

const replyOf = async (row: DiscountCodeRow, needs: OrderingNeeds): Promise<DiscountCode> =>
  (await repliesOf([row], needs))[0]!

export const discountCodeCommands = ({ database: { knex }, now, identity }: OrderingNeeds) => {
  const record = (
    transaction: Knex.Transaction,
    by: By,
    { row, did, ...values }: { row: DiscountCodeRow; did: string } & Pick<Change, 'old' | 'new'>,
  ) => {
    const { user_id: userId, student_id: studentId } = row
    const whose = userId === null ? `student ${studentId}` : accountNamed(userId)
    const what = `Discount code ${row.code} of ${whose} ${did}`
    const change = { kind: 'settings', what, ...values, ...(userId !== null && { userId }) } as const
    return recordChanges(transaction, { ...by, at: now() }, [change])
  }

  return {
    create: async (body: BodyOf<typeof createDiscountCode>, by: By): Promise<DiscountCodeRow> => {
      if (!(await identity.personOf(body.userId))) throw refusal('discount_user_not_found')
      const student_id = await childOf(identity, body)
      const owner = student_id === null ? { user_id: body.userId } : { user_id: null }
      const { code, sponsor, discountPercentage: percentage, isActive: is_active } = body
      const wanted = { ...owner, code, student_id, sponsor: sponsor || null, percentage, is_active }
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
        const row = (await updateDiscountCode(transaction, id, { is_active: isActive }))!
        const did = isActive ? 'switched on' : 'switched off'
        await record(transaction, by, { row, did, old: valuesOf(before), new: valuesOf(row) })
        return row
      }),

    removeOfUser: (userId: number, studentIds: readonly number[], by: By): Promise<void> =>
      knex.transaction(async (transaction) => {
        if ((await deleteDiscountCodesOf(transaction, userId, studentIds)) === 0) return
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

/** The child's id now. Throws `discount_child_wrong` for one that is not the user's. */
const childOf = async (
  identity: OrderingNeeds['identity'],
  { userId, studentId }: Pick<BodyOf<typeof createDiscountCode>, 'userId' | 'studentId'>,
): Promise<number | null> => {
  if (!studentId) return null
  const isTheirs = await identity.isGuardianOf(userId, studentId)
  const child = (await identity.childrenNow([studentId])).get(studentId)
  if (!isTheirs || !child) throw refusal('discount_child_wrong', childWrong)
  return child.id
}

const childMessage = 'Please choose a child of this user'
const childWrong = { fields: { studentId: childMessage } }

const valuesOf = ({ code, percentage, sponsor, is_active }: DiscountCodeRow) => ({
  code,
  discountPercentage: percentage,
  ...(sponsor !== null && { sponsor }),
  isActive: is_active,
})

const locked = async (transaction: Knex.Transaction, id: number): Promise<DiscountCodeRow> => {
  const row = await lockDiscountCode(transaction, id)
  if (!row) throw refusal('discount_code_not_found')
  return row
}
