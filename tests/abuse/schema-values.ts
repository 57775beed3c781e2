import * as fc from 'fast-check'
import type * as z from 'zod/v4/core'
import { sqlWords } from './hostile-values'

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

/** What the fuzzed school holds, by a word that stands in the address or the name of a field which asks for it. */
export type Known = Record<string, readonly (string | number)[]>

type Made = (schema: z.$ZodType, name?: string) => fc.Arbitrary<unknown>
type Pool = { near: string[]; all: string[] }

const tries = 10

/**
 * Values that a contract's schema mostly takes, made from the schema's own definition: whatever kind of schema a new
 * contract is made of is fuzzed by itself. `label` says where it stands. Throws for a kind that is not known here yet.
 */
export const valuesOf = (schema: z.$ZodType, known: Known, label: string): fc.Arbitrary<unknown> => {
  const inside: Made = (part, name = '') => valuesOf(part, known, `${label} ${name}`)
  const pool = poolFor(known, label)
  const { def } = (schema as z.$ZodTypes)._zod
  switch (def.type) {
    case 'unknown':
      return fc.constant(undefined)
    case 'object':
      return def.checks?.length ? fitting(schema, objects(def.shape, inside)) : objects(def.shape, inside)
    case 'array':
      return fc.array(inside(def.element), { maxLength: 4, minLength: limitsOf(schema).minimum ?? 0 })
    case 'record':
      // Names of a closed list are all asked for.
      if (def.keyType._zod.def.type === 'enum')
        return objects(everyKey(def.keyType as z.$ZodEnum, def.valueType), inside)
      return fc.dictionary(fc.constantFrom('beef', 'chicken', '1', 'constructor'), inside(def.valueType))
    case 'union':
      return fc.oneof(...def.options.map((option) => inside(option)))
    case 'optional':
      // One that is not the record's own is refused.
      if (label.endsWith(' version'))
        return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, inside(def.innerType))
      return fc.option(inside(def.innerType), { nil: undefined })
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
      return fitting(schema, numbers(limitsOf(schema), pool))
    case 'string':
      return fitting(schema, strings(limitsOf(schema), pool))
    default:
      throw new Error(`The fuzz knows no values for a schema of the kind ${def.type}: add it here`)
  }
}

const everyKey = (keys: z.$ZodEnum, value: z.$ZodType) =>
  Object.fromEntries(Object.values(keys._zod.def.entries).map((key) => [key, value]))

const objects = (shape: Record<string, z.$ZodType>, inside: Made) =>
  fc
    .record(Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, inside(part, key)])))
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

/** What the school holds, and what of it this place most likely asks for. */
const poolFor = (known: Known, label: string): Pool => {
  const near = Object.entries(known).filter(([word]) => label.toLowerCase().includes(word))
  return {
    near: near.flatMap(([, values]) => values.map(String)),
    all: Object.values(known).flat().map(String),
  }
}

const fromPool = ({ near, all }: Pool, fits: (text: string) => boolean) => {
  const [likely, any] = [near.filter(fits), all.filter(fits)]
  return likely.length > 0
    ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, fc.constantFrom(...any))
    : fc.constantFrom(...any)
}

const isWhole = (text: string) => /^\d+$/.test(text)

const numbers = ({ minimum, maximum, format }: Limits, pool: Pool): fc.Arbitrary<number> => {
  const least = Math.max(minimum ?? -1_000_000, -2_147_483_648)
  const most = Math.min(maximum ?? 2_147_483_647, 2_147_483_647)
  const edges = [least, most, minimum, maximum].filter((edge) => edge !== undefined)
  const small = fc.integer({ min: Math.ceil(least), max: Math.min(Math.floor(most), Math.ceil(least) + 20) })
  const own = { weight: 4, arbitrary: fromPool(pool, isWhole).map(Number) }
  const ints = [small, fc.constantFrom(...edges), own]
  return format ? fc.oneof(...ints) : fc.oneof(...ints, fc.constantFrom(0, 0.01, 10, 45.5, 91))
}

const days = ['2026-09-16', '2026-09-14', '2028-02-29', '2026-09-16T07:00:00.000Z']
const addresses = ['chipo@example.org', 'https://example.org/meal.jpg']
const unicode = ['Zoë Ñandú', '母さん', '🍲', '\u202Ereversed', 'e\u0301'.repeat(10), 'ﷺ']

const strings = ({ patterns }: Limits, pool: Pool): fc.Arbitrary<string> => {
  const own = { weight: 6, arbitrary: fromPool(pool, () => true) }
  const common = [own, fc.constantFrom(...days), fc.constantFrom(...addresses)]
  const matching = patterns.flatMap((pattern) => matches(pattern))
  if (matching.length > 0) return fc.oneof(...matching, ...common)
  const free = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  return fc.oneof(...common, free, fc.constantFrom('', ...unicode, ...sqlWords))
}

// Patterns that look ahead, as that of email addresses does, are left to the common words.
const matches = (pattern: RegExp): fc.Arbitrary<string>[] => {
  try {
    return [fc.stringMatching(pattern)]
  } catch {
    return []
  }
}
