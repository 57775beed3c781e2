import {
  acceptGuardianInvite,
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  withdrawInvite,
  type GuardianInvite,
  type ShownInvite,
  type Guardian,
} from '#contracts/accounts'
import { onlyRoles, route, signedIn, buyersOrFeature, type Principal } from '#platform/http/route'
import { asStudent, studentRows } from '../students/students.rows'
import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { accountNamed } from '#platform/changes'
import { tooManyRequests } from '#platform/http/request'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { recordAccountChange, userRows } from '../accounts/users.rows'
import type { WithMail } from '#modules/messaging/index'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { guardianRows } from '../students/guardians.rows'
import {
  addressKey,
  decideAcceptance,
  decideInvite,
  decideKeptChild,
  inviteDays,
  decideRemoval,
  decideSeenChild,
  type ClaimedStudent,
  type Invite,
} from '../students/student.decide'
import type { Ports } from '#platform/ports'
import type { By } from '#platform/event-store/command-handler'
import { v7 } from 'uuid'
import { letter, type Mail } from '#modules/messaging/published'

const guardiansAndOffice = buyersOrFeature('parents_students')

export const guardianRoutes = (
  commands: ReturnType<typeof guardianCommands> & ReturnType<typeof inviteCommands>,
) => [
  route(listGuardians, guardiansAndOffice, ({ params, user }) => commands.guardiansOf(params.id, user)),

  route(
    inviteGuardian,
    onlyRoles('parent', 'teacher'),
    ({ params, body, user, by }) => commands.inviteGuardian({ ...params, ...body }, { user, by }),
    { limit: { name: 'guardian-invite', points: 10, seconds: 3600, by: 'user' } },
  ),

  route(withdrawInvite, guardiansAndOffice, async ({ params, user, by }) => {
    await commands.withdrawInvite(params, { user, by })
    return { message: 'Invitation withdrawn' }
  }),

  route(removeGuardian, guardiansAndOffice, async ({ params, user, by }) => {
    await commands.removeGuardian(params, { user, by })
    return { message: 'Guardian removed' }
  }),

  route(getGuardianInvite, signedIn, ({ params, user }) => commands.showInvite(params.token, user.userId)),

  route(acceptGuardianInvite, signedIn, async ({ params, user, by }) =>
    asStudent(await commands.acceptInvite(params.token, { user, by })),
  ),
]

type InviteNeeds = IdentityNeeds & {
  withMail: WithMail
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

const pageOf = (token: string): string => `/guardian-invite/${token}`

export const inviteCommands = (needs: InviteNeeds) => {
  const { knex } = needs.database

  /** Stores a hash; voids an open invite for this address. */
  const invite = (given: { id: number; email: string }, { user, by }: Asker): Promise<GuardianInvite> =>
    needs.withMail(async (transaction, post) => {
      // Locks the inviter, so that concurrent invites respect the limit.
      const inviter = (await userRows(transaction).lock(user.userId))!
      const ties = await tiesOf(transaction, given.id, user.userId)
      const student = decideKeptChild(user, ties, { orOffice: false })
      const [email, now, rows] = [addressKey(given.email), needs.now(), inviteRows(transaction)]
      const [seconds, open] = [
        await guardianRows(transaction).ofStudent(student.id),
        await rows.openOf(student.id, inviter.id, now),
      ]
      const others = open.filter((one) => one.email !== email)
      decideInvite(email, { ownEmail: inviter.email, seconds: seconds.length, open: others.length })
      const wait = await needs.messaging.consumeMail('guardian-invite', email)
      if (wait > 0) throw tooManyRequests(wait)
      await rows.removeOpenFor(student.id, email, now)
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(now.getTime() + inviteDays * dayMs)
      const kept = { studentId: student.id, invitedBy: inviter.id, email, invitedAt: now, expiresAt }
      const { id } = await rows.add({ ...kept, tokenHash: hashOf(token) })
      const link = new URL(pageOf(token), needs.publicUrl).toString()
      const { schoolName } = needs
      const invite = guardianInviteMail({ to: email, link, days: inviteDays, schoolName })
      await post(
        { ...invite, purpose: 'account' },
        {
          userId: inviter.id,
        },
      )
      const what = `A second guardian of student ${student.id} of ${accountNamed(inviter.id)} invited`
      await recordAccountChange(transaction, needs, by, what)
      return { id, email, expiresAt: expiresAt.toISOString() }
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
  const acceptable = async (transaction: Knex.Transaction, token: string, userId: number) => {
    const found = await inviteRows(transaction).lock(hashOf(token))
    const account = (await userRows(transaction).byId(userId))!
    const { student, isSecond } = found
      ? await tiesOf(transaction, found.studentId, userId)
      : { student: undefined, isSecond: false }
    const child = decideAcceptance({ invite: found, student, account, isSecond, now: needs.now() })
    return { invite: found!, child }
  }

  const show = (token: string, userId: number): Promise<ShownInvite> =>
    knex.transaction(async (transaction) => {
      const { invite: found, child } = await acceptable(transaction, token, userId)
      const inviter = (await userRows(transaction).byId(found.invitedBy))!
      const expiresAt = found.expiresAt.toISOString()
      return { student: { name: child.name }, invitedBy: { name: inviter.name }, expiresAt }
    })

  const accept = (token: string, { user, by }: Asker): Promise<ClaimedStudent> =>
    knex.transaction(async (transaction) => {
      // Account before students, as deletion does, so that nothing deadlocks.
      await userRows(transaction).lock(user.userId)
      const { invite: found, child } = await acceptable(transaction, token, user.userId)
      const now = needs.now()
      await guardianRows(transaction).add({ studentId: child.id, userId: user.userId, since: now })
      await inviteRows(transaction).markAccepted(found.id, now)
      const what = `Second guardian ${accountNamed(user.userId)} of student ${child.id} of ${accountNamed(child.userId)} added`
      await recordAccountChange(transaction, needs, by, what)
      return child
    })

  return { inviteGuardian: invite, withdrawInvite: withdraw, showInvite: show, acceptInvite: accept }
}

type Asker = { user: Pick<Principal, 'userId' | 'role'>; by: By }

const tiesOf = async (transaction: Knex.Transaction, id: number, userId: number) => {
  const student = await studentRows(transaction).hold(id)
  const seconds = student ? await guardianRows(transaction).ofStudent(student.id) : []
  return { student, isSecond: seconds.some((second) => second.userId === userId) }
}

export const guardianCommands = (needs: Ports) => {
  const { knex } = needs.database
  return {
    /** Only to those who may withdraw them. */
    guardiansOf: (
      id: number,
      user: Asker['user'],
    ): Promise<{ guardians: Guardian[]; invites: GuardianInvite[] }> =>
      knex.transaction(async (transaction) => {
        const ties = await tiesOf(transaction, id, user.userId)
        const student = decideSeenChild(user, ties)
        const guardians = await guardianRows(transaction).namedOf(student.id)
        const open = ties.isSecond
          ? []
          : await inviteRows(transaction).openOf(student.id, student.userId, needs.now())
        const invites = open.map((one) => ({
          id: one.id,
          email: one.email!,
          expiresAt: one.expiresAt.toISOString(),
        }))
        return { guardians, invites }
      }),

    removeGuardian: (given: { id: number; userId: number }, { user, by }: Asker): Promise<void> =>
      knex.transaction(async (transaction) => {
        const ties = await tiesOf(transaction, given.id, user.userId)
        const student = decideRemoval(user, ties, given.userId)
        if (!(await guardianRows(transaction).remove(student.id, given.userId)))
          throw refuse('guardian_not_found', 'This person is not a guardian of the child')
        const what = `Second guardian ${accountNamed(given.userId)} of student ${student.id} of ${accountNamed(student.userId)} removed`
        await recordAccountChange(transaction, needs, by, what)
      }),
  }
}

type InviteRow = Invite & { id: string; tokenHash: string; invitedAt: Date }

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

    lock: (tokenHash: string): Promise<InviteRow | undefined> =>
      invites().where({ tokenHash }).forUpdate().first(),

    markAccepted: async (id: string, acceptedAt: Date): Promise<void> => {
      await invites().where({ id }).update({ acceptedAt, email: null })
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

/** Names nobody: the address may be mistyped. `days` until it expires. */
const guardianInviteMail = (about: { to: string; link: string; days: number; schoolName: string }): Mail => ({
  to: about.to,
  subject: `You are invited to order school lunches at ${about.schoolName}`,
  text: letter(
    'Good day,',
    [
      'a parent at our school asks you to be a second guardian of their child: then you can order lunches for the child, see ' +
        'them and cancel them. Whoever orders a lunch pays for it.',
      `To see who asks and to accept, open this link within ${about.days} days, and log in or register with this email address:`,
      about.link,
      'If you do not know what this is about, you can ignore this message.',
    ],
    about.schoolName,
  ),
})

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
