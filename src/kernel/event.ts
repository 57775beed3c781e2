import { z, type core } from 'zod'

const known = new WeakMap<core.SomeType, core.SomeType>()

/** Adds a compiled fast path to a schema with the same messages. The first use compiles it (some ms). */
export const compiled = <Schema extends core.SomeType>(schema: Schema): Schema => {
  const found = known.get(schema)
  if (found) return found as Schema
  const made = z.compile(schema)
  known.set(schema, made)
  return made
}

export type DomainEvent<Name extends string = string, Data = unknown> = { type: Name; data: Data }

type Upcasts = Record<string, (old: never) => unknown>

/** Makes parsed events; a bad shape throws. `type` is the stored name and never changes; `upcasts` bring data of older names up to date. */
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

export type EventOf<Type> = Type extends { type: infer Name extends string; schema: z.ZodType<infer Data> }
  ? DomainEvent<Name, Data>
  : never

export type AnyEventType = ((data: never) => DomainEvent) & {
  type: string
  schema: z.ZodType
  upcasts: Upcasts
}

/** Parses a stored event as one of these types, upcasting old names; null for other names. */
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

/** `actor` is `user:<id>`, `job:<name>` or `system`; `correlationId` names the request or job; `at` is an ISO instant. */
const eventMetadata = z.strictObject({
  actor: z.string(),
  correlationId: z.string(),
  causationId: z.string(),
  at: z.iso.datetime(),
  schemaVersion: z.int().positive(),
})
export type EventMetadata = z.infer<typeof eventMetadata>

export type Decider<State, Command, Event> = {
  initial: State
  evolve: (state: State, event: Event) => State
  decide: (command: Command, state: State) => Event[]
}

export const userIdOf = (actor: string): number | null =>
  Number(/^user:(\d{1,9})$/.exec(actor)?.[1] ?? 0) || null
