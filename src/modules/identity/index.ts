import type { Module } from '#platform/module'
import { administratorCommands } from './administrators/administrators.commands'
import { administratorRoutes } from './administrators/administrators.routes'
import { contactCommands } from './mail/contact.commands'
import { asUser, directory } from './accounts/directory.rows'
import { verificationCommands } from './sign-in/email-verification.commands'
import { messagesOf } from './mail/messages.rows'
import { mailMeasures } from './mail/measures.rows'
import { mailUser, mailSweep, mailWork, tellingSuperadmins, withMail } from './mail/mail.job'
import { deletionCommands } from './accounts/deletion.commands'
import { familyAccounts, findFamilies } from './accounts/find-families.rows'
import { parentCommands } from './accounts/parents.commands'
import { parentRoutes } from './accounts/parents.routes'
import { confirmPassword } from './sign-in/password.commands'
import { passwordResetCommands } from './sign-in/password-reset.commands'
import { answerSoon, resetSweep, resetWork } from './sign-in/password-reset.job'
import { profileCommands } from './accounts/profile.commands'
import { profileRoutes } from './accounts/profile.routes'
import { identityRefusals, refuse } from './refusals'
import { registrationCommands } from './accounts/registration.commands'
import { identityRetentions } from './accounts/retention.rows'
import { schoolRoutes } from './mail/school.routes'
import { sessionRoutes } from './sign-in/session.routes'
import { endSession, sessionRows, sessionsOf } from './sign-in/sessions.rows'
import { secondFactorCommands } from './sign-in/second-factor.commands'
import { sealSecondFactors } from './sign-in/second-factor-secrets.rows'
import { secondFactorRoutes } from './sign-in/second-factor.routes'
import { signInCommands } from './sign-in/sign-in.commands'
import { studentCommands } from './students/students.commands'
import { studentRoutes } from './students/students.routes'
import { readSecurity } from './accounts/security.rows'
import { settingsCommands } from './mail/settings.commands'
import { userRows } from './accounts/users.rows'
import type { IdentityNeeds } from './needs'

/** Accounts, their rights, their students, and the mail that tells them so. For siblings: who is who. */
export const identityModule = (needs: IdentityNeeds) => {
  const people = directory(needs.database)
  const verification = verificationCommands(needs)
  const mailing = { ...needs, withMail: withMail(needs), verification }
  const registration = registrationCommands(mailing)
  const resets = passwordResetCommands({ ...mailing, answerSoon: answerSoon(needs) })
  const deletions = deletionCommands(needs)
  const secondFactor = secondFactorCommands(needs)
  const { schoolName, zone, demo } = needs

  const module: Module = {
    name: 'identity',
    routes: [
      ...sessionRoutes({
        ...registration,
        ...signInCommands({ ...needs, ...secondFactor }),
        ...resets,
        ...accounts(needs),
      }),
      ...profileRoutes({ ...profileCommands(mailing), ...verification }),
      ...secondFactorRoutes(secondFactor),
      ...studentRoutes(studentCommands(needs)),
      ...parentRoutes(parentCommands({ ...mailing, ...deletions }), needs.database),
      ...administratorRoutes({ ...registration, ...administratorCommands(needs) }),
      ...schoolRoutes(
        { ...contactCommands(mailing), ...settingsCommands(needs) },
        { schoolName, timezone: zone, demo },
        needs.now,
      ),
    ],
    views: [],
    reactors: [],
    jobs: [mailWork(needs), resetWork(resets.answerResetRequest)],
    sweeps: [mailSweep(needs), resetSweep(needs), deletions.finishAll],
    retentions: identityRetentions(needs),
    measures: mailMeasures(needs),
    refusals: identityRefusals,
  }

  return {
    ...module,
    ...people,
    findFamilies,
    familyAccounts,
    messagesOf,
    sessions: sessionRows(needs.database, needs.now),
    maxUnpaidMeals: async () => (await readSecurity(needs.database.knex)).maxUnpaidMeals,
    mailUser: mailUser(mailing),
    tellingSuperadmins: tellingSuperadmins(mailing),
    confirmPassword: confirmPassword(needs),
    deleteAgain: deletions.deleteAgain,
    sealSecondFactors: sealSecondFactors(needs),
    ensureSuperadmin: registration.ensureSuperadmin,
    resetSuperadmin: registration.resetSuperadmin,
  }
}

const accounts = ({ database: { knex }, now }: IdentityNeeds) => ({
  userOf: async (userId: number) => {
    const [account, { requireSecondFactor }] = await Promise.all([
      userRows(knex).byId(userId),
      readSecurity(knex),
    ])
    return asUser(account!, requireSecondFactor)
  },
  sessionsOf: (userId: number) => sessionsOf(knex, userId, now()),
  endSession: async (userId: number, id: string) => {
    if (!(await endSession(knex, userId, id)))
      throw refuse('session_not_found', 'This session has ended already')
  },
})
