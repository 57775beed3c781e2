type RefusalDetails = { extra?: Record<string, unknown>; fields?: Record<string, string>; status?: number }

/**
 * An expected "no": a rule refused the request. It becomes a 4xx answer, is not logged as an error and is
 * never retried. Everything else that is thrown is a fault (500, logged, retried).
 * `code` is the stable machine word, `message` the text for people, `extra` the keys the spec puts beside them,
 * `fields` a message per form field. `status` is only for a code that has two HTTP statuses; otherwise the module's
 * table says it.
 */
export class Refusal<Code extends string = string> extends Error {
  override readonly name = 'Refusal'
  readonly code: Code
  readonly extra: Record<string, unknown>
  readonly fields: Record<string, string> | undefined
  readonly status: number | undefined

  constructor(code: Code, message: string, more: RefusalDetails = {}) {
    super(message)
    this.code = code
    this.extra = more.extra ?? {}
    this.fields = more.fields
    this.status = more.status
  }
}

/** A context's refusals from one table: to each code its HTTP status and, for `refusal`, its text for people. */
export const refusalTable = <Code extends string>(
  table: Record<Code, readonly [status: number, message: string]>,
) => ({
  statuses: Object.fromEntries(
    Object.entries<readonly [number, string]>(table).map(([code, [status]]) => [code, status]),
  ),
  refusal: (code: Code, details?: RefusalDetails) => new Refusal(code, table[code][1], details),
})
