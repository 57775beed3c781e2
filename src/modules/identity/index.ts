import type { Knex } from 'knex'
import type { Addressee } from '#modules/messaging/index'
import { maySkipEmail } from '#modules/messaging/published'
import type { Module } from '#platform/module'
import { administratorCommands, administratorRoutes } from './accounts/administrators.routes'
import { asUser, directory, familyAccounts, findFamilies } from './accounts/directory.rows'
import { parentCommands, parentRoutes } from './accounts/parents.routes'
import { profileCommands, profileRoutes } from './accounts/profile.routes'
import { verificationCommands, registrationCommands } from './accounts/registration.commands'
import { schoolRoutes } from './accounts/school.routes'
import { sessionRoutes, signInCommands } from './accounts/session.routes'
import { guardianCommands, guardianRoutes } from './guardians/guardians.routes'
import { inviteCommands, inviteRetention } from './guardians/invites.commands'
import { healthCommands, healthRoutes, healthOf, mealMarkRoutes } from './health/health.routes'
import { mealConflictRows, tellOfConflicts, conflictRetentions } from './health/tell-of-conflicts.commands'
import {
  messageCommands,
  messageRoutes,
  stopPath,
  stopToken,
  reachedBy,
  toRemind,
  phoneCommands,
  phoneCodeRetention,
} from './messages/messages.routes'
import type { IdentityNeeds } from './ports'
import { identityParts } from './privacy/family-parts.rows'
import { privacyOf } from './privacy/notice.rows'
import { privacyRoutes } from './privacy/privacy.routes'
import { identityRefusals, refuse } from './refusals'
import {
  passwordResetCommands,
  resetSweep,
  resetWork,
  resetRequestRetention,
} from './sign-in/password-reset.commands'
import { confirmPassword, temporaryPasswordRetention } from './sign-in/password.commands'
import { secondFactorCommands, sealSecondFactors } from './sign-in/second-factor.commands'
import { secondFactorRoutes } from './sign-in/second-factor.routes'
import {
  sessionRetention,
  endSession,
  hasTypedPasswordToChange,
  sessionRows,
  sessionsOf,
} from './sign-in/sessions.rows'
import { familyChildren, guardiansOf, guardianship } from './students/guardians.rows'
import { childrenByClass, presentChildren } from './students/roll-page.rows'
import { staffEntryRoutes, studentCommands, studentRoutes } from './students/students.routes'
import { childrenNow, idsInClass, otherIdsOf, tellApart } from './students/students.rows'
import { storedSecurity } from './users/security.rows'
import { userRows } from './users/users.rows'

// For enrolment, which shares the tables.
export { recordAccountChange, userRows } from './users/users.rows'
export { someFamily } from './users/account.decide'
export { inviteRows } from './guardians/invites.commands'
export { healthRecord, joinHealth } from './health/health.routes'
export { phoneCodeRows } from './messages/messages.routes'
export { resetRequestRows } from './sign-in/password-reset.commands'
export { passwordCostFor } from './sign-in/password.commands'
export { endSessions } from './sign-in/sessions.rows'
export { guardianRows } from './students/guardians.rows'
export { rollChildRows } from './students/roll-children.rows'
export { classesOfRoll, rollPage, unclaimedRetention } from './students/roll-page.rows'
export type { ClassSize, PresentChild } from './students/roll-page.rows'
export {
  asHeldStudent,
  asStudent,
  studentRecord,
  studentShown,
  numberIsTaken,
  studentRows,
  type StudentRow,
} from './students/students.rows'

export const identityModule = (needs: IdentityNeeds) => {
  const { messaging } = needs
  const people = directory(needs.database, messaging)
  const verification = verificationCommands(needs)
  const registration = registrationCommands(needs)
  const resets = passwordResetCommands(needs)
  const secondFactor = secondFactorCommands(needs)

  const module: Module = {
    name: 'identity',
    routes: [
      ...sessionRoutes({
        ...registration,
        ...signInCommands(needs, secondFactor.checkSecondFactor),
        ...resets,
        ...accounts(needs),
      }),
      ...profileRoutes({ ...profileCommands(needs), ...verification, ...accounts(needs) }),
      ...secondFactorRoutes(secondFactor),
      ...mealMarkRoutes(needs, people.orderableStudentsOf),
      ...messageRoutes({ ...messageCommands(needs), ...phoneCommands(needs) }),
      ...studentRoutes(studentCommands(needs)),
      ...staffEntryRoutes(needs),
      ...healthRoutes(healthCommands(needs)),
      ...guardianRoutes({ ...guardianCommands(needs), ...inviteCommands(needs) }),
      ...parentRoutes(parentCommands(needs), needs.database),
      ...administratorRoutes({ ...registration, ...administratorCommands(needs) }),
      ...schoolRoutes(needs),
      ...privacyRoutes(needs),
    ],
    views: [],
    reactors: [],
    jobs: [resetWork(resets.answerResetRequest)],
    sweeps: [resetSweep(needs)],
    retentions: [
      sessionRetention(needs),
      resetRequestRetention(needs),
      ...conflictRetentions(needs),
      inviteRetention(needs),
      phoneCodeRetention(needs),
      temporaryPasswordRetention(needs),
    ],
    familyParts: identityParts,
    refusals: identityRefusals,
  }

  return {
    ...module,
    ...people,
    ...guardianship(needs.database.knex),
    healthOf: healthOf(needs.database.pool),
    guardiansOf: (studentIds: readonly number[]): Promise<Map<number, number[]>> =>
      guardiansOf(needs.database.knex, studentIds),
    childrenNow: childrenNow(needs.database.pool),
    childrenByClass: childrenByClass(needs.database.pool),
    presentChildren: presentChildren(needs.database.pool),
    tellApart: tellApart(needs.database.pool),
    idsInClass: idsInClass(needs.database.pool),
    otherIdsOf: otherIdsOf(needs.database.pool),
    ...mealConflictRows(needs.database),
    tellOfConflicts: tellOfConflicts(needs),
    findFamilies,
    familyAccounts,
    familyChildren,
    reachedBy: reachedBy(messaging),
    addressees: {
      byIds: (knex: Knex, userIds: readonly number[]): Promise<ReadonlyMap<number, Addressee>> =>
        userRows(knex).byIds(userIds),
      superadmins: (knex: Knex): Promise<Addressee[]> => userRows(knex).superadmins(),
      confirmLink: verification.linkFor,
    },
    sessions: sessionRows(needs.database, needs.now),
    maxUnpaidMeals: async (): Promise<number> =>
      (await storedSecurity.readPrepared(needs.database.reads)).maxUnpaidMeals,
    ...reminding(needs),
    maySkipEmail: async (userId: number): Promise<boolean> => {
      const users = userRows(needs.database.knex)
      const [account, settings] = await Promise.all([users.byId(userId), messaging.settings()])
      return account !== undefined && maySkipEmail(account, settings)
    },
    /** `phone` as typed; `isAny`: a phone or an address. */
    verifiedContactOf: async (userId: number): Promise<{ phone: string | null; isAny: boolean }> => {
      const account = await userRows(needs.database.knex).byId(userId)
      const phone = account?.phoneVerifiedAt ? account.phone : null
      return { phone, isAny: phone !== null || account?.emailVerifiedAt != null }
    },
    confirmPassword: confirmPassword(needs),
    sealSecondFactors: sealSecondFactors(needs),
    ensureSuperadmin: registration.ensureSuperadmin,
    resetSuperadmin: registration.resetSuperadmin,
  }
}

const reminding = ({ database: { knex }, publicUrl, signingKeys }: IdentityNeeds) => ({
  toRemind: toRemind(knex),
  stopLinkOf: (userId: number): string =>
    `${publicUrl.replace(/\/$/, '')}${stopPath}/${stopToken(userId, signingKeys)}`,
})

const accounts = (needs: IdentityNeeds) => {
  const { messaging, now } = needs
  const { knex } = needs.database
  return {
    userOf: async (userId: number, sessionId: string | null) => {
      const [account, security, messages] = await Promise.all([
        userRows(knex).byId(userId),
        storedSecurity.read(knex),
        messaging.settings(),
      ])
      const isTyped = await hasTypedPasswordToChange(knex, account!, { sessionId, now: now() })
      return {
        ...asUser(account!, { ...security, ...messages }),
        privacy: await privacyOf(needs, account!),
        ...(isTyped && { passwordTyped: true as const }),
      }
    },
    sessionsOf: (userId: number) => sessionsOf(knex, userId, now()),
    endSession: async (userId: number, id: string) => {
      if (!(await endSession(knex, userId, id)))
        throw refuse('session_not_found', 'This session has ended already')
    },
  }
}

export type Identity = ReturnType<typeof identityModule>
export type { IdentityNeeds, PasswordCost } from './ports'
