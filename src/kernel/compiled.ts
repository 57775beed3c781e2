import { z, type core } from 'zod'

const known = new WeakMap<core.SomeType, core.SomeType>()

/**
 * The same schema with a fast path for what fits it; what does not fit is refused in the same words. For schemas that
 * parse again and again: compiled when first asked for (some ms) and kept as long as the schema.
 */
export const compiled = <Schema extends core.SomeType>(schema: Schema): Schema => {
  const found = known.get(schema)
  if (found) return found as Schema
  const made = z.compile(schema)
  known.set(schema, made)
  return made
}
