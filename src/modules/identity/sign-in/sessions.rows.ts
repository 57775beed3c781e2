import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import { maxSessionMs, type SessionStore } from '#platform/http/sessions'
import type { Principal } from '#platform/http/route'
import { dayMs } from '#platform/retention'
import type { Account } from '../accounts/account'
import { featuresOf } from '../accounts/directory.rows'

/** Somebody who is signed in somewhere; `device` as the browser describes itself. */
export type Session = {
  id: string
  secret: string
  userId: number
  credentialsVersion: number
  device: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

const hourMs = 60 * 60_000

/** After so much disuse a session ends, on the application's clock; all end after 30 days. */
const maxUnusedMs: Record<Account['role'], number> = {
  admin: 12 * hourMs,
  parent: 14 * dayMs,
  teacher: 14 * dayMs,
}

/** A use is written down when the last one written is older. */
const touchedAfterMs = 5 * 60_000

const expiryOf = (role: Account['role'], createdAt: Date, at: Date): Date =>
  new Date(Math.min(createdAt.getTime() + maxSessionMs, at.getTime() + maxUnusedMs[role]))

type PrincipalRow = Omit<Principal, 'features'> & Pick<Account, 'features'>
type OpenRow = PrincipalRow & Pick<Session, 'id' | 'credentialsVersion' | 'createdAt' | 'lastUsedAt'>

const openQuery = {
  name: 'identity-session',
  text: `select session.id, session."credentialsVersion", session."createdAt", session."lastUsedAt", account.id as "userId", username, name, email,
           role, features, "isSuperadmin", "mustChangePassword",
           role = 'admin' and security."requireSecondFactor" and "totpConfirmedAt" is null as "mustSetUpSecondFactor"
         from identity.sessions session
         join identity.users account on account.id = session."userId"
           and account."credentialsVersion" = session."credentialsVersion"
           and account."deletedAt" is null and account."disabledAt" is null
         cross join identity.security
         where session.secret = $1 and session."expiresAt" > $2`,
}

const sessions = (knex: Knex) => knex<Session>('identity.sessions')

/** The sessions of everybody as rows. Reading one is a single prepared query, since every request does it. */
export const sessionRows = ({ knex, pool }: Pick<Database, 'knex' | 'pool'>, now: Now): SessionStore => ({
  read: async (secret) => {
    const at = now()
    const { rows } = await pool.query<OpenRow>({ ...openQuery, values: [secret, at] })
    if (!rows[0]) return null
    const { id, credentialsVersion, createdAt, lastUsedAt, ...account } = rows[0]
    if (at.getTime() - lastUsedAt.getTime() > touchedAfterMs)
      await sessions(knex)
        .where({ id })
        .update({ lastUsedAt: at, expiresAt: expiryOf(account.role, createdAt, at) })
    return { id, credentialsVersion, principal: { ...account, features: featuresOf(account) } }
  },

  create: async (secret, { userId, credentialsVersion, device }) => {
    const at = now()
    const id = randomUUID()
    const { role } = (await knex<Account>('identity.users').where({ id: userId }).first('role'))!
    const instants = { createdAt: at, lastUsedAt: at, expiresAt: expiryOf(role, at, at) }
    await sessions(knex).insert({ id, secret, userId, credentialsVersion, device, ...instants })
    return id
  },

  end: async (secret) => {
    await sessions(knex).where({ secret }).delete()
  },
})

const maxListed = 100

/** The sessions of a user that hold, the last used first. */
export const sessionsOf = (knex: Knex, userId: number, at: Date): Promise<Session[]> =>
  sessions(knex)
    .where({ userId })
    .andWhere('expiresAt', '>', at)
    .orderBy('lastUsedAt', 'desc')
    .limit(maxListed)

/** Ends one session of a user; false when they have none of this id. */
export const endSession = async (knex: Knex, userId: number, id: string): Promise<boolean> =>
  (await sessions(knex).where({ userId, id }).delete()) > 0

/**
 * Ends every session of a user but the named one, in the transaction that changes what opens the account; a sign-in
 * that compared the old password meanwhile opens nothing either.
 */
export const endSessions = async (
  transaction: Knex.Transaction,
  userId: number,
  exceptId: string | null = null,
): Promise<void> => {
  const [account] = await transaction<Account>('identity.users')
    .where({ id: userId })
    .increment('credentialsVersion', 1)
    .returning('credentialsVersion')
  await sessions(transaction).where({ userId }).whereRaw('id is distinct from ?', [exceptId]).delete()
  if (exceptId !== null)
    await sessions(transaction)
      .where({ userId, id: exceptId })
      .update({ credentialsVersion: account!.credentialsVersion })
}
