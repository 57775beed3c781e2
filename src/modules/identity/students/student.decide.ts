import { refuse } from '../refusals'

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

export const isClaimed = (student: Student): student is ClaimedStudent => student.userId !== null

/** Administrators may exceed the setting. */
export const decideAnotherChild = (childCount: number, most: number): void => {
  if (childCount >= most)
    throw refuse(
      'too_many_children',
      `You can add ${most} children yourself. Please ask the school office to add more.`,
    )
}

/** Administrators need more than parents' one letter. */
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
