import { hkdfSync } from 'node:crypto'
import type { Knex } from 'knex'
import { openText, sealText } from '#platform/sealed-text'
import type { Account } from '../accounts/account'
import type { IdentityNeeds } from '../needs'

const sealedMark = '~sealed.1.'

const keyFrom = (signingKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', signingKey, '', 'tuckshop second factor', 32))

const openWith = (keys: readonly Buffer[], userId: number, stored: string): string | null => {
  const sealed = stored.slice(sealedMark.length)
  return keys.map((key) => openText(sealed, key, userId)).find((secret) => secret !== null) ?? null
}

/** Encrypted with keys derived from the session keys, which are not in the database: tables or backups give no codes. */
export const secondFactorSecrets = ({ signingKeys }: IdentityNeeds) => {
  const keys = signingKeys.map(keyFrom)
  return {
    seal: (userId: number, secret: string): string => sealedMark + sealText(secret, keys[0]!, userId),

    /** Null without the key; older versions stored plain text. */
    open: (userId: number, stored: string): string | null =>
      stored.startsWith(sealedMark) ? openWith(keys, userId, stored) : stored,

    isSealedWithNewest: (userId: number, stored: string): boolean =>
      stored.startsWith(sealedMark) && openWith(keys.slice(0, 1), userId, stored) !== null,
  }
}

const users = (knex: Knex) => knex<Account>('identity.users')

/** Re-encrypts with the newest key, so that older keys can go. Repeatable and safe concurrently. */
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
