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

/** What happened, without who and when: a stored name and its parsed data. */
export type DomainEvent<Name extends string = string, Data = unknown> = { type: Name; data: Data }

type Upcasts = Record<string, (old: never) => unknown>

/**
 * An event type is a value: calling it makes an event (data parsed by its schema, a bad shape throws).
 * `type` is the stored name and never changes; a new shape is a new name whose `upcasts` turn the data
 * of each older name into today's.
 */
export type EventType<Name extends string, Data> = ((data: Data) => DomainEvent<Name, Data>) & {
  type: Name
  schema: z.ZodType<Data>
  upcasts: Upcasts
}

export const eventType = <Name extends string, Schema extends z.ZodType>(
  type: Name,
  schema: Schema,
  upcasts: Upcasts = {},
): EventType<Name, z.infer<Schema>> =>
  Object.assign(
    (data: z.infer<Schema>): DomainEvent<Name, z.infer<Schema>> => ({
      type,
      data: compiled(schema).parse(data) as z.infer<Schema>,
    }),
    { type, schema: schema as unknown as z.ZodType<z.infer<Schema>>, upcasts },
  )

/** The event that an event type makes; use with a union of types: `EventOf<typeof a | typeof b>`. */
export type EventOf<Type> = Type extends { type: infer Name extends string; schema: z.ZodType<infer Data> }
  ? DomainEvent<Name, Data>
  : never

/** Some event type or other. */
export type AnyEventType = ((data: never) => DomainEvent) & {
  type: string
  schema: z.ZodType
  upcasts: Upcasts
}

/** Reads a stored event as one of the given types, old names upcast; null when none of them knows the name. */
export const eventReader = <Types extends readonly AnyEventType[]>(...types: Types) => {
  const known = new Map<string, (data: unknown) => DomainEvent>()
  for (const type of types) {
    known.set(type.type, (data) => ({ type: type.type, data: compiled(type.schema).parse(data) }))
    for (const [old, upcast] of Object.entries(type.upcasts))
      known.set(old, (data) => ({
        type: type.type,
        data: compiled(type.schema).parse(upcast(data as never)),
      }))
  }
  return (stored: { type: string; data: unknown }): EventOf<Types[number]> | null =>
    (known.get(stored.type)?.(stored.data) ?? null) as EventOf<Types[number]> | null
}

/**
 * Who caused an event and when. `actor` is `user:<id>`, `job:<name>` or `system`; `correlationId` the request's or
 * job's id; `causationId` the event, request or job that led here; `at` an ISO instant of the application's clock.
 */
const eventMetadata = z.strictObject({
  actor: z.string(),
  correlationId: z.string(),
  causationId: z.string(),
  at: z.iso.datetime(),
  schemaVersion: z.int().positive(),
})
export type EventMetadata = z.infer<typeof eventMetadata>
