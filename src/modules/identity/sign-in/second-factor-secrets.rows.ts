import { hkdfSync } from 'node:crypto'
import type { Knex } from 'knex'
import { openText, sealText } from '#platform/family-keys'
import type { Account } from '../accounts/account'
import type { IdentityNeeds } from '../needs'

const sealedMark = '~sealed.1.'

const keyFrom = (signingKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', signingKey, '', 'tuckshop second factor', 32))

const openWith = (keys: readonly Buffer[], userId: number, stored: string): string | null => {
  const sealed = stored.slice(sealedMark.length)
  return keys.map((key) => openText(sealed, key, userId)).find((secret) => secret !== null) ?? null
}

/**
 * Seals and opens the secrets of second factors. Their keys are made from the keys that sign sessions, which are not in
 * the database: whoever reads tables or a backup makes no codes.
 */
export const secondFactorSecrets = ({ signingKeys }: IdentityNeeds) => {
  const keys = signingKeys.map(keyFrom)
  return {
    seal: (userId: number, secret: string): string => sealedMark + sealText(secret, keys[0]!, userId),

    /** Null when the key that it was sealed with is not here any more. One of an earlier version stands in clear. */
    open: (userId: number, stored: string): string | null =>
      stored.startsWith(sealedMark) ? openWith(keys, userId, stored) : stored,

    isSealedWithNewest: (userId: number, stored: string): boolean =>
      stored.startsWith(sealedMark) && openWith(keys.slice(0, 1), userId, stored) !== null,
  }
}

const users = (knex: Knex) => knex<Account>('identity.users')

/**
 * Seals with the newest key what stands in clear or was sealed with an older one, so that the older key can go. May run
 * at any time and in several processes at once.
 */
export const sealSecondFactors = (needs: IdentityNeeds) => async (): Promise<void> => {
  const { database, log } = needs
  const secrets = secondFactorSecrets(needs)
  const accounts = await users(database.knex).whereNotNull('totpSecret').select('id', 'totpSecret')
  for (const { id, totpSecret } of accounts) {
    if (secrets.isSealedWithNewest(id, totpSecret!)) continue
    const secret = secrets.open(id, totpSecret!)
    if (secret === null) log.warn({ userId: id }, 'the key of a second factor is gone')
    else
      await users(database.knex)
        .where({ id, totpSecret })
        .update({ totpSecret: secrets.seal(id, secret) })
  }
}
