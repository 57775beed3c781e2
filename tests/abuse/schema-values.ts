import * as fc from 'fast-check'
import type * as z from 'zod/v4/core'

/** What the fuzzed school holds: ids and words that a route may find something for. */
export type Known = { numbers: readonly number[]; words: readonly string[] }

type Bag = { minimum?: number; maximum?: number; format?: string; patterns?: Set<RegExp> }
type Made = (schema: z.$ZodType) => fc.Arbitrary<unknown>

const tries = 6

/**
 * Values that a contract's schema mostly takes, made from the schema's own definition: whatever kind of schema a new
 * contract is made of is fuzzed by itself. Throws for a kind that is not known here yet.
 */
export const valuesOf = (schema: z.$ZodType, known: Known): fc.Arbitrary<unknown> => {
  const inside: Made = (part) => valuesOf(part, known)
  const { def } = (schema as z.$ZodTypes)._zod
  switch (def.type) {
    case 'unknown':
      return fc.constant(undefined)
    case 'object':
      return objects(def.shape, inside)
    case 'array':
      return fc.array(inside(def.element), { maxLength: 4, minLength: bagOf(schema).minimum ?? 0 })
    case 'record':
      return fc.dictionary(fc.constantFrom('beef', 'chicken', '1', 'constructor'), inside(def.valueType))
    case 'union':
      return fc.oneof(...def.options.map(inside))
    case 'optional':
    case 'default':
      return fc.option(inside(def.innerType), { nil: undefined })
    case 'nullable':
      return fc.option(inside(def.innerType))
    case 'pipe':
      return inside(def.in)
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fitting(schema, numbers(bagOf(schema), known))
    case 'string':
      return fitting(schema, strings(bagOf(schema), known))
    default:
      throw new Error(`The fuzz knows no values for a schema of the kind ${def.type}: add it here`)
  }
}

const bagOf = (schema: z.$ZodType) => schema._zod.bag as Bag

const objects = (shape: Record<string, z.$ZodType>, inside: Made) =>
  fc
    .record(Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, inside(part)])))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)))

// Asked for again a few times rather than filtered, so that a rule that nothing here meets cannot hang the run.
const fitting = <T>(schema: z.$ZodType, values: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc
    .array(values, { minLength: tries, maxLength: tries })
    .map((made) => made.find((value) => takes(schema, value)) ?? made[0]!)

/** Whether a schema takes a value. */
export const takes = (schema: z.$ZodType, value: unknown): boolean => {
  const read = schema._zod.run({ value, issues: [] }, { async: false })
  return !(read instanceof Promise) && read.issues.length === 0
}

const numbers = ({ minimum, maximum, format }: Bag, known: Known): fc.Arbitrary<number> => {
  const least = Math.max(minimum ?? -1_000_000, -2_147_483_648)
  const most = Math.min(maximum ?? 2_147_483_647, 2_147_483_647)
  const edges = [least, most, minimum, maximum].filter((edge) => edge !== undefined)
  const small = fc.integer({ min: Math.ceil(least), max: Math.min(Math.floor(most), Math.ceil(least) + 20) })
  const ints = [small, fc.constantFrom(...edges), fc.constantFrom(...known.numbers)]
  return format ? fc.oneof(...ints) : fc.oneof(...ints, fc.constantFrom(0, 0.01, 10, 45.5, 91))
}

const days = ['2026-09-16', '2026-09-14', '2028-02-29', '2026-09-16T07:00:00.000Z']
const addresses = ['chipo@example.org', 'https://example.org/meal.jpg']
const unicode = ['Zoë Ñandú', '母さん', '🍲', '\u202Ereversed', 'e\u0301'.repeat(10), 'ﷺ']

const strings = ({ patterns }: Bag, known: Known): fc.Arbitrary<string> => {
  const common = fc.constantFrom(...days, ...addresses, ...unicode, ...known.numbers.map(String))
  const own = fc.constantFrom(...known.words)
  const free = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  const matching = [...(patterns ?? [])].flatMap((pattern) => matches(pattern))
  if (matching.length > 0) return fc.oneof(...matching, own, common)
  return fc.oneof({ weight: 3, arbitrary: own }, { weight: 2, arbitrary: common }, free, fc.constant(''))
}

// Patterns that look ahead, as that of e-mail addresses does, are left to the common words.
const matches = (pattern: RegExp): fc.Arbitrary<string>[] => {
  try {
    return [fc.stringMatching(pattern)]
  } catch {
    return []
  }
}
