import { refuse } from '../refusals'

/** The grade of a staff entry: somebody of the school who orders for themselves. */
export const staffGrade = 'teacher'

/**
 * A student as its own context knows it: a child of the user, or the user's staff entry. `userId` is null while no account has
 * claimed a child of the school's roll.
 */
export type Student = {
  id: number
  userId: number | null
  name: string
  grade: string
  class: string | null
  admissionNumber: string | null
}

/** A student whom an account has. */
export type ClaimedStudent = Student & { userId: number }

/** Whether an account has this student. */
export const isClaimed = (student: Student): student is ClaimedStudent => student.userId !== null

/** May a parent add another child themselves? An administrator may add more (the school's setting). */
export const decideAnotherChild = (childCount: number, most: number): void => {
  if (childCount >= most)
    throw refuse(
      'too_many_children',
      `You can add ${most} children yourself. Please ask the school office to add more.`,
    )
}

/** A name that an administrator gives is longer than the one letter that is enough for parents. */
export const decideNameByOffice = (name: string): void => {
  const tooShort = 'Name must be at least 2 characters'
  if (name.length < 2) throw refuse('name_too_short', tooShort, { fields: { name: tooShort } })
}

/** The asker's own child; somebody else's is as absent as none, and a staff entry stays as it is. */
export const decideOwnChild = (student: Student | undefined, userId: number): ClaimedStudent => {
  if (!student || !isClaimed(student) || student.userId !== userId)
    throw refuse('student_not_found', 'Student not found')
  if (student.grade === staffGrade)
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
  return student
}

type Orderer = { id: number; role: string }

/**
 * Whom a user orders for: a parent for all of their students and for those whose second guardian they are, a teacher for
 * their own staff entry alone; nobody for who has left the school.
 */
export const mayOrderFor = (
  user: Orderer,
  student: Pick<Student, 'userId' | 'grade'>,
  { isSecondGuardian, hasLeft }: { isSecondGuardian: boolean; hasLeft: boolean },
): boolean => {
  if (hasLeft || (student.userId !== user.id && !isSecondGuardian)) return false
  if (user.role === 'teacher') return student.userId === user.id && student.grade === staffGrade
  return user.role === 'parent'
}
