import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type * as z from 'zod/mini'
import type { BodyOf, Endpoint, ReplyOf } from '#contracts/endpoint'
import type { UserMessage } from '#kernel/meal-line'
import { recordChanges } from './changes'
import type { Reader } from './database'
import {
  route,
  withFeature,
  type Access,
  type Call,
  type Principal,
  type Route,
  type RouteOptions,
} from './http/route'
import type { Now, Ports } from './ports'
import { refuseChanged, withVersion } from './versions'

type Values = Record<string, unknown>

/** `locked`: nobody else changes them until the transaction ends. */
export type StoredSettings<Of> = {
  read: (at: Knex, how?: 'locked') => Promise<Of>
  write: (transaction: Knex.Transaction, after: Of, about: { before: Of; at: Date }) => Promise<unknown>
}

/** In the only row of `table`, a column for each field. */
export const inOneRow = <Schema extends z.ZodMiniObject>(
  table: string,
  { shape }: Schema,
  columnOf = (field: string) => field,
) => {
  type Of = Required<z.infer<Schema>>
  const fields = Object.keys(shape)
  const text = `select ${fields.map((field) => `"${columnOf(field)}" as "${field}"`).join(', ')} from ${table}`
  return {
    read: async (at: Knex, how?: 'locked'): Promise<Of> =>
      (await at.raw<{ rows: Of[] }>(how ? `${text} for update` : text)).rows[0]!,
    /** For what every request asks. */
    readPrepared: async (reader: Reader): Promise<Of> =>
      (await reader.query<Of>({ name: `${table} ${fields[0]}`, text })).rows[0]!,
    write: (transaction: Knex.Transaction, after: Of): Promise<unknown> =>
      transaction(table).update(
        Object.fromEntries(fields.map((field) => [columnOf(field), after[field as keyof Of]])),
      ),
  }
}

type Change<Of> = {
  before: Of
  after: Of
  changed: readonly (keyof Of & string)[]
  user: Pick<Principal, 'userId' | 'username'>
  currentPassword: string | undefined
}

/** Runs a change in a transaction; what it tells goes out once that is committed. */
type Telling = <Result>(
  change: (transaction: Knex.Transaction, tell: (message: UserMessage) => Promise<void>) => Promise<Result>,
) => Promise<Result>

type Settings<Of, Save extends Endpoint> = {
  endpoints: readonly [get: Endpoint, save: Save]
  readers: Access
  stored: StoredSettings<Of>
  what: string | ((after: Of) => string)
  /** The values are in no history. */
  secret?: boolean
  completed?: (given: Omit<BodyOf<Save>, 'version'>, before: Of) => Of
  check?: (change: Change<Of>) => unknown
  told?: { telling: Telling; messages: (change: Change<Of>) => readonly UserMessage[] }
  visible?: (settings: Of, user: Principal) => Of
  /** Shown with them, outside the version. */
  beside?: () => Promise<object>
  /** Shown in place of the rows. */
  cache?: { read: () => Promise<Of>; changed: () => void }
  options?: RouteOptions
}

type SettingsNeeds = Pick<Ports, 'database' | 'now'>

/** What one form shows and saves as a whole, for whoever has the feature `settings`. */
export const settingsRoutes = <Of extends Values, Save extends Endpoint>(
  needs: SettingsNeeds,
  settings: Settings<Of, Save>,
): Route[] => {
  const [get, save] = settings.endpoints
  const { stored, visible, beside, cache, options } = settings
  const { knex } = needs.database
  const record = `settings:${get.path.split('/').at(-1)}`
  const read = cache?.read ?? (() => stored.read(knex))
  const shown = async (of: Of, user: Principal) => ({
    ...withVersion(record, visible?.(of, user) ?? of),
    ...(await beside?.()),
  })
  const telling: Telling =
    settings.told?.telling ??
    ((change) => knex.transaction((transaction) => change(transaction, () => Promise.resolve())))
  const change = (call: Call<Save>) =>
    telling(async (transaction, tell) => {
      const done = await saved(transaction, needs.now, { ...settings, record }, call)
      for (const message of settings.told?.messages(done) ?? []) await tell(message)
      return done.after
    })
  return [
    route(get, settings.readers, async ({ user }) => shown(await read(), user)),
    route(
      save,
      withFeature('settings'),
      async (call) => shown(await change(call).finally(cache?.changed), call.user) as Promise<ReplyOf<Save>>,
      options,
    ),
  ]
}

/** Throws `changed_meanwhile` for another version. */
const saved = async <Of extends Values, Save extends Endpoint>(
  transaction: Knex.Transaction,
  now: Now,
  { stored, what, secret, completed, check, record }: Settings<Of, Save> & { record: string },
  { body, user, by }: Call<Save>,
): Promise<Change<Of>> => {
  const { version, currentPassword, ...given } = body as { version?: string; currentPassword?: string }
  const before = await stored.read(transaction, 'locked')
  const after = completed?.(given as BodyOf<Save>, before) ?? (given as Of)
  const changed = (Object.keys(after) as (keyof Of & string)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )
  const change = { before, after, changed, user, currentPassword }
  await check?.(change)
  await refuseChanged(transaction, { record, version, now: before, yours: after })
  const at = now()
  await stored.write(transaction, after, { before, at })
  if (changed.length > 0)
    await recordChanges(transaction, { ...by, at }, [
      {
        kind: 'settings',
        what: typeof what === 'string' ? what : what(after),
        record,
        ...(secret ? { old: null, new: null } : { old: before, new: after }),
      },
    ])
  return change
}
