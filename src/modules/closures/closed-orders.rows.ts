import type { Knex } from 'knex'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Credit } from '#modules/credit/index'
import type { Cycles, Whom } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering, OrderFacts } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Ports } from '#platform/ports'
import type { LeftOrder } from './closures.rows'

export type ClosuresNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  cycles: Cycles
  credit: Credit
  ordering: Ordering
  payments: Payments
  refunds: Refunds
}

type Outcome = {
  id: string
  isPaid: boolean | null
  what: 'cancelled' | 'restored' | 'skipped' | 'gone'
  code: string | null
  message: string | null
}

export const isPaid = ({ paymentStatus }: Pick<OrderFacts, 'paymentStatus'>): boolean =>
  paymentStatus === 'confirmed'

const orders = (knex: Knex) => knex('closures.orders')

export const noteOrders = async (
  knex: Knex,
  closureId: string,
  found: readonly OrderFacts[],
  again: 'again' | 'once',
): Promise<void> => {
  for (let from = 0; from < found.length; from += 1000) {
    const rows = found.slice(from, from + 1000).map((order) => ({
      closure_id: closureId,
      order_id: order.id,
      user_id: order.userId,
      price: order.price,
      is_paid: isPaid(order),
    }))
    const insert = orders(knex).insert(rows).onConflict(['closure_id', 'order_id'])
    await (again === 'again' ? insert.merge({ closing: null, code: null, message: null }) : insert.ignore())
  }
}

export const markOrdersNoted = async (knex: Knex, closureId: string): Promise<void> => {
  await knex('closures.closures').where({ id: closureId }).update({ orders_noted: true })
}

/** A closure whose orders are looked for. */
export type ClosedDates = Whom & { id: string; dates: readonly SchoolDate[] }

export const unnotedClosures = async (knex: Knex): Promise<ClosedDates[]> => {
  const { rows } = await knex.raw<{ rows: ClosedDates[] }>(
    `select c.id, c.grades, c.classes, array(select d.date::text from closures.dates d where d.closure_id = c.id) as dates
     from closures.closures c where not c.planned and not c.orders_noted and c.undone_at is null
     order by c.closed_at`,
  )
  return rows
}

export const nextOrders = (
  transaction: Knex.Transaction,
  closureId: string,
  about: 'closing' | 'undoing',
  limit: number,
): Promise<{ id: string; userId: number; wasCancelled: boolean }[]> =>
  orders(transaction)
    .where({ closure_id: closureId })
    .whereNull(about)
    .orderBy('order_id')
    .limit(limit)
    .select(
      'order_id as id',
      'user_id as userId',
      transaction.raw(`closing is not distinct from 'cancelled' as "wasCancelled"`),
    )

export const noteOutcomes = async (
  transaction: Knex.Transaction,
  closureId: string,
  about: 'closing' | 'undoing',
  outcomes: readonly Outcome[],
): Promise<void> => {
  await transaction.raw(
    `update closures.orders o
     set ${about} = done.what, code = done.code, message = done.message, is_paid = coalesce(done."isPaid", o.is_paid)
     from jsonb_to_recordset(?::jsonb) as done (id text, "isPaid" boolean, what text, code text, message text)
     where o.closure_id = ? and o.order_id = done.id`,
    [JSON.stringify(outcomes), closureId],
  )
}

export const leftOrders = async (
  knex: Knex,
  closureIds: readonly string[],
  about: 'closing' | 'undoing',
): Promise<Map<string, LeftOrder[]>> => {
  const rows: (LeftOrder & { closureId: string })[] = await orders(knex)
    .whereIn('closure_id', [...closureIds])
    .where(about, 'skipped')
    .orderBy('order_id')
    .select('closure_id as closureId', 'order_id as orderId', 'code', 'message')
  const left = new Map<string, LeftOrder[]>()
  for (const { closureId, ...order } of rows) left.set(closureId, [...(left.get(closureId) ?? []), order])
  return left
}

export const cancelledOrders = async (
  knex: Knex,
  closureIds: readonly string[],
): Promise<{ closureId: string; id: string; price: Ngwee; isPaid: boolean }[]> =>
  orders(knex)
    .whereIn('closure_id', [...closureIds])
    .where('closing', 'cancelled')
    .whereRaw(`undoing is distinct from 'restored'`)
    .select('closure_id as closureId', 'order_id as id', 'price', 'is_paid as isPaid')

export const unfinishedClosures = async (knex: Knex): Promise<string[]> => {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `select c.id from closures.closures c where not c.planned and exists (
       select from closures.orders o where o.closure_id = c.id and (
         (c.undone_at is null and o.closing is null) or (c.undone_at is not null and o.undoing is null)
         or (o.closing = 'cancelled' and ${isUntold('closing')})
         or (o.undoing = 'restored' and ${isUntold('undoing')})))
     order by c.closed_at`,
  )
  return rows.map(({ id }) => id)
}

const isUntold = (about: 'closing' | 'undoing') =>
  `not exists (select from closures.told t where t.closure_id = o.closure_id
     and t.user_id = o.user_id and t.about = '${about}' and t.mail = o.${about}_mail)`

/** Assigns orders to their family's next mail; the closure's row must be locked. Kept, so that a resend after a crash is the same mail. */
export const noteMails = async (
  transaction: Knex.Transaction,
  closureId: string,
  about: 'closing' | 'undoing',
): Promise<void> => {
  await transaction.raw(
    `update closures.orders o set ${about}_mail = 1 + coalesce(
       (select max(e.${about}_mail) from closures.orders e where e.closure_id = o.closure_id and e.user_id = o.user_id), 0)
     where o.closure_id = ? and o.${about} = ? and o.${about}_mail is null`,
    [closureId, about === 'closing' ? 'cancelled' : 'restored'],
  )
}

export const unsentMails = async (
  knex: Knex,
  closureId: string,
  about: 'closing' | 'undoing',
): Promise<{ userId: number; mail: number; orderIds: string[] }[]> => {
  const { rows } = await knex.raw<{ rows: { userId: number; mail: number; orderIds: string[] }[] }>(
    `select o.user_id as "userId", o.${about}_mail as mail, array_agg(o.order_id order by o.order_id) as "orderIds"
     from closures.orders o
     where o.closure_id = ? and o.${about}_mail is not null and ${isUntold(about)}
     group by o.user_id, o.${about}_mail order by o.user_id, o.${about}_mail`,
    [closureId],
  )
  return rows
}

export const markNotified = async (
  knex: Knex,
  told: {
    closureId: string
    userId: number
    about: 'closing' | 'undoing'
    mail: number
    hasAddress: boolean
  },
): Promise<void> => {
  await knex('closures.told')
    .insert({
      closure_id: told.closureId,
      user_id: told.userId,
      about: told.about,
      mail: told.mail,
      has_address: told.hasAddress,
    })
    .onConflict(['closure_id', 'about', 'user_id', 'mail'])
    .ignore()
}

export const closuresInForce = async (knex: Knex, today: SchoolDate): Promise<ClosedDates[]> => {
  const { rows } = await knex.raw<{ rows: ClosedDates[] }>(
    `select c.id, c.grades, c.classes, array_agg(d.date::text order by d.date) as dates
     from closures.closures c join closures.dates d on d.closure_id = c.id
     where d.is_closed and d.date >= ? and not c.planned group by c.id`,
    [today],
  )
  return rows
}
