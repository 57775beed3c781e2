import { createHash, randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from '#platform/database'
import type { Principal } from '#platform/http/route'
import { maxSessionMs, type SessionStore } from '#platform/http/sessions'
import type { Now, Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { type Account, featuresOf } from '../users/account.decide'
import { openingHashes, type Credentials } from '../users/credentials.decide'

export type Session = {
  id: string
  secret: string
  userId: number
  credentialsVersion: number
  device: string
  typed: string | null
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

const hourMs = 60 * 60_000

/** By role, on the application's clock; 30 days for all. */
const maxUnusedMs: Record<Account['role'], number> = {
  admin: 12 * hourMs,
  parent: 14 * dayMs,
  teacher: 14 * dayMs,
}

const touchedAfterMs = 5 * 60_000

const expiryOf = (role: Account['role'], createdAt: Date, at: Date): Date =>
  new Date(Math.min(createdAt.getTime() + maxSessionMs, at.getTime() + maxUnusedMs[role]))

type PrincipalRow = Omit<Principal, 'features'> & Pick<Account, 'features'>
type OpenRow = PrincipalRow & Pick<Session, 'id' | 'credentialsVersion' | 'createdAt' | 'lastUsedAt'>

const openQuery = {
  name: 'identity-session',
  text: `select session.id, session."credentialsVersion", session."createdAt", session."lastUsedAt", account.id as "userId", username, name, email,
           phone, role, features, "isSuperadmin", "mustChangePassword",
           role = 'admin' and security."requireSecondFactor" and "totpConfirmedAt" is null as "mustSetUpSecondFactor"
         from identity.sessions session
         join identity.users account on account.id = session."userId"
           and account."credentialsVersion" = session."credentialsVersion"
           and account."deletedAt" is null and account."disabledAt" is null
         cross join identity.security
         where session.secret = $1 and session."expiresAt" > $2`,
}

const sessions = (knex: Knex) => knex<Session>('identity.sessions')

/** Prepared: every request reads one. */
export const sessionRows = ({ knex, reads }: Pick<Database, 'knex' | 'reads'>, now: Now): SessionStore => ({
  read: async (secret) => {
    const at = now()
    const { rows } = await reads.query<OpenRow>({ ...openQuery, values: [secret, at] })
    if (!rows[0]) return null
    const { id, credentialsVersion, createdAt, lastUsedAt, ...account } = rows[0]
    if (at.getTime() - lastUsedAt.getTime() > touchedAfterMs)
      await sessions(knex)
        .where({ id })
        .update({ lastUsedAt: at, expiresAt: expiryOf(account.role, createdAt, at) })
    return { id, credentialsVersion, principal: { ...account, features: featuresOf(account) } }
  },

  create: async (secret, { userId, credentialsVersion, typed = null, device }) => {
    const at = now()
    const id = randomUUID()
    const { role } = (await knex<Account>('identity.users').where({ id: userId }).first('role'))!
    const instants = { createdAt: at, lastUsedAt: at, expiresAt: expiryOf(role, at, at) }
    await sessions(knex).insert({ id, secret, userId, credentialsVersion, typed, device, ...instants })
    return id
  },

  end: async (secret) => {
    await sessions(knex).where({ secret }).delete()
  },

  usernameOf: async (userId) =>
    (await knex<Account>('identity.users').where({ id: userId }).first('username'))?.username ?? null,
})

/** Names the password that must be changed; null when none must be, or it has expired. */
export const passwordToChange = (account: Credentials, now: Date): string | null => {
  if (!account.mustChangePassword) return null
  const { password, temporary } = openingHashes(account, now)
  const hash = password ?? temporary
  return hash === null ? null : createHash('sha256').update(hash).digest('base64url')
}

/** Whether this session signed in with the password that must be changed. */
export const hasTypedPasswordToChange = async (
  knex: Knex,
  account: Credentials & { id: number },
  { sessionId, now }: { sessionId: string | null; now: Date },
): Promise<boolean> => {
  const typed = passwordToChange(account, now)
  if (typed === null || sessionId === null) return false
  const session = await sessions(knex).where({ id: sessionId, userId: account.id, typed }).first('id')
  return session !== undefined
}

const maxListed = 100

export const sessionsOf = (knex: Knex, userId: number, at: Date): Promise<Session[]> =>
  sessions(knex)
    .where({ userId })
    .andWhere('expiresAt', '>', at)
    .orderBy('lastUsedAt', 'desc')
    .limit(maxListed)

export const endSession = async (knex: Knex, userId: number, id: string): Promise<boolean> =>
  (await sessions(knex).where({ userId, id }).delete()) > 0

/** In the transaction that changes credentials; concurrent sign-ins with the old password fail too. */
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

export const sessionRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.sessions',
  about: 'Where you are logged in: device and time',
  kept: '14 days after the last use (administrators: 12 hours), 30 days at most',
  remove: deleteUntil(pool, 'identity.sessions', '"expiresAt" <= $1', now),
})
