import { Refusal, refusalTable } from '#kernel/refusal'

const table = refusalTable({
  cycle_not_found: [404, 'Cycle not found'],
  closure_not_found: [404, 'Closure not found'],
  date_outside_cycle: [422, 'This day is not a school day of the order cycle'],
  date_past: [422, 'This day has passed'],
  date_closed: [422, 'This day is already closed'],
  closure_over: [409, 'The days of this closure have passed'],
  idempotency_key_reused: [409, 'This request key was already used for another closure'],
  day_blocked: [409, 'The school is closed on this day'],
  student_gone: [409, 'The student is no longer on the account'],
})
export const { refusal, statuses: closuresStatuses } = table

type DateCode = 'date_outside_cycle' | 'date_past' | 'date_closed'

export const datesRefused = (code: DateCode, date?: string): Refusal<DateCode> => {
  const { message } = refusal(code)
  const named = date === undefined ? message : `${date}: ${message}`
  return new Refusal(code, named, { fields: { dates: named } })
}
