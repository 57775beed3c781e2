import { maxSecondGuardians } from '#contracts/accounts'
import type { Account } from '../accounts/account'
import { refuse } from '../refusals'
import { type ClaimedStudent, isClaimed, staffGrade, type Student } from '../students/student.decide'

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

/** `seconds` are second guardians, `open` other invites. */
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
  student: Student | undefined
  account: Pick<Account, 'id' | 'role' | 'email' | 'emailVerifiedAt'>
  isSecond: boolean
  now: Date
}

export const decideAcceptance = ({ invite, student, account, isSecond, now }: Acceptance) => {
  // An invite is void when its sender is no longer first guardian.
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
