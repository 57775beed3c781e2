import { maxSecondGuardians } from '#contracts/accounts'
import { allergenKeys } from '#contracts/allergens'
import { maxMedicalNoteLength, type Health } from '#contracts/health'
import { refuse } from '../refusals'
import type { Account } from '../users/account.decide'

/** Staff order for themselves. */
export const staffGrade = 'teacher'

/** A child or the staff entry of `userId`, null while unclaimed. */
export type Student = {
  id: number
  userId: number | null
  name: string
  grade: string
  class: string | null
  admissionNumber: string | null
}

export type ClaimedStudent = Student & { userId: number }

/** With what the school's list says of the child. */
export type RollChild = Student & {
  guardianName: string | null
  guardianEmail: string | null
  guardianPhone: string | null
  onRollSince: Date | null
  leftAt: Date | null
}

export const isClaimed = (student: Student): student is ClaimedStudent => student.userId !== null

/** Administrators may exceed the setting. */
export const decideAnotherChild = (childCount: number, most: number): void => {
  if (childCount >= most)
    throw refuse(
      'too_many_children',
      `You can add ${most} children yourself. Please ask the school office to add more.`,
    )
}

/** Administrators must enter more than one letter, unlike parents. */
export const decideNameByOffice = (name: string): void => {
  const tooShort = 'Name must be at least 2 characters'
  if (name.length < 2) throw refuse('name_too_short', tooShort, { fields: { name: tooShort } })
}

/** Others' children are not found; staff entries cannot change. */
export const decideOwnChild = (student: Student | undefined, userId: number): ClaimedStudent => {
  if (!student || !isClaimed(student) || student.userId !== userId)
    throw refuse('student_not_found', 'Student not found')
  if (student.grade === staffGrade)
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
  return student
}

type Orderer = { id: number; role: string }

/** Parents: own and second-guardian students; teachers: their entry; nobody after leaving. */
export const mayOrderFor = (
  user: Orderer,
  student: Pick<Student, 'userId' | 'grade'>,
  { isSecondGuardian, hasLeft }: { isSecondGuardian: boolean; hasLeft: boolean },
): boolean => {
  if (hasLeft || (student.userId !== user.id && !isSecondGuardian)) return false
  if (user.role === 'teacher') return student.userId === user.id && student.grade === staffGrade
  return user.role === 'parent'
}

type Joinable = Pick<Health, 'allergies' | 'diet' | 'medicalNote' | 'noteConsent'>

/** Union of allergies; `into`'s diet if any. */
export const joinedHealth = (into: Joinable, from: Joinable): Joinable => ({
  allergies: joinedAllergies(into.allergies, from.allergies),
  diet: into.diet === 'none' ? from.diet : into.diet,
  ...joinedNote(into, from),
})

/** Joins notes that fit under equal consent; else one, so that the kitchen sees no more and no less. */
const joinedNote = (into: Joinable, from: Joinable): Pick<Joinable, 'medicalNote' | 'noteConsent'> => {
  const [kept, other] = isKeptBefore(from, into) ? [from, into] : [into, from]
  const { medicalNote, noteConsent } = kept
  const both = `${medicalNote}; ${other.medicalNote}`
  const isOneMore = other.medicalNote !== '' && other.medicalNote !== medicalNote
  const isJoined = isOneMore && other.noteConsent === noteConsent && both.length <= maxMedicalNoteLength
  return { medicalNote: isJoined ? both : medicalNote, noteConsent }
}

const isKeptBefore = (one: Joinable, other: Joinable): boolean =>
  one.medicalNote !== '' && (other.medicalNote === '' || (one.noteConsent && !other.noteConsent))

/** Undeclared on both sides stays null. */
const joinedAllergies = (into: string[] | null, from: string[] | null): string[] | null => {
  if (into === null || from === null) return into ?? from
  const known = new Set(into.flatMap(allergenKeys))
  return [...into, ...from.filter((name) => !allergenKeys(name).every((key) => known.has(key)))]
}

export const inviteDays = 7

export type Invite = {
  studentId: number
  invitedBy: number
  email: string | null
  expiresAt: Date
  acceptedAt: Date | null
}

export const addressKey = (email: string): string => email.trim().toLowerCase()

const noStudent = () => refuse('student_not_found', 'Student not found')

type Asker = { userId: number; role: Account['role'] }
type Ties = { student: Student | undefined; isSecond: boolean }

export const decideSeenChild = ({ userId, role }: Asker, { student, isSecond }: Ties): ClaimedStudent => {
  if (!student || !isClaimed(student) || student.grade === staffGrade) throw noStudent()
  if (role !== 'admin' && student.userId !== userId && !isSecond) throw noStudent()
  return student
}

/** First guardian only, or the office with `orOffice`. */
export const decideKeptChild = (asker: Asker, ties: Ties, { orOffice }: { orOffice: boolean }) => {
  const student = decideSeenChild(asker, ties)
  if (student.userId === asker.userId || (orOffice && asker.role === 'admin')) return student
  throw refuse('first_guardian_only', 'Only the first guardian can do this')
}

/** `email` is null for a code to share; `seconds` are second guardians, `open` other invites. */
export const decideInvite = (
  email: string | null,
  { ownEmail, seconds, open }: { ownEmail: string | null; seconds: number; open: number },
): void => {
  if (email !== null && ownEmail !== null && addressKey(ownEmail) === addressKey(email)) {
    const message = 'This is your own email address'
    throw refuse('own_address', message, { fields: { email: message } })
  }
  if (seconds + open < maxSecondGuardians) return
  const message = `A child can have ${maxSecondGuardians} more guardians at most, open invitations counted`
  throw refuse('too_many_guardians', message)
}

type AskedInvite = { invite: Invite; student: Student | undefined; isSecond: boolean }

type Acceptance = {
  asked: readonly AskedInvite[]
  account: Pick<Account, 'id' | 'role' | 'email' | 'emailVerifiedAt'>
  /** Which secret was shown: only the mailed one proves the address, and an id is none. */
  by: 'mail' | 'code' | 'id'
  now: Date
}

/** The children that the account is to be a guardian of. */
export const decideAcceptance = ({ asked, account, by, now }: Acceptance): ClaimedStudent[] => {
  // An invite is void when its sender is no longer first guardian.
  const held = asked.flatMap(({ invite, student, isSecond }) =>
    student && isClaimed(student) && student.userId === invite.invitedBy
      ? [{ invite, student, isSecond }]
      : [],
  )
  const invite = held[0]?.invite
  if (!invite || (by === 'id' && invite.email === null))
    throw refuse('invite_not_found', 'This invitation no longer exists. Ask for a new one.')
  if (account.role !== 'parent')
    throw refuse('parents_only', "Only a parent's account can accept an invitation")
  if (invite.invitedBy === account.id)
    throw refuse('own_child', 'This is already your child. The invitation is for somebody else')
  if (invite.acceptedAt !== null)
    throw refuse('invite_used', 'This invitation has already been accepted. Each works once.')
  if (now >= invite.expiresAt)
    throw refuse('invite_expired', `This invitation was open for ${inviteDays} days. Ask for a new one.`)
  decideInvitedAddress(invite.email, account, by)
  const missing = held.filter(({ isSecond }) => !isSecond)
  if (missing.length === 0) throw refuse('already_guardian', 'You are already a guardian of this child')
  return missing.map(({ student }) => student)
}

const decideInvitedAddress = (
  invited: string | null,
  { email, emailVerifiedAt }: Acceptance['account'],
  by: Acceptance['by'],
): void => {
  if (invited === null) return
  if (email === null || addressKey(email) !== addressKey(invited))
    throw refuse(
      'invite_for_another_address',
      'This invitation was sent to another email address. Log in with the account that has it.',
    )
  if (emailVerifiedAt === null && by !== 'mail')
    throw refuse(
      'address_not_verified',
      'Please confirm your email address first, then open the invitation again',
    )
}

/** First guardian and office remove any second one; a second one leaves. */
export const decideRemoval = (asker: Asker, ties: Ties, userId: number): ClaimedStudent => {
  const student = decideSeenChild(asker, ties)
  if (student.userId === userId)
    throw refuse('first_guardian_stays', 'Only the school office can give a child another first guardian')
  return asker.userId === userId ? student : decideKeptChild(asker, ties, { orOffice: true })
}

/** `names` are children with another guardian, who block deletion. */
export const decideNoSecondGuardian = (names: readonly string[]): void => {
  if (names.length === 0) return
  const message =
    `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} a second guardian: move the child to another account, ` +
    'or remove the second guardian first'
  throw refuse('child_has_second_guardian', message)
}
