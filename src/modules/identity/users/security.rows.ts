import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import type { getSecurity } from '#contracts/identity'

type Security = Omit<ReplyOf<typeof getSecurity>, 'version'>

const columns = ['requireSecondFactor', 'maxChildren', 'maxUnpaidMeals'] as const

const security = (knex: Knex) => knex<Security>('identity.security').first(...columns)

export const readSecurity = async (knex: Knex): Promise<Security> => (await security(knex))!

/** Nobody else changes them until the transaction ends. */
export const lockSecurity = async (transaction: Knex.Transaction): Promise<Security> =>
  (await security(transaction).forUpdate())!

export const writeSecurity = async (transaction: Knex.Transaction, after: Security): Promise<void> => {
  await transaction<Security>('identity.security').update(after)
}
