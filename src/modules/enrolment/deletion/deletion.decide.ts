import { decimalFromNgwee, kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { staffGrade, type Student } from '#modules/identity/published'
import { refuse } from '../refusals'

/** Any child, and staff entries beside children; a teacher's is the account. */
export const decideByOffice = (student: Student, owner: { role: string } | undefined): void => {
  if (student.grade === staffGrade && owner?.role !== 'parent')
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
}

export type InTheWay = { orderCount: number; mealsInPayment: number }

/** Books name a child with orders; only an administrator may force it (DESIGN section 7). */
export const decideDeletion = (student: Student, inTheWay: InTheWay): void =>
  refuseWithOrders('student_has_orders', student.name, inTheWay, false)

/** Open orders need force, and are then cancelled. */
export const decideForcibleDeletion = (
  code: 'parent_has_orders' | 'student_has_orders',
  name: string,
  inTheWay: InTheWay,
  force: boolean,
): void => {
  if (!force) refuseWithOrders(code, name, inTheWay, true)
}

export type CreditLeft = { creditBalance: Ngwee; owed: Ngwee }

/** Money owed is waived by typing the account's name. */
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
