import { decimalFromNgwee, kwachaFromNgwee, type Ngwee } from '#kernel/money'
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

/** What the office may remove: any child, and a staff entry beside a parent's children; a teacher's is the account itself. */
export const decideByOffice = (student: Student, owner: { role: string } | undefined): void => {
  if (student.grade === staffGrade && owner?.role !== 'parent')
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
}

/** Open or completed orders, and meals that are being paid for and are no order yet. */
export type InTheWay = { orderCount: number; mealsInPayment: number }

/** A child with orders stays: the books name it. Only an administrator may force it (DESIGN section 7). */
export const decideDeletion = (student: Student, inTheWay: InTheWay): void =>
  refuseWithOrders('student_has_orders', student.name, inTheWay, false)

/** A parent or student with open orders is deleted only when an administrator insists; then these are cancelled. */
export const decideForcibleDeletion = (
  code: 'parent_has_orders' | 'student_has_orders',
  name: string,
  inTheWay: InTheWay,
  force: boolean,
): void => {
  if (!force) refuseWithOrders(code, name, inTheWay, true)
}

/** What the school owes an account, in ngwee. */
export type CreditLeft = { creditBalance: Ngwee; owed: Ngwee }

/** An account that is owed something is deleted only when that is given up by naming it. */
export const decideGivingUp = (
  username: string,
  { creditBalance, owed }: CreditLeft,
  giveUp: string | undefined,
): void => {
  if ((creditBalance === 0 && owed === 0) || giveUp === username) return
  const left = [
    ...(creditBalance > 0 ? [`K${decimalFromNgwee(creditBalance)} of credit`] : []),
    ...(owed > 0 ? [`K${decimalFromNgwee(owed)} to be paid back`] : []),
  ]
  const message = `${username} has ${left.join(' and ')}: pay it out first, or confirm that it is given up`
  const extra = { creditBalance: kwachaFromNgwee(creditBalance), owed: kwachaFromNgwee(owed) }
  throw refuse('credit_left', message, { extra })
}

const refuseWithOrders = (
  code: 'parent_has_orders' | 'student_has_orders',
  name: string,
  { orderCount, mealsInPayment }: InTheWay,
  canForce: boolean,
): void => {
  const found = [
    ...(orderCount > 0 ? [orderCount === 1 ? '1 order' : `${orderCount} orders`] : []),
    ...(mealsInPayment > 0
      ? [`${mealsInPayment} ${mealsInPayment === 1 ? 'meal' : 'meals'} being paid for`]
      : []),
  ]
  if (found.length === 0) return
  const message = `${name} has ${found.join(' and ')} and cannot be deleted`
  const extra = { canForce, orderCount, mealsInPayment, ...(canForce && { details: message }) }
  throw refuse(code, message, { extra })
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
