type RefusalDetails = { extra?: Record<string, unknown>; fields?: Record<string, string>; status?: number }

/** An expected "no": a 4xx answer, never retried. `code` is stable; `fields` holds a message per form field. */
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

/** Says why not where nothing is thrown: an error collects a stack trace, some 13 µs. */
export type Denial = readonly [code: string, message: string]

export const refusalTable = <Code extends string>(
  table: Record<Code, readonly [status: number, message: string]>,
) => ({
  statuses: Object.fromEntries(
    Object.entries<readonly [number, string]>(table).map(([code, [status]]) => [code, status]),
  ),
  refusal: (code: Code, details?: RefusalDetails) => new Refusal(code, table[code][1], details),
  denial: (code: Code): Denial => [code, table[code][1]],
})
