import { refuse } from '../refusals'
import { staffGrade, type Student } from '#modules/identity/published'

export const decideChild = <Child extends Student>(student: Child | undefined): Child => {
  if (!student) throw refuse('student_not_found', 'Student not found')
  if (student.grade === staffGrade)
    throw refuse('staff_account', 'A staff account cannot be edited or deleted')
  return student
}

export const decideTwins = (id: number, intoId: number): void => {
  if (id === intoId) throw refuse('same_student', 'Choose another child: this is the same entry')
}

/** A meal in payment belongs to its payer. */
export const decideNothingInPayment = (mealsInPayment: number): void => {
  if (mealsInPayment === 0) return
  const meals = mealsInPayment === 1 ? 'A meal is' : `${mealsInPayment} meals are`
  throw refuse('meals_in_payment', `${meals} being paid for. Please try again when that is done.`, {
    extra: { mealsInPayment },
  })
}

export const decideNoSameDate = (dates: readonly string[]): void => {
  if (dates.length === 0) return
  const message = `Both have a lunch on ${dates.slice(0, 3).join(', ')}${dates.length > 3 ? ' and more dates' : ''}: cancel one of them first`
  throw refuse('same_date', message, { extra: { dates } })
}

export const joined = <Row extends Record<string, unknown>>(
  into: Row,
  from: Row,
  keys: readonly (keyof Row & string)[],
): Partial<Row> => Object.fromEntries(keys.map((key) => [key, into[key] ?? from[key]])) as Partial<Row>
