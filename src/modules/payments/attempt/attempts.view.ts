import { rowView } from '#platform/projections/row-view'
import type { Checkout } from './events'
import { paymentAttempt } from './fold'
import {
  ledgerOf,
  type AttemptState,
  type PaymentAttempt,
  type StartedAttempt,
  attemptEventTypes,
  type AttemptEvent,
} from './payment-attempt'
import { liveLabel, recoveryStatus } from '../console/labels'
/** Totals in ngwee. `attempt` is the folded state, `since_at` when it entered its status; students and items are for searching. */
export type AttemptRow = {
  id: string
  kind: Checkout['kind']
  user_id: number
  status: AttemptState
  live_status: string
  recovery_status: string | null
  total: number
  reference: string | null
  token: string | null
  body_hash: string
  students: string
  items: string
  weeks: number[]
  days: number[]
  started_at: string | Date
  since_at: string | Date
  issued_at: string | Date | null
  limit_at: string | Date | null
  lease_until: string | Date | null
  acknowledged: boolean
  /** Still owed, in ngwee. */
  owed: number
  attempt: PaymentAttempt
}

export type ListedAttempt = Pick<AttemptRow, 'user_id' | 'attempt'>

export const attemptsView = rowView({
  table: 'payments.attempts',
  columns: {
    id: 'uuid',
    kind: 'text',
    user_id: 'integer',
    status: 'text',
    live_status: 'text',
    recovery_status: 'text',
    total: 'integer',
    reference: 'text',
    token: 'text',
    body_hash: 'text',
    students: 'text',
    items: 'text',
    weeks: 'integer[]',
    days: 'integer[]',
    started_at: 'timestamptz',
    since_at: 'timestamptz',
    issued_at: 'timestamptz',
    limit_at: 'timestamptz',
    lease_until: 'timestamptz',
    acknowledged: 'boolean',
    owed: 'integer',
    attempt: 'jsonb',
  },
  primaryKey: 'id',
  events: attemptEventTypes,
  key: ({ data }) => data.attemptId,
  /** Derived from the folded state: no event has its own rule here. */
  evolve: (row: AttemptRow | null, event: AttemptEvent): AttemptRow | null => {
    const attempt = paymentAttempt.evolve(row?.attempt ?? paymentAttempt.initial, event)
    if (attempt.status === 'none') return null
    return rowOf(attempt, row?.status === attempt.status ? row.since_at : event.data.at)
  },
})

const distinct = <Value>(values: Value[]): Value[] => [...new Set(values)]

const rowOf = (attempt: StartedAttempt, since: string | Date): AttemptRow => {
  const { checkout, token } = attempt
  return {
    id: checkout.attemptId,
    kind: checkout.kind,
    user_id: checkout.userId,
    status: attempt.status,
    live_status: liveLabel(attempt).status,
    recovery_status: recoveryStatus(attempt),
    total: checkout.total,
    reference: checkout.companyRef,
    token: token?.token ?? null,
    body_hash: checkout.bodyHash,
    students: distinct(checkout.lines.map(({ student }) => student.name)).join('\n'),
    items: distinct(checkout.lines.map(({ item }) => item.name)).join('\n'),
    weeks: distinct(checkout.lines.map(({ slot }) => slot.week)),
    days: distinct(checkout.lines.map(({ slot }) => slot.day)),
    started_at: checkout.at,
    since_at: since,
    issued_at: token?.issuedAt ?? null,
    limit_at: token?.limitAt ?? null,
    lease_until: attempt.status === 'recovering' ? attempt.leaseUntil : null,
    acknowledged: attempt.acknowledged,
    owed: ledgerOf(attempt).owed,
    attempt,
  }
}
