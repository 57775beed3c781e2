import type { Pool } from 'pg'

/** What belongs together: an attempt with all its orders, or one order with its attempt as a whole (`slot`: its day). */
export type Scope = { attempt: string; orders: string[]; slot: string | null }

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** An attempt with its orders; null when there is no such attempt. */
export const scopeOfAttempt = async (pool: Pool, id: string): Promise<Scope | null> => {
  if (!uuid.test(id)) return null
  const { rows } = await pool.query<Pick<Scope, 'attempt' | 'orders'>>(
    `select a.id as attempt,
       array(select o.id from audit.ledger_orders o where o.attempt_id = a.id) as orders
     from audit.ledger_attempts a where a.id = $1`,
    [id],
  )
  return rows[0] ? { ...rows[0], slot: null } : null
}

/** An order with its attempt; null when there is no such order. */
export const scopeOfOrder = async (pool: Pool, id: string): Promise<Scope | null> => {
  const { rows } = await pool.query<{ attempt: string; slot: string }>(
    'select attempt_id as attempt, slot from audit.ledger_orders where id = $1',
    [id],
  )
  return rows[0] ? { ...rows[0], orders: [id] } : null
}
