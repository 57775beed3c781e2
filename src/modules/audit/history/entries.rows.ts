import type { Pool } from 'pg'
import type { AuditKind, EntrySort } from '#contracts/audit'
import type { Direction } from '#contracts/endpoint'
import { lunchId, parseOrderId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { accountNamed } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { Position } from '#platform/event-store/event-store'
import type { ShownEntry } from './entry'

/** Null does not filter. `from` is inclusive, `until` exclusive. `users` and `who` are alternatives. */
export type EntryFilter = {
  from: Date | null
  until: Date | null
  by: { users: readonly number[]; who: string } | null
  kind: AuditKind | null
  about: Scope | 'nothing' | null
  minAmount: Ngwee | null
}

// A page is chosen by positions, then joined. Few entries take the order's amount: a lookup for those is cheaper than a join for all.
const amount = `coalesce(e.amount, case when e.order_price = 'taken' then
  (select told.amount from audit.entries told where told.order_id = e.order_id and told.order_price = 'told'
   order by told.position desc limit 1) end)`

const shown = `select e.event_id, e.position, e.at, e.actor, e.who, e.kind, e.what, ${amount}::float8 as amount,
  e.details, e.attempt_id, e.order_id, c.number::float8 as number, c.hash
  from audit.entries e left join audit.chain c on c.position = e.position and c.event_id = e.event_id`

export const entriesOf = async (pool: Pool, scope: Scope): Promise<ShownEntry[]> => {
  const values: unknown[] = []
  const where = belongsTo(scope, (value) => `$${values.push(value)}`)
  return (await pool.query<ShownEntry>(`${shown} where ${where} order by e.position`, values)).rows
}

/** Newest entries about these attempts and orders and the transfers that paid them. */
export const latestEntriesOf = async (
  at: Reader,
  { attemptIds, orderIds }: { attemptIds: readonly string[]; orderIds: readonly string[] },
  limit: number,
): Promise<ShownEntry[]> => {
  const { rows } = await at.query<ShownEntry>(
    `${shown} where ${isAbout('$1', '$2')} order by e.position desc limit $3`,
    [attemptIds, orderIds, limit],
  )
  return rows
}

// A union of what indexes find: an `or` of these would read all entries.
const isAbout = (attempts: string, orders: string, ofAttempts = '') => `e.position in (
  select position from audit.entries where attempt_id = any(${attempts}::uuid[])${ofAttempts}
  union select position from audit.entries where order_id = any(${orders}::text[])
  union select position from audit.entries where order_id is null and transfer_id in
    (select transfer_id from audit.entries where order_id = any(${orders}::text[])))`

/** An order's scope takes from its attempt what concerns no other order or day, and includes the transfers that paid it. */
const belongsTo = ({ attempt, orders, slot }: Scope, given: (value: unknown) => string): string => {
  const named = [given([attempt]), given(orders)] as const
  if (slot === null) return isAbout(...named)
  return isAbout(...named, ` and order_id is null and (slot is null or slot = ${given(slot)})`)
}

export const entriesBefore = async (
  pool: Pool,
  filter: EntryFilter,
  before: Position | null,
  limit: number,
): Promise<ShownEntry[]> => {
  const { where, values, given } = conditions(filter)
  if (before !== null) where.push(`e.position < ${given(before)}`)
  const text = `${shown} ${whereOf(where)} order by e.position desc limit ${given(limit)}`
  return (await pool.query<ShownEntry>(text, values)).rows
}

type EntryPage = { sort: EntrySort; direction: Direction; offset: number; limit: number }

const orderBy: Record<EntrySort, (direction: Direction) => string> = {
  time: (direction) => `e.position ${direction}`,
  kind: (direction) => `e.kind ${direction}, e.position ${direction}`,
  amount: (direction) => `${amount} ${direction} nulls last, e.position ${direction}`,
}

export const entriesPage = async (
  pool: Pool,
  filter: EntryFilter,
  { sort, direction, offset, limit }: EntryPage,
): Promise<{ rows: ShownEntry[]; total: number }> => {
  const { where, values, given } = conditions(filter)
  const counting = pool.query<{ total: number }>(
    `select count(*)::int as total from audit.entries e ${whereOf(where)}`,
    [...values],
  )
  const order = `order by ${orderBy[sort](direction)}`
  const places = `select e.position from audit.entries e ${whereOf(where)} ${order} offset ${given(offset)} limit ${given(limit)}`
  const [{ rows }, counted] = await Promise.all([
    pool.query<ShownEntry>(
      `with page as (${places}) ${shown} join page on page.position = e.position ${order}`,
      values,
    ),
    counting,
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

const whereOf = (where: readonly string[]) => (where.length > 0 ? `where ${where.join(' and ')}` : '')

const conditions = ({ from, until, by, kind, about, minAmount }: EntryFilter) => {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const where: string[] = []
  if (from) where.push(`e.at >= ${given(from)}`)
  if (until) where.push(`e.at < ${given(until)}`)
  if (by) {
    const actors = given(by.users.map((id) => `user:${id}`))
    where.push(`(e.actor = any(${actors}::text[]) or e.who ilike ${given(`%${literal(by.who)}%`)})`)
  }
  if (kind) where.push(`e.kind = ${given(kind)}`)
  if (about === 'nothing') where.push('false')
  else if (about) where.push(belongsTo(about, given))
  if (minAmount !== null) where.push(`${amount} >= ${given(minAmount)}`)
  return { where, values, given }
}

const literal = (text: string): string => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

export const changesNaming = async (pool: Pool, userId: number): Promise<string[]> => {
  const { rows } = await pool.query<{ event_id: string }>(
    `select event_id from audit.entries where kind = 'settings' and strpos(what, $1) > 0`,
    [accountNamed(userId)],
  )
  return rows.map(({ event_id }) => event_id)
}

export type Scope = { attempt: string; orders: string[]; slot: string | null }

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const scopeOfAttempt = async (pool: Pool, id: string): Promise<Scope | null> => {
  if (!uuid.test(id)) return null
  const { rows } = await pool.query<Pick<Scope, 'attempt' | 'orders'>>(
    `select attempt_id as attempt,
       coalesce(array_agg(order_id) filter (where order_price = 'told'), '{}') as orders
     from audit.entries where attempt_id = $1 group by 1`,
    [id],
  )
  return rows[0] ? { ...rows[0], slot: null } : null
}

/** Accepts any spelling of our reference, also without `LP`. */
export const scopeOfReference = async (pool: Pool, reference: string): Promise<Scope | null> => {
  const signs = reference.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()
  const { rows } = await pool.query<{ id: string }>(
    `select attempt_id as id from audit.entries where reference is not null
       and upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) in ($1, 'LP' || $1) limit 1`,
    [signs],
  )
  return rows[0] ? scopeOfAttempt(pool, rows[0].id) : null
}

export const scopeOfOrder = async (pool: Pool, id: string): Promise<Scope | null> => {
  const { rows } = await pool.query<{ attempt: string; id: string }>(
    `select attempt_id as attempt, order_id as id from audit.entries
     where order_price = 'told' and attempt_id is not null and order_id = coalesce(
       (select order_id from audit.entries where details->>'movedTo' = $1 limit 1), $1)`,
    [id],
  )
  const [found] = rows
  const slot = found && parseOrderId(found.id)
  return slot ? { attempt: found.attempt, slot: lunchId(slot.lunch), orders: [found.id] } : null
}
