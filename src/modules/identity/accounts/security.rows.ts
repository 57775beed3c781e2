import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import type { getSecurity } from '#contracts/identity'

/** What the school demands of accounts, and how much one of them may hold. */
export type Security = ReplyOf<typeof getSecurity>

const columns = ['requireSecondFactor', 'maxChildren', 'maxUnpaidMeals'] as const

export const readSecurity = async (knex: Knex): Promise<Security> =>
  (await knex<Security>('identity.security').first(...columns))!

export const writeSecurity = async (knex: Knex, settings: Security): Promise<Security> =>
  (
    await knex<Security>('identity.security')
      .update(settings)
      .returning([...columns])
  )[0]!
