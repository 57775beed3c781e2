import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { GuardianInvite, ShownInvite } from '#contracts/guardians'
import { accountNamed } from '#platform/changes'
import { tooManyRequests } from '#platform/http/http-refusals'
import { dayMs } from '#platform/retention'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { userRows } from '../accounts/users.rows'
import { takeMail } from '../mail/mail-budget.commands'
import type { WithMail } from '../mail/mail.job'
import { guardianInviteMail } from '../mail/mails'
import type { IdentityNeeds } from '../needs'
import { refuse } from '../refusals'
import { guardianRows } from '../students/guardians.rows'
import type { ClaimedStudent } from '../students/student.decide'
import { addressKey, decideAcceptance, decideInvite, decideKeptChild, inviteDays } from './guardian.decide'
import { type Asker, tiesOf } from './guardians.commands'
import { inviteRows } from './invites.rows'

type InviteNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'publicUrl' | 'schoolName' | 'rateLimits'> & {
  withMail: WithMail
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Where the web application shows an invite. */
const pageOf = (token: string): string => `/guardian-invite/${token}`

/** Inviting a child's second guardian and accepting it (families.md section 4). */
export const inviteCommands = (needs: InviteNeeds) => {
  const { knex } = needs.database

  /** Posts a new link, of which only a hash is kept; one that is open for this address is void from then on. */
  const invite = (given: { id: number; email: string }, { user, ...by }: Asker): Promise<GuardianInvite> =>
    needs.withMail(async (transaction, post) => {
      // The inviter's row makes their invitations one after another: no two pass the limit together.
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
      const wait = await takeMail(needs, 'guardian-invite', email)
      if (wait > 0) throw tooManyRequests(wait)
      await rows.removeOpenFor(student.id, email, now)
      const token = randomBytes(32).toString('base64url')
      const expiresAt = new Date(now.getTime() + inviteDays * dayMs)
      const kept = { studentId: student.id, invitedBy: inviter.id, email, invitedAt: now, expiresAt }
      const { id } = await rows.add({ ...kept, tokenHash: hashOf(token) })
      const link = new URL(pageOf(token), needs.publicUrl).toString()
      const { schoolName } = needs
      await post(guardianInviteMail({ to: email, link, days: inviteDays, schoolName }), {
        userId: inviter.id,
      })
      const what = `A second guardian of student ${student.id} of ${accountNamed(inviter.id)} invited`
      await recordAccountChange(transaction, needs, by, what)
      return { id, email, expiresAt: expiresAt.toISOString() }
    })

  const withdraw = (given: { id: number; inviteId: string }, { user, ...by }: Asker): Promise<void> =>
    knex.transaction(async (transaction) => {
      const ties = await tiesOf(transaction, given.id, user.userId)
      const student = decideKeptChild(user, ties, { orOffice: true })
      if (!(await inviteRows(transaction).removeOpen(student.id, given.inviteId, needs.now())))
        throw refuse('invite_not_found', 'This invitation does not exist any more')
      const what = `Invitation to be a second guardian of student ${student.id} withdrawn`
      await recordAccountChange(transaction, needs, by, what)
    })

  /** The invite, its child and who sent it, for an account that may accept it; throws what accepting would. */
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

  const accept = (token: string, { user, ...by }: Asker): Promise<ClaimedStudent> =>
    knex.transaction(async (transaction) => {
      // The account before its students, as its deletion does; one that is deleted meanwhile accepts nothing.
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
