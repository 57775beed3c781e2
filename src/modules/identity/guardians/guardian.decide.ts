import { maxSecondGuardians } from '#contracts/accounts'
import type { Account } from '../accounts/account'
import { refuse } from '../refusals'
import { type ClaimedStudent, isClaimed, staffGrade, type Student } from '../students/student.decide'

/** How long the link of an invite works. */
export const inviteDays = 7

/** An invite as it is kept; `email` is null as soon as it was accepted. */
export type Invite = {
  studentId: number
  invitedBy: number
  email: string | null
  expiresAt: Date
  acceptedAt: Date | null
}

/** Addresses that differ in case alone are the same. */
export const addressKey = (email: string): string => email.trim().toLowerCase()

const noStudent = () => refuse('student_not_found', 'Student not found')

/** Who asks about a child's guardians: an administrator counts as the office, whose right the route has checked. */
type Asker = { userId: number; role: Account['role'] }
type Ties = { student: Student | undefined; isSecond: boolean }

/** The child, for its guardians and the office; for others there is none, and a staff entry has no guardians. */
export const decideSeenChild = ({ userId, role }: Asker, { student, isSecond }: Ties): ClaimedStudent => {
  if (!student || !isClaimed(student) || student.grade === staffGrade) throw noStudent()
  if (role !== 'admin' && student.userId !== userId && !isSecond) throw noStudent()
  return student
}

/** The same, for what only the first guardian does, or the office where `orOffice`. */
export const decideKeptChild = (asker: Asker, ties: Ties, { orOffice }: { orOffice: boolean }) => {
  const student = decideSeenChild(asker, ties)
  if (student.userId === asker.userId || (orOffice && asker.role === 'admin')) return student
  throw refuse('first_guardian_only', 'Only the first guardian can do this')
}

/** May this address be invited? `seconds` and `open` are how many second guardians and other open invites there are. */
export const decideInvite = (
  email: string,
  { ownEmail, seconds, open }: { ownEmail: string | null; seconds: number; open: number },
): void => {
  if (ownEmail !== null && addressKey(ownEmail) === addressKey(email)) {
    const message = 'This is your own email address'
    throw refuse('own_address', message, { fields: { email: message } })
  }
  if (seconds + open < maxSecondGuardians) return
  const message = `A child can have ${maxSecondGuardians} more guardians at most, open invitations counted`
  throw refuse('too_many_guardians', message)
}

type Acceptance = {
  invite: Invite | undefined
  /** The child as it is now. */
  student: Student | undefined
  account: Pick<Account, 'id' | 'role' | 'email' | 'emailVerifiedAt'>
  isSecond: boolean
  now: Date
}

/** The child of whom the account becomes a second guardian by this invite, and the account that invited. */
export const decideAcceptance = ({ invite, student, account, isSecond, now }: Acceptance) => {
  // Whoever invited is no longer the first guardian: the invite is theirs, not the child's.
  if (!invite || !student || !isClaimed(student) || student.userId !== invite.invitedBy)
    throw refuse('invite_not_found', 'This invitation does not exist any more. Ask for a new one.')
  if (account.role !== 'parent')
    throw refuse('parents_only', "Only a parent's account can accept an invitation")
  if (student.userId === account.id)
    throw refuse('own_child', 'This is your own child: the invitation is for somebody else')
  if (invite.acceptedAt !== null || invite.email === null)
    throw refuse('invite_used', 'This invitation was accepted already. Each works once.')
  if (now >= invite.expiresAt)
    throw refuse('invite_expired', `This invitation was open for ${inviteDays} days. Ask for a new one.`)
  if (account.email === null || addressKey(account.email) !== addressKey(invite.email))
    throw refuse(
      'invite_for_another_address',
      'This invitation was sent to another email address. Log in with the account that has it.',
    )
  if (account.emailVerifiedAt === null)
    throw refuse(
      'address_not_verified',
      'Please confirm your email address first, then open the invitation again',
    )
  if (isSecond) throw refuse('already_guardian', 'You are a guardian of this child already')
  return student
}

/** Who may take a guardian away: the first guardian and the office anybody's second, a second one themselves. */
export const decideRemoval = (asker: Asker, ties: Ties, userId: number): ClaimedStudent => {
  const student = decideSeenChild(asker, ties)
  if (student.userId === userId)
    throw refuse('first_guardian_stays', 'Only the school office can give a child another first guardian')
  return asker.userId === userId ? student : decideKeptChild(asker, ties, { orOffice: true })
}

/** An account whose child has another guardian too is not deleted with the child: `names` are those of such children. */
export const decideNoSecondGuardian = (names: readonly string[]): void => {
  if (names.length === 0) return
  const message =
    `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} a second guardian: move the child to another account, ` +
    'or remove the second guardian first'
  throw refuse('child_has_second_guardian', message)
}
