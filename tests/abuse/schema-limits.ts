import type * as z from 'zod/v4/core'

/** What a schema demands of a text, a number or a list beside its kind. */
export type Limits = { minimum?: number; maximum?: number; format?: string; patterns: RegExp[] }

type Rule = {
  check?: string
  format?: string
  pattern?: RegExp
  value?: number
  minimum?: number
  maximum?: number
}

/** Read from the checks themselves: the small zod keeps no summary of them. */
export const limitsOf = (schema: z.$ZodType): Limits => {
  const { def } = (schema as z.$ZodTypes)._zod
  const rules = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as Rule[]
  const limits: Limits = { patterns: [] }
  for (const { check, format, pattern, value, minimum, maximum } of rules) {
    if (check === 'greater_than') limits.minimum = value
    if (check === 'less_than') limits.maximum = value
    if (check === 'min_length') limits.minimum = minimum
    if (check === 'max_length') limits.maximum = maximum
    if (check === 'string_format' || check === 'number_format') limits.format = format
    if (pattern) limits.patterns.push(pattern)
  }
  return limits
}
