import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import unhomoglyph from 'unhomoglyph'
import { recordChanges, type Change } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import { noteLastChange, refuseChangedRecord } from '#platform/versions'
import { refuse } from '../refusals'
import { accountRecord, accountShown, type Account, type NewAccount } from './account.decide'
import { usernameKey, decideUsername } from './credentials.decide'

export const userRows = (knex: Knex) => {
  const users = () => knex<Account>('identity.users')
  return {
    byId: (id: number): Promise<Account | undefined> => users().where({ id }).first(),

    byIds: async (ids: readonly number[]): Promise<Map<number, Account>> => {
      const accounts = await users().whereRaw('id = any(?::int[])', [[...ids]])
      return new Map(accounts.map((account) => [account.id, account]))
    },

    byUsername: (username: string): Promise<Account | undefined> =>
      users()
        .where({ usernameKey: usernameKey(username) })
        .first(),

    /** By username or email, which several may share: those that verified it, else those that named it; at most `atMost` of either. */
    meantBy: async (identifier: string, atMost: number): Promise<Account[]> => {
      const named = () => users().whereRaw('lower(email) = lower(?)', [identifier.trim()])
      const proven = await named().whereNotNull('emailVerifiedAt').orderBy('id').limit(atMost)
      const byEmail = proven.length > 0 ? proven : await named().orderBy('id').limit(atMost)
      const byName = await users()
        .where({ usernameKey: usernameKey(identifier) })
        .first()
      return byName && !byEmail.some(({ id }) => id === byName.id) ? [byName, ...byEmail] : byEmail
    },

    administrators: (atMost: number): Promise<Account[]> =>
      users()
        .where({ role: 'admin' })
        .orderBy([{ column: 'isSuperadmin', order: 'desc' }, 'usernameKey'])
        .limit(atMost),

    superadmins: (): Promise<Account[]> => users().where({ isSuperadmin: true }),

    insert: (account: NewAccount): Promise<Account> =>
      users()
        .insert({ ...account, usernameKey: usernameKey(account.username) })
        .returning('*')
        .then(([row]) => row!, usernameIsTaken),

    /** Undefined if the username or a superadmin exists. */
    insertUnlessThere: (account: NewAccount): Promise<Account | undefined> =>
      users()
        .insert({ ...account, usernameKey: usernameKey(account.username) })
        .onConflict()
        .ignore()
        .returning('*')
        .then(([row]) => row),

    /** Throws for a taken username. */
    rename: (id: number, changes: Partial<Account>): Promise<Account> =>
      users()
        .where({ id })
        .update(changes)
        .returning('*')
        .then(([row]) => row!, usernameIsTaken),

    /** Clears personal data and frees the username. */
    markDeleted: async (id: number, deletedAt: Date): Promise<void> => {
      await users()
        .where({ id })
        .update({
          deletedAt,
          username: `deleted ${id}`,
          name: `deleted ${id}`,
          usernameKey: null,
          passwordHash: null,
          temporaryHash: null,
          temporaryExpiresAt: null,
          mustChangePassword: true,
          emailVerifiedAt: null,
          phoneVerifiedAt: null,
          messageChannel: 'mail',
          reminders: true,
          email: null,
          phone: null,
          privacyVersion: null,
          privacyAcceptedAt: null,
        })
    },

    lock: (id: number): Promise<Account | undefined> => users().where({ id }).forUpdate().first(),

    /** Undefined unless it still matches `as`. */
    update: (
      as: Partial<Account> & { id: number },
      changes: Partial<Account>,
    ): Promise<Account | undefined> =>
      users()
        .where(as)
        .update(changes)
        .returning('*')
        .then(([row]) => row),
  }
}

const usernameIsTaken = (error: unknown): never => {
  const violated = error as { code?: string; constraint?: string }
  if (violated.code !== '23505' || violated.constraint !== 'users_username_unique') throw error
  throw refuse('username_taken', 'This username is already taken', {
    fields: { username: 'This username is already taken' },
  })
}

/** UTS 39 skeleton, ignoring case, dots and dashes, with 1 l I i alike. */
const lookOf = (username: string): string =>
  unhomoglyph(username.normalize('NFKC').toLowerCase().normalize('NFD'))
    .normalize('NFD')
    .toLowerCase()
    .replace(/[1li|]/g, 'l')
    .replace(/[._-]/g, '')

/** Throws for mixed scripts and lookalikes of administrators. */
export const decideFreeUsername = async (knex: Knex, username: string): Promise<void> => {
  const administrators = await knex<Account>('identity.users').where({ role: 'admin' }).pluck('username')
  const look = lookOf(username)
  decideUsername(
    username,
    administrators.some((name: string) => lookOf(name) === look),
  )
}

/** Throws `changed_meanwhile`. */
export const refuseChangedAccount = (
  transaction: Knex.Transaction,
  account: Account,
  version: string | undefined,
  change: Partial<Account>,
): Promise<void> =>
  refuseChangedRecord(transaction, {
    record: accountRecord(account.id),
    version,
    before: account,
    change,
    shown: accountShown,
  })

/** For whoever saves an older form of the account over it. */
export const noteAccountChange = async (
  transaction: Knex.Transaction,
  { before, after, stamp }: { before: Account; after: Account; stamp: By & { at: Date } },
): Promise<void> => {
  if (!isDeepStrictEqual(accountShown(before), accountShown(after)))
    await noteLastChange(transaction, stamp, [accountRecord(after.id)])
}

export const recordAccountChange = (
  transaction: Knex.Transaction,
  { now }: Ports,
  by: By,
  what: string,
  values: Pick<Change, 'old' | 'new' | 'record'> = { old: null, new: null },
): Promise<void> => recordChanges(transaction, { ...by, at: now() }, [{ kind: 'accounts', what, ...values }])
