import { createHash, hkdfSync } from 'node:crypto'
import type { Knex } from 'knex'
import { Secret, TOTP } from 'otpauth'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Principal } from '#platform/http/route'
import { openText, sealText } from '#platform/sealed-text'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import type { Account } from '../users/account.decide'
import { recordAccountChange, userRows } from '../users/users.rows'
import { askOwnPassword, randomCode, typedCode } from './password.commands'
import { endSessions } from './sessions.rows'

type Asker = Pick<Principal, 'userId' | 'role'>

type About = { sessionId: string | null; by: By }

const periodSeconds = 30

const recoveryCodeCount = 10

const totpOf = ({ username }: Pick<Account, 'username'>, secret: string, issuer: string) =>
  new TOTP({ issuer, label: username, secret: Secret.fromBase32(secret), period: periodSeconds })

const hashOf = (code: string) => createHash('sha256').update(typedCode(code)).digest('base64url')

const wrong = (status: 'second_factor_wrong' | 'second_factor_code_wrong') =>
  refuse(status, 'This code is wrong or has already been used', {
    fields: { code: 'This code is wrong or has already been used' },
  })

/** One period early or late; null for no match. */
const periodOf = (account: Account, secret: string, code: string, now: Date): number | null => {
  const timestamp = now.getTime()
  const token = code.replace(/\s/g, '')
  const delta = totpOf(account, secret, '').validate({ token, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / (periodSeconds * 1000)) + delta
}

/** Accepts an app or recovery code once. A null `secret` cannot be decrypted: only recovery codes then. */
const takeCode = async (
  knex: Knex,
  account: Account,
  { secret, code, now }: { secret: string | null; code: string; now: Date },
): Promise<boolean> => {
  const { id } = account
  const totpStep = secret === null ? null : periodOf(account, secret, code, now)
  if (totpStep !== null) {
    const taken = await knex<Account>('identity.users')
      .where({ id })
      .andWhere('totpStep', '<', totpStep)
      .update({ totpStep })
    return taken === 1
  }
  return (
    (await knex('identity.recovery_codes')
      .where({ userId: id, hash: hashOf(code) })
      .delete()) === 1
  )
}

export const clearSecondFactor = async (transaction: Knex.Transaction, userId: number): Promise<void> => {
  await userRows(transaction).update({ id: userId }, { totpSecret: null, totpConfirmedAt: null })
  await transaction('identity.recovery_codes').where({ userId }).delete()
}

/** TOTP (RFC 6238), and ten recovery codes. */
export const secondFactorCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database
  const secrets = secondFactorSecrets(needs)
  const fits = (within: Knex, account: Account, code: string): Promise<boolean> =>
    takeCode(within, account, {
      secret: secrets.open(account.id, account.totpSecret!),
      code,
      now: needs.now(),
    })

  const locked = <Result>(
    { userId, role }: Asker,
    change: (transaction: Knex.Transaction, account: Account) => Promise<Result>,
  ): Promise<Result> => {
    if (role !== 'admin')
      throw refuse('second_factor_for_administrators', 'Only administrators have a second factor')
    return knex.transaction(async (transaction) =>
      change(transaction, (await userRows(transaction).lock(userId))!),
    )
  }

  return {
    /** Throws `second_factor_required`, `second_factor_wrong`. */
    checkSecondFactor: async (account: Account, code: string | undefined): Promise<void> => {
      if (account.totpConfirmedAt === null) return
      if (!code) throw refuse('second_factor_required', 'Enter the code of your authenticator app')
      if (!(await fits(knex, account, code))) throw wrong('second_factor_wrong')
    },

    /** Active once confirmed. Throws `second_factor_on`. */
    beginSecondFactor: async (asker: Asker, { currentPassword }: { currentPassword: string }) =>
      locked(asker, async (transaction, account) => {
        await askOwnPassword(needs, account, currentPassword)
        if (account.totpConfirmedAt !== null)
          throw refuse('second_factor_on', 'The second factor is already on. Remove it first')
        const secret = new Secret({ size: 20 }).base32
        const totpSecret = secrets.seal(account.id, secret)
        // Steps of an earlier secret do not count.
        await userRows(transaction).update({ id: account.id }, { totpSecret, totpStep: 0 })
        return { secret, otpauthUrl: totpOf(account, secret, needs.schoolName).toString() }
      }),

    /** Ends other sessions; answers recovery codes, shown once. */
    confirmSecondFactor: async (asker: Asker, { code }: { code: string }, { sessionId, by }: About) =>
      locked(asker, async (transaction, account) => {
        if (account.totpSecret === null || account.totpConfirmedAt !== null)
          throw refuse('second_factor_not_begun', 'Start the setup again to get a new secret')
        if (!(await fits(transaction, account, code))) throw wrong('second_factor_code_wrong')
        await userRows(transaction).update({ id: account.id }, { totpConfirmedAt: needs.now() })
        const recoveryCodes = Array.from({ length: recoveryCodeCount }, randomCode)
        await transaction('identity.recovery_codes').insert(
          recoveryCodes.map((recovery) => ({ userId: account.id, hash: hashOf(recovery) })),
        )
        await endSessions(transaction, account.id, sessionId)
        await recordAccountChange(transaction, needs, by, 'Own second factor set up')
        return { recoveryCodes }
      }),

    endSecondFactor: async (
      asker: Asker,
      { currentPassword, code }: { currentPassword: string; code: string },
      { sessionId, by }: About,
    ) =>
      locked(asker, async (transaction, account) => {
        await askOwnPassword(needs, account, currentPassword)
        if (account.totpConfirmedAt === null) throw refuse('second_factor_off', 'The second factor is off')
        if (!(await fits(transaction, account, code))) throw wrong('second_factor_code_wrong')
        await clearSecondFactor(transaction, account.id)
        await endSessions(transaction, account.id, sessionId)
        await recordAccountChange(transaction, needs, by, 'Own second factor removed')
      }),

    /** Superadmin removes another's; an own one needs password and code. */
    removeSecondFactorOf: async (userId: number, asker: Pick<Principal, 'userId' | 'isSuperadmin'>, by: By) =>
      knex.transaction(async (transaction) => {
        if (!asker.isSuperadmin)
          throw refuse('superadmin_only', 'Only superadmin can remove the second factor of another')
        if (asker.userId === userId)
          throw refuse('own_account', 'Remove your own second factor in your profile, with a code')
        const account = await userRows(transaction).lock(userId)
        if (account?.role !== 'admin') throw refuse('user_not_found', 'User not found')
        await clearSecondFactor(transaction, userId)
        await userRows(transaction).update({ id: userId }, { secondFactorRemovedBy: asker.userId })
        await endSessions(transaction, userId)
        const what = `Second factor of ${accountNamed(userId)} removed`
        await recordAccountChange(transaction, needs, by, what)
      }),
  }
}

export type SecondFactorCommands = ReturnType<typeof secondFactorCommands>

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
