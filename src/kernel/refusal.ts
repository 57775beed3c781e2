/**
 * An expected "no": a rule refused the request. It becomes a 4xx answer, is not logged as an error and is
 * never retried. Everything else that is thrown is a fault (500, logged, retried).
 * `code` is the stable machine word, `message` the text for people, `extra` the keys the spec puts beside them,
 * `fields` a message per form field.
 */
export class Refusal<Code extends string = string> extends Error {
  override readonly name = 'Refusal'
  readonly code: Code
  readonly extra: Record<string, unknown>
  readonly fields: Record<string, string> | undefined

  constructor(
    code: Code,
    message: string,
    more: { extra?: Record<string, unknown>; fields?: Record<string, string> } = {},
  ) {
    super(message)
    this.code = code
    this.extra = more.extra ?? {}
    this.fields = more.fields
  }
}
