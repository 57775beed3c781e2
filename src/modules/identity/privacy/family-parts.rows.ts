import { partOfAccount, type FamilyPart } from '#platform/family-data'
import { entriesOf } from '../students/guardians.rows'

const children = `(${entriesOf('$1')})`

/** Without hashes, codes, keys and tokens; of other guardians nothing. */
export const identityParts: FamilyPart[] = [
  partOfAccount(
    'account',
    `select id, username, name, email, phone, role, "createdAt", "emailVerifiedAt", "phoneVerifiedAt", "messageChannel", reminders
     from identity.users where id = $1 limit $2`,
  ),
  partOfAccount(
    'consents',
    `select 'privacy notice accepted' as what, "privacyVersion" as version, null::integer as "studentId", "privacyAcceptedAt" as at
     from identity.users where id = $1 and "privacyVersion" is not null
     union all
     select 'the kitchen may read the medical note', null, "studentId", "updatedAt"
     from identity.student_health where "noteConsent" and "studentId" in ${children} limit $2`,
  ),
  partOfAccount(
    'children',
    `select id, name, grade, class, "admissionNumber", "onRollSince", "leftAt", "mergedInto", "userId" = $1 as "firstGuardian"
     from identity.students where id in ${children} order by id desc limit $2`,
  ),
  partOfAccount(
    'health',
    `select "studentId", allergies, diet, "medicalNote", "noteConsent", "updatedAt"
     from identity.student_health where "studentId" in ${children} order by "studentId" desc limit $2`,
  ),
  partOfAccount(
    'mealsInSpiteOfAllergies',
    `select "studentId", date::text as date, "itemId", allergens, by
     from identity.acknowledged_meals where "studentId" in ${children} order by date desc limit $2`,
  ),
  partOfAccount(
    'secondGuardianOf',
    `select "studentId", since from identity.guardians where "userId" = $1 order by since desc limit $2`,
  ),
  partOfAccount(
    'guardianInvitations',
    `select "studentId", email, "invitedAt", "expiresAt", "acceptedAt"
     from identity.guardian_invites where "invitedBy" = $1 order by "invitedAt" desc limit $2`,
  ),
  partOfAccount(
    'sessions',
    `select device, "createdAt", "lastUsedAt", "expiresAt"
     from identity.sessions where "userId" = $1 order by "lastUsedAt" desc limit $2`,
  ),
]
