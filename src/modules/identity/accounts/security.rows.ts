import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import type { getSecurity } from '#contracts/identity'

export type Security = ReplyOf<typeof getSecurity>

const columns = ['requireSecondFactor', 'maxChildren', 'maxUnpaidMeals'] as const

export const readSecurity = async (knex: Knex): Promise<Security> =>
  (await knex<Security>('identity.security').first(...columns))!

export const writeSecurity = async (transaction: Knex.Transaction, settings: Security): Promise<Security> => {
  const rows = () => transaction<Security>('identity.security')
  const before = await rows()
    .forUpdate()
    .first(...columns)
  await rows().update(settings)
  return before!
}
