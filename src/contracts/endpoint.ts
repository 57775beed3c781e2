import * as z from 'zod/mini'
import { isBlankName } from '#kernel/folded-name'

type Schema = z.ZodMiniType

/** `status` is that of success. `etag` answers 304 to a matching If-None-Match. `once` needs an Idempotency-Key and counts once. */
export type Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  status: number
  /** Shape of a 202 reply: the act waits for approval. */
  accepted: Schema | null
  etag: boolean
  once: boolean
  params: Params
  query: Query
  body: Body
  reply: Reply
}

/** Codes of answers, from 500 on, that leave open whether the act was done: it is asked for again under its key. */
export const faultCodes = ['internal_error', 'unavailable', 'event_store_unavailable'] as const
export type FaultCode = (typeof faultCodes)[number]

export const nothing = z.unknown()

export const endpoint = <
  Reply extends Schema,
  Params extends Schema = typeof nothing,
  Query extends Schema = typeof nothing,
  Body extends Schema = typeof nothing,
>(
  method: Endpoint['method'],
  path: string,
  spec: {
    reply: Reply
    status?: number
    accepted?: Schema
    etag?: boolean
    once?: boolean
    params?: Params
    query?: Query
    body?: Body
  },
): Endpoint<Params, Query, Body, Reply> => ({
  method,
  path,
  status: spec.status ?? 200,
  accepted: spec.accepted ?? null,
  etag: spec.etag ?? false,
  once: spec.once ?? false,
  params: spec.params ?? (nothing as unknown as Params),
  query: spec.query ?? (nothing as unknown as Query),
  body: spec.body ?? (nothing as unknown as Body),
  reply: spec.reply,
})

export type ParamsOf<E> = E extends Endpoint<infer P, Schema, Schema, Schema> ? z.infer<P> : never
export type QueryOf<E> = E extends Endpoint<Schema, infer Q, Schema, Schema> ? z.infer<Q> : never
export type BodyOf<E> = E extends Endpoint<Schema, Schema, infer B, Schema> ? z.infer<B> : never
export type ReplyOf<E> = E extends Endpoint<Schema, Schema, Schema, infer R> ? z.infer<R> : never

export const urlOf = (
  { path }: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: { params?: object | undefined; query?: object | undefined },
): string => {
  const given = params as Record<string, unknown>
  const filled = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(given[key])))
  const asked = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [key, String(value)])
  return asked.length > 0 ? `${filled}?${new URLSearchParams(asked)}` : filled
}

export const statusOf = (
  { accepted, status }: Pick<Endpoint, 'accepted' | 'status'>,
  reply: unknown,
): number => (accepted?.safeParse(reply).success === true ? 202 : status)

/** Body of every refused or failed call (DESIGN section 4); refusals add their own keys. */
export const errorReply = z.looseObject({
  message: z.string(),
  error: z.string(),
  code: z.string(),
  details: z.optional(z.unknown()),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ErrorReply = z.infer<typeof errorReply>

export const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/)),
  z.pipe(
    z.transform((text: string) => Number(text)),
    z.int(),
  ),
)

export const idParam = z.object({ id: wholeNumber })
export const rowNumber = (message?: string) =>
  z.int(message).check(z.positive(message), z.lte(2_147_483_647, message))

export const messageReply = z.object({ message: z.string() })
export const nonEmpty = (message: string) => z.string().check(z.trim(), z.minLength(1, message))

// Common top-level domains, or any domain with a path, become links in mail programs. `Mrs.Banda` and `J.B. Phiri` remain names.
const endings =
  'com|org|net|info|biz|io|co|me|tv|cc|gg|ly|to|ru|cn|tk|ml|ga|cf|gq|zm|za|zw|mw|ke|tz|uk|us|eu|app|dev|xyz|top|site|page|club|live|click|online|website|link|shop|store|icu|vip|pro'
const webAddress = new RegExp(String.raw`https?:|:\/\/|\bwww[.。]|[.。](${endings})\b|[.。]\p{L}{2,}\/`, 'iu')

/** One visible line without a web address, at most 120 characters. */
export const personName = (message: string) =>
  nonEmpty(message).check(
    z.maxLength(120),
    z.refine((name) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(name), 'A name is written in one line'),
    z.refine((name) => !isBlankName(name), 'A name has letters that can be seen'),
    z.refine((name) => !webAddress.test(name.normalize('NFKC')), 'A name holds no web address'),
  )

export const pageMetadata = z.object({
  total: z.number(),
  page: z.number(),
  pageSize: z.number(),
  totalPages: z.number(),
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
})
export type PageMetadata = z.infer<typeof pageMetadata>

export const directions = ['asc', 'desc'] as const
export const direction = z.enum(directions)
export type Direction = z.infer<typeof direction>

export const numberUpTo = (most: number) => z.pipe(wholeNumber, z.number().check(z.gte(1), z.lte(most)))

export const yesOrNo = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
)

export const searchText = z.string().check(z.trim(), z.maxLength(100))

/** `YYYY-MM-DD` within the centuries that calendars and zones handle. */
export const calendarDay = z.string().check(
  z.refine((text) => {
    const at = /^(?:19|2[01])\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN
    return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  }, 'Not a day of the calendar'),
)

/** `from` to `to`, both included, at most `maxDays`; refused with `fields.to`. */
export const dayRange = (maxDays: number) =>
  z.refine<{ from: string; to: string }>(
    ({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < maxDays * 86_400_000,
    { message: `Please choose at most ${maxDays} days, from the first to the last`, path: ['to'] },
  )

/** At most 100 a page, sorted by one of these keys. */
export const listQuery = <const Keys extends readonly [string, ...string[]]>(keys: Keys) => ({
  page: z.optional(wholeNumber),
  limit: z.optional(numberUpTo(100)),
  sort: z.optional(z.enum(keys)),
  direction: z.optional(direction),
})

/** In every record that a form is filled from; opaque, another one after each change. */
export const shownVersion = { version: z.string() }

/** Its write takes it: with another one than the record's nothing is changed; without it nothing is compared. */
export const givenVersion = { version: z.optional(z.string().check(z.maxLength(64))) }

/** In 409 `changed_meanwhile`: who changed the record last (null where nobody noted it), and the values that differ. */
export const changedMeanwhile = z.object({
  by: z.nullable(z.string()),
  at: z.nullable(z.iso.datetime()),
  version: z.string(),
  fields: z.array(z.object({ field: z.string(), now: z.unknown(), yours: z.unknown() })),
})
export type ChangedMeanwhile = z.infer<typeof changedMeanwhile>

type ListChange<Item> = { add?: Item[] | undefined; remove?: Item[] | undefined }

/** A list as a whole under its name, or what is added and taken away: then what others changed meanwhile stays as they left it. */
export const listWrite = <const Name extends string, Item extends z.ZodMiniType<string>>(
  name: Name,
  list: z.ZodMiniArray<Item>,
) => {
  const shape = { [name]: z.optional(list), add: z.optional(list), remove: z.optional(list), ...givenVersion }
  type Body = ListChange<z.infer<Item>> & { [Key in Name]?: z.infer<Item>[] | undefined } & {
    version?: string | undefined
  }
  return (z.object(shape) as unknown as z.ZodMiniType<Body, Body>).check(
    z.refine((body) => (body[name] === undefined) !== ((body.add ?? body.remove) === undefined), {
      message: 'Required',
      path: [name],
    }),
    z.refine(({ add = [], remove = [] }) => !add.some((one) => isAmong(remove, one)), {
      message: 'The same entry is added and taken away',
      path: ['add'],
    }),
  )
}

const isAmong = (list: readonly string[], one: string): boolean =>
  list.some((other) => other.trim().toLowerCase() === one.trim().toLowerCase())

/** The list after such a write. */
export const listAfter = <Item extends string>(
  before: readonly Item[],
  { whole, add = [], remove = [] }: ListChange<Item> & { whole?: readonly Item[] | undefined },
): Item[] => [
  ...(whole ?? before.filter((one) => !isAmong(remove, one))),
  ...add.filter((one) => !isAmong(before, one)),
]
