import type * as z from 'zod/v4/core'
import type { Client } from '../../src/app/demo/client'
import { limitsOf } from './schema-limits'

/** The names of the fields in which a body takes any text: no form, no list of words. */
export const freeTextIn = (schema: z.$ZodType, name = ''): string[] => {
  const { def } = (schema as z.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return limitsOf(schema).format ? [] : [name]
    case 'object':
      return Object.entries(def.shape).flatMap(([key, part]) => freeTextIn(part, key))
    case 'array':
      return freeTextIn(def.element, name)
    case 'record':
      return freeTextIn(def.valueType, name)
    case 'union':
      return def.options.flatMap((option) => freeTextIn(option, name))
    case 'pipe':
      return freeTextIn(def.in, name)
    case 'optional':
    case 'nullable':
    case 'default':
      return freeTextIn(def.innerType, name)
    default:
      return []
  }
}

/** The names of the fields of a body whose text holds these words. */
const namesOf = (value: unknown, words: string, name = ''): string[] => {
  if (typeof value === 'string') return value.includes(words) ? [name] : []
  if (Array.isArray(value)) return value.flatMap((one) => namesOf(one, words, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [
    // What is kept under a text, as the description of a protein is, belongs to the field around it.
    ...namesOf(part, words, key.includes(words) ? name : key),
  ])
}

/** The same client, which notes the fields that went through with these words in them. */
export const noting = (client: Client, words: string, noted: Set<string>): Client => ({
  ...client,
  call: async (endpoint, input) => {
    const reply = await client.call(endpoint, input)
    for (const name of namesOf(input?.body, words)) noted.add(name)
    return reply
  },
})
