import type { Endpoint } from '#contracts/endpoint'
import { nothing } from '#contracts/endpoint'
import { compiled } from '#kernel/compiled'
import { httpRefusal, notFound } from './http-refusals'

type Schema = Endpoint['body']

/** Parameters as the contract has them; an address whose parameters do not fit leads nowhere (404). */
export const parseParams = (schema: Schema, params: Record<string, string>): unknown => {
  if (schema === nothing) return undefined
  const read = compiled(schema).safeParse(params)
  if (!read.success) throw notFound()
  return read.data
}

/** A query or body as the contract has it; otherwise `validation_failed` with a message per field. */
export const parseInput = (schema: Schema, input: unknown): unknown => {
  const read = compiled(schema).safeParse(input)
  if (read.success) return read.data
  const fields: Record<string, string> = {}
  for (const { path, message } of read.error.issues) {
    const field = path.join('.')
    if (field !== '') fields[field] ??= message
  }
  throw httpRefusal('validation_failed', read.error.issues[0]?.message ?? 'Invalid input', { fields })
}
