import { Refusal } from '#kernel/refusal'

export const identityRefusals = {
  username_taken: 409,
  wrong_credentials: 401,
  account_disabled: 403,
  wrong_current_password: 422,
  password_unchanged: 422,
  password_too_short: 422,
  password_too_common: 422,
  username_not_allowed: 422,
  own_account: 403,
  nothing_to_verify: 409,
  second_factor_required: 401,
  second_factor_wrong: 401,
  second_factor_code_wrong: 422,
  second_factor_on: 409,
  second_factor_off: 409,
  second_factor_not_begun: 409,
  second_factor_for_administrators: 403,
  superadmin_only: 403,
  superadmin_stays_enabled: 409,
  already_teacher: 409,
  session_not_found: 404,
  student_not_found: 404,
  name_too_short: 422,
  too_many_children: 409,
  staff_account: 409,
  student_has_orders: 409,
  parent_has_orders: 409,
  credit_left: 409,
  parent_not_found: 404,
  parent_required: 422,
  feature_required: 403,
  feature_not_held: 403,
  user_not_found: 404,
  own_permissions: 403,
  superadmin_keeps_features: 409,
  password_of_administrator: 403,
  contact_unavailable: 409,
} as const satisfies Record<string, number>

type IdentityRefusal = keyof typeof identityRefusals

type More = ConstructorParameters<typeof Refusal>[2]

/** An expected no of this context; the codes are closed and each has its HTTP status above. */
export const refuse = (code: IdentityRefusal, message: string, more?: More): Refusal<IdentityRefusal> =>
  new Refusal(code, message, more)
