import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { inviteGuardian, SharedInvite, ShownInvite, WaitingInvite } from '#contracts/accounts'
import type { BodyOf } from '#contracts/endpoint'
import { letter, type Mail } from '#modules/messaging/published'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { tooManyRequests } from '#platform/http/request'
import type { Principal } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { randomPassword, typedCode } from '../sign-in/password.commands'
import { guardianRows } from '../students/guardians.rows'
import {
  addressKey,
  decideAcceptance,
  decideInvite,
  decideKeptChild,
  inviteDays,
  type ClaimedStudent,
  type Invite,
} from '../students/student.decide'
import { studentRows } from '../students/students.rows'
import type { Account } from '../users/account.decide'
import { noteAccountChange, recordAccountChange, userRows } from '../users/users.rows'

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

const pageOf = (secret: string): string => `/guardian-invite/${secret}`

type InviteForm = { id: number } & BodyOf<typeof inviteGuardian>

export const inviteCommands = (needs: IdentityNeeds) => {
  const { knex } = needs.database

  /** One invitation for all these children. Stores hashes; voids what is open for this address and a child of these. */
  const invite = ({ id, studentIds = [], ...form }: InviteForm, { user, by }: Asker): Promise<SharedInvite> =>
    needs.messaging.withMail(async (transaction, post) => {
      // Locks the inviter, so that concurrent invites respect the limit.
      const inviter = (await userRows(transaction).lock(user.userId))!
      const children = await keptChildren(transaction, [id, ...studentIds], user)
      const [email, now, rows] = [
        form.email ? addressKey(form.email) : null,
        needs.now(),
        inviteRows(transaction),
      ]
      for (const child of children) await decideRoom(transaction, { email, child, inviter, now })
      const wait = email === null ? 0 : await needs.messaging.consumeMail('guardian-invite', email)
      if (wait > 0) throw tooManyRequests(wait)
      const [token, code] = [randomBytes(32).toString('base64url'), randomPassword()]
      const expiresAt = new Date(now.getTime() + inviteDays * dayMs)
      const hashes = { tokenHash: hashOf(token), codeHash: hashOf(code) }
      const kept = { invitedBy: inviter.id, email, invitedAt: now, expiresAt, ...hashes }
      const ids: string[] = []
      for (const child of children) {
        if (email !== null) await rows.removeOpenFor(child.id, email, now)
        ids.push((await rows.add({ ...kept, studentId: child.id })).id)
        const what = `A second guardian of student ${child.id} of ${accountNamed(inviter.id)} invited`
        await recordAccountChange(transaction, needs, by, what)
      }
      const { schoolName, publicUrl } = needs
      if (email !== null) {
        // The form of the page is filled in with it; what follows # reaches no server, so no log.
        const address = Buffer.from(email).toString('base64url')
        const link = `${new URL(pageOf(token), publicUrl)}#${address}`
        const mail = guardianInviteMail({ to: email, link, count: children.length, schoolName })
        await post({ ...mail, purpose: 'account' }, { userId: inviter.id })
      }
      const link = new URL(pageOf(code), publicUrl).toString()
      return { id: ids[0]!, email, expiresAt: expiresAt.toISOString(), code, link }
    })

  const withdraw = (given: { id: number; inviteId: string }, { user, by }: Asker): Promise<void> =>
    knex.transaction(async (transaction) => {
      const ties = await tiesOf(transaction, given.id, user.userId)
      const student = decideKeptChild(user, ties, { orOffice: true })
      if (!(await inviteRows(transaction).removeOpen(student.id, given.inviteId, needs.now())))
        throw refuse('invite_not_found', 'This invitation does not exist any more')
      const what = `Invitation to be a second guardian of student ${student.id} withdrawn`
      await recordAccountChange(transaction, needs, by, what)
    })

  /** Throws as accepting would. */
  const acceptable = async (transaction: Knex.Transaction, idOrCode: string, userId: number) => {
    const { by, rows } = await inviteRows(transaction).lock(idOrCode)
    const account = (await userRows(transaction).byId(userId))!
    const asked = []
    for (const one of rows) asked.push({ invite: one, ...(await tiesOf(transaction, one.studentId, userId)) })
    const children = decideAcceptance({ asked, account, by, now: needs.now() })
    return { invite: rows[0]!, by, account, children }
  }

  const show = (idOrCode: string, userId: number): Promise<ShownInvite> =>
    knex.transaction(async (transaction) => {
      const { invite: found, children } = await acceptable(transaction, idOrCode, userId)
      const inviter = (await userRows(transaction).byId(found.invitedBy))!
      const students = children.map(({ name }) => ({ name }))
      const expiresAt = found.expiresAt.toISOString()
      return { student: students[0]!, students, invitedBy: { name: inviter.name }, expiresAt }
    })

  const accept = (idOrCode: string, { user, by }: Asker): Promise<ClaimedStudent[]> =>
    knex.transaction(async (transaction) => {
      // Account before students, as deletion does, so that nothing deadlocks.
      await userRows(transaction).lock(user.userId)
      const found = await acceptable(transaction, idOrCode, user.userId)
      const now = needs.now()
      for (const child of found.children) {
        await guardianRows(transaction).add({ studentId: child.id, userId: user.userId, since: now })
        const what = `Second guardian ${accountNamed(user.userId)} of student ${child.id} of ${accountNamed(child.userId)} added`
        await recordAccountChange(transaction, needs, by, what)
      }
      await inviteRows(transaction).markAccepted(found.invite.tokenHash, now)
      if (found.by === 'mail' && found.account.emailVerifiedAt === null)
        await userRows(transaction).update({ id: user.userId }, { emailVerifiedAt: now })
      return found.children
    })

  const waiting = async (userId: number): Promise<WaitingInvite[]> => {
    const rows = await inviteRows(knex).waitingFor(userId, needs.now())
    return rows.map(({ children, inviter, expiresAt, ...row }) => ({
      ...row,
      children: children.map((name) => name.split(/\s+/, 1)[0]!),
      invitedBy: { name: inviter },
      expiresAt: expiresAt.toISOString(),
    }))
  }

  return {
    inviteGuardian: invite,
    withdrawInvite: withdraw,
    showInvite: show,
    acceptInvite: accept,
    waitingInvites: waiting,
  }
}

export type Asker = { user: Pick<Principal, 'userId' | 'role'>; by: By }

/** `isSecond`: the account is a second guardian of the child. */
export const tiesOf = async (transaction: Knex.Transaction, id: number, userId: number) => {
  const student = await studentRows(transaction).hold(id)
  const seconds = student ? await guardianRows(transaction).ofStudent(student.id) : []
  return { student, isSecond: seconds.some((second) => second.userId === userId) }
}

const keptChildren = async (
  transaction: Knex.Transaction,
  ids: readonly number[],
  user: Asker['user'],
): Promise<ClaimedStudent[]> => {
  const children = new Map<number, ClaimedStudent>()
  for (const id of ids) {
    const child = decideKeptChild(user, await tiesOf(transaction, id, user.userId), { orOffice: false })
    children.set(child.id, child)
  }
  return [...children.values()]
}

type Room = { email: string | null; child: ClaimedStudent; inviter: Account; now: Date }

const decideRoom = async (
  transaction: Knex.Transaction,
  { email, child, inviter, now }: Room,
): Promise<void> => {
  const seconds = await guardianRows(transaction).ofStudent(child.id)
  const open = await inviteRows(transaction).openOf(child.id, inviter.id, now)
  const others = open.filter((one) => email === null || one.email !== email)
  decideInvite(email, { ownEmail: inviter.email, seconds: seconds.length, open: others.length })
}

/** Whoever has the mailed token reads the mail of its address: the account's address is verified by it, or is this one where it has none. */
export const proveInvitedAddress = async (
  { database, now }: Ports,
  account: Account,
  { token, correlationId }: { token: string; correlationId: string },
): Promise<void> => {
  const invited = await inviteRows(database.knex).addressOf(token, now())
  if (invited === null || account.role !== 'parent' || account.emailVerifiedAt !== null) return
  if (account.email !== null && addressKey(account.email) !== invited) return
  await database.knex.transaction(async (transaction) => {
    const { id, email } = account
    const change = { email: email ?? invited, emailVerifiedAt: now() }
    const after = await userRows(transaction).update({ id, email }, change)
    const stamp = { actor: `user:${id}`, correlationId, at: now() }
    if (after) await noteAccountChange(transaction, { before: account, after, stamp })
  })
}

type InviteRow = Invite & { id: string; tokenHash: string; codeHash: string | null; invitedAt: Date }

type WaitingRow = { id: string; children: string[]; inviter: string; expiresAt: Date }

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const mostWaiting = 20

export const inviteRows = (knex: Knex) => {
  const invites = () => knex<InviteRow>('identity.guardian_invites')
  const open = (studentId: number, at: Date) =>
    invites().where({ studentId, acceptedAt: null }).where('expiresAt', '>', at)
  return {
    /** Oldest first; none when the sender is no longer first guardian. */
    openOf: (studentId: number, invitedBy: number, at: Date): Promise<InviteRow[]> =>
      open(studentId, at).where({ invitedBy }).orderBy(['invitedAt', 'id']),

    add: (invite: Omit<InviteRow, 'id' | 'acceptedAt'>): Promise<InviteRow> =>
      invites()
        .insert({ id: v7(), ...invite })
        .returning('*')
        .then(([row]) => row!),

    /** A row for each child of the invitation, none where there is no such invitation. */
    lock: async (idOrCode: string): Promise<{ by: 'mail' | 'code' | 'id'; rows: InviteRow[] }> => {
      const locked = (which: Partial<InviteRow>) => invites().where(which).orderBy('studentId').forUpdate()
      if (uuid.test(idOrCode)) {
        const one = await invites().where({ id: idOrCode }).first()
        return { by: 'id', rows: one ? await locked({ tokenHash: one.tokenHash }) : [] }
      }
      const mailed = await locked({ tokenHash: hashOf(idOrCode) })
      if (mailed.length > 0) return { by: 'mail', rows: mailed }
      return { by: 'code', rows: await locked({ codeHash: hashOf(typedCode(idOrCode)) }) }
    },

    markAccepted: async (tokenHash: string, acceptedAt: Date): Promise<void> => {
      await invites().where({ tokenHash }).update({ acceptedAt, email: null })
    },

    /** Null when it is unknown, used or late. */
    addressOf: async (token: string, at: Date): Promise<string | null> => {
      const found = await invites()
        .where({ tokenHash: hashOf(token) })
        .where('expiresAt', '>', at)
        .first()
      return found?.email ?? null
    },

    waitingFor: async (userId: number, at: Date): Promise<WaitingRow[]> => {
      const { rows } = await knex.raw<{ rows: WaitingRow[] }>(
        `select min(invite.id::text) as id, min(inviter.name) as inviter, min(invite."expiresAt") as "expiresAt",
           array_agg(child.name order by child.id) as children
         from identity.users account
         join identity.guardian_invites invite on invite.email = lower(account.email)
         join identity.students child on child.id = invite."studentId" and child."userId" = invite."invitedBy"
         join identity.users inviter on inviter.id = invite."invitedBy"
         where account.id = :userId and account.role = 'parent' and account."emailVerifiedAt" is not null
           and invite."acceptedAt" is null and invite."expiresAt" > :at and invite."invitedBy" <> account.id
           and not exists (select from identity.guardians second
             where second."studentId" = child.id and second."userId" = account.id)
         group by invite."tokenHash" order by max(invite."invitedAt") desc limit :mostWaiting`,
        { userId, at, mostWaiting },
      )
      return rows
    },

    removeOpen: async (studentId: number, id: string, at: Date): Promise<boolean> =>
      (await open(studentId, at).where({ id }).delete()) > 0,

    /** `email` is lower case. */
    removeOpenFor: async (studentId: number, email: string, at: Date): Promise<void> => {
      await open(studentId, at).where({ email }).delete()
    },

    removeOfUser: async (invitedBy: number): Promise<void> => {
      await invites().where({ invitedBy }).delete()
    },
  }
}

/** Names nobody: the address may be mistyped. */
const guardianInviteMail = (about: { to: string; link: string; count: number; schoolName: string }): Mail => {
  const [whose, whom] =
    about.count === 1 ? ['their child', 'the child'] : [`their ${about.count} children`, 'them']
  return {
    to: about.to,
    subject: `You are invited to order school lunches at ${about.schoolName}`,
    text: letter(
      'Good day,',
      [
        `a parent at our school asks you to be a second guardian of ${whose}: then you can order lunches for ${whom}, see ` +
          'them and cancel them. The guardian who orders a lunch pays for it.',
        `To see who asks and to accept, open this link within ${inviteDays} days, and create an account or log in. It shows that this email address is yours.`,
        about.link,
        'If you do not know what this is about, you can ignore this message.',
      ],
      about.schoolName,
    ),
  }
}

/** A late link still explains itself for this time. */
const invitesKeptDays = 30

export const inviteRetention = ({ database: { pool }, now }: Ports): Retention => ({
  name: 'identity.guardian_invites',
  about: 'Invitations to be a guardian',
  kept: `${invitesKeptDays} days after the link expired; its address until it was accepted`,
  remove: deleteUntil(
    pool,
    'identity.guardian_invites',
    '"expiresAt" < $1',
    () => new Date(now().getTime() - invitesKeptDays * dayMs),
  ),
})
