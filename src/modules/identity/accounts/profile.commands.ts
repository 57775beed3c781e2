import type { BodyOf } from '#contracts/endpoint'
import type { updateProfile } from '#contracts/identity'
import { decidePasswordChange, passwordChosen } from './credentials.decide'
import type { VerifyingMail } from '../sign-in/email-verification.commands'
import { hashPassword, matchPassword } from '../sign-in/password.commands'
import { profileChanges } from './profile.decide'
import { refuse } from '../refusals'
import { studentRows } from '../students/students.rows'
import { userRows } from './users.rows'
import type { IdentityNeeds } from '../needs'
import type { Account } from './account'

type ProfileNeeds = Pick<IdentityNeeds, 'database' | 'now' | 'sessions'> & VerifyingMail

type ProfileForm = BodyOf<typeof updateProfile>

export const profileCommands = (needs: ProfileNeeds) => {
  const chosenPassword = async (account: Account, form: ProfileForm) => {
    if (!form.newPassword) return null
    const current = form.currentPassword ?? ''
    const matches = await matchPassword(account, current, needs.now())
    decidePasswordChange(matches, { current, next: form.newPassword })
    return passwordChosen(await hashPassword(form.newPassword))
  }

  return {
    /**
     * Saves the profile. A new password needs the current (or temporary) one, ends every other session and the
     * temporary password; another e-mail address is asked to be verified.
     */
    updateProfile: async (
      input: ProfileForm,
      about: { userId: number; sessionId: string | null },
    ): Promise<Account> => {
      const { after, password } = await needs.withMail(async (transaction, post) => {
        const users = userRows(transaction)
        const before = (await users.lock(about.userId))!
        const password = await chosenPassword(before, input)
        const after = (await users.update(
          { id: before.id },
          { ...profileChanges(before, input), ...password },
        ))!
        await studentRows(transaction).renameStaffEntry(after.id, after.name)
        if (after.email !== before.email) await needs.verification.askToVerify(after, post)
        return { after, password }
      })
      if (password) await needs.sessions.endSessions(after.id, about.sessionId)
      return after
    },

    /** A parent's account becomes a teacher's, with a staff entry of its own; everybody signs in again. */
    convertToTeacher: async (about: { userId: number }): Promise<void> => {
      await needs.database.knex.transaction(async (transaction) => {
        const account = await userRows(transaction).update(
          { id: about.userId, role: 'parent' },
          { role: 'teacher' },
        )
        if (!account) throw refuse('already_teacher', 'This account is already a teacher account')
        await studentRows(transaction).insertStaffEntry(account.id, account.name)
      })
      await needs.sessions.endSessions(about.userId)
    },
  }
}
