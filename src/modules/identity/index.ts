import type { Module } from '#platform/module'
import { administratorCommands } from './administrators/administrators.commands'
import { administratorRoutes } from './administrators/administrators.routes'
import { readCommunication } from './mail/communication.rows'
import { contactCommands } from './mail/contact.commands'
import { asUser, directory } from './accounts/directory.rows'
import { verificationCommands } from './sign-in/email-verification.commands'
import { messagesOf } from './mail/messages.rows'
import { mailMeasures } from './mail/measures.rows'
import { mailSweep, mailWork, tellingSuperadmins, withMail } from './mail/mail.job'
import { maySkipEmail } from './messages/channels.decide'
import { readMessageSettings } from './messages/message-settings.rows'
import { messageUser } from './messages/message-user.commands'
import { messageCommands } from './messages/messages.commands'
import { messageRoutes } from './messages/messages.routes'
import { phoneCommands } from './messages/phone.commands'
import { reachedBy } from './messages/reached-by.rows'
import { stopPath, stopToken } from './messages/reminder-links.commands'
import { toRemind } from './messages/reminders.rows'
import { smsWork } from './messages/sms.job'
import { deletionCommands } from './accounts/deletion.commands'
import { familyAccounts, findFamilies } from './accounts/find-families.rows'
import { parentCommands } from './accounts/parents.commands'
import { parentRoutes } from './accounts/parents.routes'
import { confirmPassword } from './sign-in/password.commands'
import { passwordResetCommands } from './sign-in/password-reset.commands'
import { allergenCommands } from './health/allergens.commands'
import { readAllergyRule } from './health/allergy-rule.rows'
import { healthCommands } from './health/health.commands'
import { healthRoutes } from './health/health.routes'
import { healthOf } from './health/health.rows'
import { mealConflictRows } from './health/meal-conflicts.rows'
import { mealMarkRoutes } from './health/meal-marks.routes'
import { tellOfConflicts } from './health/tell-of-conflicts.commands'
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
import { mergeCommands } from './roll/merge.commands'
import { rollCommands } from './roll/roll.commands'
import { promotionCommands } from './roll/promotion.commands'
import { promotionRoutes } from './roll/promotion.routes'
import { claimCommands } from './roll/claim.commands'
import { importCommands } from './roll/import.commands'
import { rollImportRoutes } from './roll/roll-import.routes'
import { undoImportCommands } from './roll/undo-import.commands'
import { rollRoutes } from './roll/roll.routes'
import { childrenNow, otherIdsOf } from './students/children-now.rows'
import { guardianCommands } from './guardians/guardians.commands'
import { guardianRoutes } from './guardians/guardians.routes'
import { inviteCommands } from './guardians/invites.commands'
import { familyChildren, guardianship } from './students/guardians.rows'
import { staffEntryCommands } from './students/staff-entries.commands'
import { staffEntryRoutes } from './students/staff-entries.routes'
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
  const known = {
    healthOf: healthOf(needs.database.knex),
    allergyRule: () => readAllergyRule(needs.database.knex),
  }

  const module: Module = {
    name: 'identity',
    routes: [
      ...sessionRoutes({
        ...registration,
        ...signInCommands({ ...needs, ...secondFactor }),
        ...resets,
        ...accounts(needs),
      }),
      ...profileRoutes({ ...profileCommands(mailing), ...verification, ...accounts(needs) }),
      ...secondFactorRoutes(secondFactor),
      // Before the routes of one student, whose address takes any word for an id.
      ...mealMarkRoutes({ ...people, ...known }),
      ...messageRoutes({ ...messageCommands(needs), ...phoneCommands(mailing) }),
      ...studentRoutes(studentCommands(needs)),
      ...staffEntryRoutes(staffEntryCommands(needs)),
      ...healthRoutes({ ...healthCommands(needs), ...allergenCommands(needs) }),
      ...rollRoutes({ ...rollCommands(needs), ...mergeCommands(needs) }, needs.database),
      ...promotionRoutes(promotionCommands({ ...needs, ...people })),
      ...guardianRoutes({ ...guardianCommands(needs), ...inviteCommands(mailing) }),
      ...rollImportRoutes({
        ...importCommands(needs),
        ...undoImportCommands(needs),
        ...claimCommands(needs),
      }),
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
    jobs: [mailWork(needs), smsWork(mailing), resetWork(resets.answerResetRequest)],
    sweeps: [mailSweep(needs), resetSweep(needs), deletions.finishAll],
    retentions: identityRetentions(needs),
    measures: mailMeasures(needs),
    refusals: identityRefusals,
  }

  return {
    ...module,
    ...people,
    ...guardianship(needs.database.knex),
    ...known,
    childrenNow: childrenNow(needs.database.knex),
    otherIdsOf: otherIdsOf(needs.database.knex),
    ...mealConflictRows(needs.database),
    tellOfConflicts: tellOfConflicts(mailing),
    findFamilies,
    familyAccounts,
    familyChildren,
    messagesOf,
    reachedBy,
    sessions: sessionRows(needs.database, needs.now),
    contact: () => readCommunication(needs.database.knex),
    maxUnpaidMeals: async () => (await readSecurity(needs.database.knex)).maxUnpaidMeals,
    messageUser: messageUser(mailing),
    ...reminding(needs),
    maySkipEmail: async (userId: number): Promise<boolean> => {
      const { knex } = needs.database
      const [account, settings] = await Promise.all([userRows(knex).byId(userId), readMessageSettings(knex)])
      return account !== undefined && maySkipEmail(account, settings)
    },
    tellingSuperadmins: tellingSuperadmins(mailing),
    confirmPassword: confirmPassword(needs),
    deleteAgain: deletions.deleteAgain,
    sealSecondFactors: sealSecondFactors(needs),
    ensureSuperadmin: registration.ensureSuperadmin,
    resetSuperadmin: registration.resetSuperadmin,
  }
}

/** What reminding families takes of identity. */
const reminding = ({ database: { knex }, publicUrl, signingKeys }: IdentityNeeds) => ({
  remindersOn: async (): Promise<boolean> => (await readMessageSettings(knex)).reminders,
  toRemind: toRemind(knex),
  stopLinkOf: (userId: number): string =>
    `${publicUrl.replace(/\/$/, '')}${stopPath}/${stopToken(userId, signingKeys)}`,
})

const accounts = ({ database: { knex }, now }: IdentityNeeds) => ({
  userOf: async (userId: number) => {
    const [account, security, messages] = await Promise.all([
      userRows(knex).byId(userId),
      readSecurity(knex),
      readMessageSettings(knex),
    ])
    return asUser(account!, { ...security, ...messages })
  },
  sessionsOf: (userId: number) => sessionsOf(knex, userId, now()),
  endSession: async (userId: number, id: string) => {
    if (!(await endSession(knex, userId, id)))
      throw refuse('session_not_found', 'This session has ended already')
  },
})
