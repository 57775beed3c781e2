import { Refusal } from '#kernel/refusal'

export const enrolmentRefusals = {
  student_not_found: 404,
  confirm_leaving: 422,
  decision_wrong: 422,
  ordered_since: 409,
  import_not_found: 404,
  claim_code_wrong: 422,
  same_date: 409,
  same_student: 422,
  meals_in_payment: 409,
  promotion_not_found: 404,
  promotion_not_applied: 409,
  promotion_not_last: 409,
  promotion_undone: 409,
  roll_changed: 409,
  undo_too_late: 409,
  staff_account: 409,
  student_has_orders: 409,
  parent_has_orders: 409,
  credit_left: 409,
  parent_not_found: 404,
} as const satisfies Record<string, number>

type EnrolmentRefusal = keyof typeof enrolmentRefusals

type More = ConstructorParameters<typeof Refusal>[2]

export const refuse = (code: EnrolmentRefusal, message: string, more?: More): Refusal<EnrolmentRefusal> =>
  new Refusal(code, message, more)
