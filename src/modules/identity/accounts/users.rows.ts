import type { Knex } from 'knex'
import type { Account, NewAccount } from './account'
import { usernameKey } from './profile.decide'
import { refuse } from '../refusals'

/** The rows of `identity.users`, on the database or inside a transaction. */
export const userRows = (knex: Knex) => {
  const users = () => knex<Account>('identity.users')
  return {
    byId: (id: number): Promise<Account | undefined> => users().where({ id }).first(),

    byUsername: (username: string): Promise<Account | undefined> =>
      users()
        .where({ usernameKey: usernameKey(username) })
        .first(),

    /** Accounts that somebody may mean by a username or an e-mail address; several may share an address. */
    meantBy: (identifier: string, atMost: number): Promise<Account[]> =>
      users()
        .where({ usernameKey: usernameKey(identifier) })
        .orWhereRaw('lower(email) = lower(?)', [identifier.trim()])
        .orderBy('id')
        .limit(atMost),

    /** Everybody of the console, superadmin first, then by username. */
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

    /** The same unless there is one already, of the same username or another superadmin; then undefined, and nothing happens. */
    insertUnlessThere: (account: NewAccount): Promise<Account | undefined> =>
      users()
        .insert({ ...account, usernameKey: usernameKey(account.username) })
        .onConflict()
        .ignore()
        .returning('*')
        .then(([row]) => row),

    /** Changes the account, its username among it; refuses one that is taken. */
    rename: (id: number, changes: Partial<Account>): Promise<Account> =>
      users()
        .where({ id })
        .update(changes)
        .returning('*')
        .then(([row]) => row!, usernameIsTaken),

    /** Nobody signs in with it any more, nothing of its owner is left in it, and its username is free again. */
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
        })
    },

    /** The account, locked until the transaction ends. */
    lock: (id: number): Promise<Account | undefined> => users().where({ id }).forUpdate().first(),

    /** Changes the account if it still is as `as` says; undefined when it is not. */
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
