import type { Pool } from 'pg'
import { rowView } from '#platform/projections/row-view'
import { checkoutRefused, checkoutStarted, linesReleased, ordersCreated } from './attempt-events'
import type { Checkout } from './attempt-events'
import type { PaymentAttempt } from './payment-attempt'

/** One checkout, for whoever looks for those that have not ended; `total` in ngwee. */
export type AttemptRow = {
  id: string
  kind: Checkout['kind']
  user_id: number
  status: Exclude<PaymentAttempt['status'], 'none'>
  total: number
  started_at: string | Date
}

const attemptOf = ({ data }: { data: { attemptId: string } }) => data.attemptId

const nowWith = (status: AttemptRow['status']) => (row: AttemptRow | null) => row && { ...row, status }

export const attemptsView = rowView<AttemptRow>({
  name: 'payments-attempts',
  table: 'payments.attempts',
  key: 'id',
  columns: {
    id: 'uuid',
    kind: 'text',
    user_id: 'integer',
    status: 'text',
    total: 'integer',
    started_at: 'timestamptz',
  },
})
  .on(checkoutStarted, attemptOf, (_row, { data }) => ({
    id: data.attemptId,
    kind: data.kind,
    user_id: data.userId,
    status: 'draft',
    total: data.total,
    started_at: data.at,
  }))
  .on(ordersCreated, attemptOf, nowWith('fulfilled'))
  .on(checkoutRefused, attemptOf, nowWith('releasing'))
  .on(linesReleased, attemptOf, nowWith('refused'))

/** Checkouts without a card begun before this instant that have not ended, the oldest first, at most 100. */
export const unfinishedFreeAttempts = async (pool: Pool, startedBefore: Date): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id from payments.attempts
     where status in ('draft', 'releasing') and kind <> 'card' and started_at < $1
     order by started_at, id limit 100`,
    [startedBefore],
  )
  return rows.map(({ id }) => id)
}
