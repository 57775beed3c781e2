import type { Knex } from 'knex'
import type { createDiscountCode } from '#contracts/discount-codes'
import type { BodyOf } from '#contracts/endpoint'
import { accountNamed, recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import { refusal } from '../refusals'
import {
  deleteDiscountCode,
  deleteDiscountCodesOf,
  insertDiscountCode,
  lockDiscountCode,
  setDiscountCodeActive,
  type DiscountCodeRow,
} from './discount-codes.rows'

type DiscountNeeds = Pick<OrderingNeeds, 'database' | 'now' | 'identity'>

/** What administrators do to discount codes; each leaves its author in the history. */
export const discountCodeCommands = ({ database: { knex }, now, identity }: DiscountNeeds) => {
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

    /** The codes of an account that is deleted. */
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
