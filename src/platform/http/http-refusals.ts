import { Refusal } from '#kernel/refusal'

export type HttpRefusal =
  | 'malformed_request'
  | 'not_signed_in'
  | 'forbidden'
  | 'password_change_required'
  | 'second_factor_setup_required'
  | 'cross_site'
  | 'not_found'
  | 'idempotency_key_reused'
  | 'method_not_allowed'
  | 'request_too_slow'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'too_many_requests'

export const httpRefusals = {
  malformed_request: 400,
  not_signed_in: 401,
  forbidden: 403,
  password_change_required: 403,
  second_factor_setup_required: 403,
  cross_site: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  request_too_slow: 408,
  request_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  too_many_requests: 429,
} satisfies Record<HttpRefusal, number>

export const uploadRefusals = {
  upload_malformed: 400,
  no_file: 422,
  not_csv: 422,
  no_headings: 422,
  file_too_large: 413,
  too_many_rows: 413,
}

export const uploadRefusal = (code: keyof typeof uploadRefusals, message: string) =>
  new Refusal(code, message)

/** `extra.retryAfter` (whole seconds) becomes the Retry-After header. */
export const httpRefusal = (
  code: HttpRefusal,
  message: string,
  more?: ConstructorParameters<typeof Refusal>[2],
) => new Refusal<HttpRefusal>(code, message, more)

export const tooManyRequests = (retryAfter: number) =>
  httpRefusal('too_many_requests', `Too many attempts. Please try again in ${waitingTime(retryAfter)}.`, {
    extra: { retryAfter },
  })

const waitingTime = (seconds: number): string => {
  if (seconds < 60) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

export const notFound = () => httpRefusal('not_found', 'Not found')
