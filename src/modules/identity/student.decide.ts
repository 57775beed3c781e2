import { refuse } from './refusals'

/** The grade of a staff entry: somebody of the school who orders for themselves. */
export const staffGrade = 'teacher'

/** A student as its own context knows it: a child of the user, or the user's staff entry. */
export type Student = { id: number; userId: number; name: string; grade: string }

/** The asker's own child; somebody else's is as absent as none, and a staff entry stays as it is. */
export const decideOwnChild = (student: Student | undefined, userId: number): Student => {
  if (!student || student.userId !== userId) throw refuse('student_not_found', 'Student not found')
  if (student.grade === staffGrade)
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
  return student
}

/** A child with orders stays: the books name it. Only an administrator may force it (DESIGN section 7). */
export const decideDeletion = (student: Student, orderCount: number): void => {
  if (orderCount === 0) return
  const orders = orderCount === 1 ? '1 order' : `${orderCount} orders`
  throw refuse('student_has_orders', `${student.name} has ${orders} and cannot be deleted`, {
    extra: { canForce: false, orderCount },
  })
}

type Orderer = { id: number; role: string }

/** Whom a user orders for: a parent for all of their students, a teacher for their own staff entry alone. */
export const mayOrderFor = (user: Orderer, student: Student): boolean => {
  if (student.userId !== user.id) return false
  if (user.role === 'teacher') return student.grade === staffGrade
  return user.role === 'parent'
}
