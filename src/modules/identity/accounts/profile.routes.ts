import type { Knex } from 'knex'
import type { BodyOf } from '#contracts/endpoint'
import {
  convertToTeacher,
  sendVerification,
  updateProfile,
  verifyEmail,
  type User,
} from '#contracts/identity'
import { accountNamed } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { tooManyRequests } from '#platform/http/request'
import { onlyRoles, route, signedIn, anySignedIn } from '#platform/http/route'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { confirmingPassword, hashNewPassword, matchPassword } from '../sign-in/password.commands'
import { endSessions, hasTypedPasswordToChange } from '../sign-in/sessions.rows'
import { studentRows } from '../students/students.rows'
import type { Account } from '../users/account.decide'
import {
  currentPasswordRequired,
  decideOtherPassword,
  decidePasswordConfirmed,
  decidePasswordChange,
  passwordChosen,
  profileChanges,
} from '../users/credentials.decide'
import { noteAccountChange, recordAccountChange, refuseChangedAccount, userRows } from '../users/users.rows'
import { tellOfNewContact } from './new-contact.commands'
import { verificationCommands, type VerificationCommands } from './registration.commands'

type ProfileCommands = ReturnType<typeof profileCommands> &
  Pick<VerificationCommands, 'verifyEmail'> & {
    userOf: (userId: number, sessionId: string | null) => Promise<User>
  }

export const profileRoutes = (commands: ProfileCommands) => [
  route(
    updateProfile,
    anySignedIn,
    async ({ body, user: { userId }, session, by }) => {
      const about = { userId, sessionId: session.id(), by }
      await commands.updateProfile(body, about)
      return commands.userOf(userId, about.sessionId)
    },
    { limit: { name: 'profile', points: 20, seconds: 300, by: 'user' } },
  ),

  route(
    sendVerification,
    signedIn,
    async ({ user }) => {
      await commands.sendVerification(user.userId)
      return { message: 'We have sent you a new link' }
    },
    { limit: { name: 'verification-mail', points: 3, seconds: 3600, by: 'user' } },
  ),

  route(
    verifyEmail,
    signedIn,
    async ({ user, body }) => {
      await commands.verifyEmail(body.token, user.userId)
      return { message: 'Your email address has been confirmed' }
    },
    { limit: { name: 'verify-email', points: 30, seconds: 300, by: 'user' } },
  ),

  route(convertToTeacher, onlyRoles('parent', 'teacher'), async ({ user: { userId }, session, by }) => {
    await commands.convertToTeacher({ userId, by })
    session.signOut()
    return {
      message: 'Your account has been converted to a teacher account. Please log in again.',
    }
  }),
]

/** Families hear of a new password only, administrators also of contacts. */
const ownChanges = (before: Account, after: Account, isNewPassword: boolean): string[] => [
  ...(isNewPassword ? ['Own password changed'] : []),
  ...(after.role === 'admin' && after.email !== before.email ? ['Own email address changed'] : []),
  ...(after.role === 'admin' && after.phone !== before.phone ? ['Own phone changed'] : []),
]

type ProfileForm = BodyOf<typeof updateProfile>

export const profileCommands = (needs: IdentityNeeds) => {
  const confirmChange = async (
    transaction: Knex.Transaction,
    account: Account,
    change: { current: string; next: string | undefined; moved: boolean; sessionId: string | null },
  ): Promise<void> => {
    const { current, next, moved, sessionId } = change
    if (current !== '')
      return confirmingPassword(needs, account, current, (matches) => {
        if (moved) decidePasswordConfirmed(matches)
        if (next) decidePasswordChange(matches, { current, next })
      })
    const isTyped = await hasTypedPasswordToChange(transaction, account, { sessionId, now: needs.now() })
    if (moved || !next || !isTyped) throw currentPasswordRequired()
    decideOtherPassword(await matchPassword(needs, account, next))
  }

  const changesOf = async (
    transaction: Knex.Transaction,
    account: Account,
    form: ProfileForm,
    sessionId: string | null,
  ) => {
    const contact = profileChanges(account, form)
    const current = form.currentPassword ?? ''
    const moved = contact.email !== account.email || contact.phone !== account.phone
    if (!moved && !form.newPassword) return { contact, moved, password: null }
    await confirmChange(transaction, account, { current, next: form.newPassword, moved, sessionId })
    if (!form.newPassword) return { contact, moved, password: null }
    return {
      contact,
      moved,
      password: passwordChosen(await hashNewPassword(needs, form.newPassword, account.role, 'newPassword')),
    }
  }

  return {
    /** Email, phone and password need the current password, a forced change not where the session has typed it. A new password ends other sessions and the temporary one. */
    updateProfile: async (
      input: ProfileForm,
      about: { userId: number; sessionId: string | null; by: By },
    ): Promise<Account> => {
      return needs.messaging.withMail(async (transaction, post) => {
        const users = userRows(transaction)
        const before = (await users.lock(about.userId))!
        const { contact, moved, password } = await changesOf(transaction, before, input, about.sessionId)
        await refuseChangedAccount(transaction, before, input.version, contact)
        const after = (await users.update({ id: before.id }, { ...contact, ...password }))!
        await noteAccountChange(transaction, { before, after, stamp: { ...about.by, at: needs.now() } })
        await studentRows(transaction).renameStaffEntry(after.id, after.name)
        if (moved) await tellOfNewContact(needs, { before, after, by: 'owner' }, post)
        if (password) await endSessions(transaction, after.id, about.sessionId)
        for (const what of ownChanges(before, after, password !== null))
          await recordAccountChange(transaction, needs, about.by, what)
        return after
      })
    },

    /** Throws `nothing_to_verify`, `too_many_requests`. */
    sendVerification: (userId: number): Promise<void> =>
      needs.messaging.withMail(async (transaction, post) => {
        const account = (await userRows(transaction).byId(userId))!
        if (account.email === null || account.emailVerifiedAt !== null)
          throw refuse('nothing_to_verify', 'There is no email address to confirm')
        const wait = await verificationCommands(needs).askToVerify(account, post)
        if (wait > 0) throw tooManyRequests(wait)
      }),

    /** Adds a staff entry; everybody signs in again. */
    convertToTeacher: async (about: { userId: number; by: By }): Promise<void> => {
      await needs.database.knex.transaction(async (transaction) => {
        const account = await userRows(transaction).update(
          { id: about.userId, role: 'parent' },
          { role: 'teacher' },
        )
        if (!account) throw refuse('already_teacher', 'This account is already a teacher account')
        await studentRows(transaction).insertStaffEntry(account.id, account.name)
        await endSessions(transaction, account.id)
        const values = { old: { role: 'parent' }, new: { role: 'teacher' } }
        const what = `Account of ${accountNamed(account.id)} became a teacher's`
        await recordAccountChange(transaction, needs, about.by, what, values)
      })
    },
  }
}
