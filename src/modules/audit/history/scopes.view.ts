import type { Pool } from 'pg'
import { lunchId } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { lunchOrdered, orderChanged } from '#modules/ordering/published'
import { checkoutStarted } from '#modules/payments/published'
import { rowView } from '#platform/projections/row-view'

type NamedAttempt = { id: string; reference: string | null }

const namedAttemptsView = rowView({
  table: 'audit.attempts',
  columns: { id: 'uuid', reference: 'text' },
  primaryKey: 'id',
  events: [checkoutStarted],
  key: ({ data }) => data.attemptId,
  evolve: (_row: NamedAttempt | null, { data: { attemptId: id, companyRef: reference } }): NamedAttempt => ({
    id,
    reference,
  }),
})

type NamedOrder = { id: string; attempt_id: string; slot: string; price: Ngwee }

const namedOrdersView = rowView({
  table: 'audit.orders',
  columns: { id: 'text', attempt_id: 'uuid', slot: 'text', price: 'bigint' },
  primaryKey: 'id',
  events: [lunchOrdered, orderChanged],
  key: ({ data }) => data.orderId,
  evolve: (row: NamedOrder | null, { type, data }): NamedOrder | null => {
    if (type === orderChanged.type) return row && { ...row, price: data.meal.price }
    const { orderId: id, attemptId: attempt_id, price } = data
    return { id, attempt_id, slot: lunchId(lunchOf(data)), price }
  },
})

export const namedViews = [namedAttemptsView, namedOrdersView]

export type Scope = { attempt: string; orders: string[]; slot: string | null }

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const scopeOfAttempt = async (pool: Pool, id: string): Promise<Scope | null> => {
  if (!uuid.test(id)) return null
  const { rows } = await pool.query<Pick<Scope, 'attempt' | 'orders'>>(
    `select a.id as attempt,
       array(select o.id from audit.orders o where o.attempt_id = a.id) as orders
     from audit.attempts a where a.id = $1`,
    [id],
  )
  return rows[0] ? { ...rows[0], slot: null } : null
}

/** Accepts any spelling of our reference, also without `LP`. */
export const scopeOfReference = async (pool: Pool, reference: string): Promise<Scope | null> => {
  const signs = reference.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()
  const { rows } = await pool.query<{ id: string }>(
    `select id from audit.attempts where reference is not null
       and upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) in ($1, 'LP' || $1) limit 1`,
    [signs],
  )
  return rows[0] ? scopeOfAttempt(pool, rows[0].id) : null
}

export const scopeOfOrder = async (pool: Pool, id: string): Promise<Scope | null> => {
  const { rows } = await pool.query<{ attempt: string; slot: string }>(
    'select attempt_id as attempt, slot from audit.orders where id = $1',
    [id],
  )
  return rows[0] ? { ...rows[0], orders: [id] } : null
}
