import knexOf, { type Knex } from 'knex'
import type { Pool } from 'pg'
import {
  creditCheckoutsView,
  creditGivenView,
  type CheckoutRow,
  type GivenRow,
} from '#modules/credit/credit.view'
import type { OrderFilter } from '#modules/ordering/orders/orders-where.rows'
import { ordersView } from '#modules/ordering/orders/orders.view'
import type { OrderRow } from '#modules/ordering/slot/order'
import { attemptsView, type AttemptRow } from '#modules/payments/attempt/attempts.view'
import { refundsView, type RefundRow } from '#modules/refunds/refunds.view'
import { refundsAsCreditView } from '#modules/refunds/settle-credit.reactor'
import { transfersView, type TransferRow } from '#modules/transfers/transfers.view'
import { type Database } from '#platform/database'
import {
  beginning,
  readLog,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { evolveRows, touchReader, type RowView, type ViewRows } from '#platform/projections/row-view'
import { creditLists, type CreditLists } from './credit-lists'

export const machineViews = [
  attemptsView,
  ordersView,
  refundsView,
  creditCheckoutsView,
  creditGivenView,
  refundsAsCreditView,
  transfersView,
]

/** All events of the store after a position. */
export const eventsAfter = async (
  store: Pick<EventStore, 'subscribe' | 'end'>,
  from: Position,
): Promise<RecordedEvent[]> => {
  const end = await store.end()
  if (end.position === from) return []
  const events: RecordedEvent[] = []
  const subscribe: EventStore['subscribe'] = (options, onBatch) =>
    store.subscribe({ ...options, from }, onBatch)
  await readLog({ subscribe }, end, 500, async (batch) => void events.push(...batch))
  return events
}

/** The views' rows in this process's memory, by the very steps that keep the tables. */
export const rowsInMemory = (store: Pick<EventStore, 'subscribe' | 'end'>, start: Position = beginning) => {
  const touchesOf = touchReader(machineViews)
  const rows: ViewRows = new Map(machineViews.map((view) => [view, new Map()]))
  let passed = start
  const catchUp = async () => {
    const events = await eventsAfter(store, passed)
    evolveRows(rows, touchesOf(events.filter(({ position }) => position > passed)))
    const last = events.at(-1)?.position ?? passed
    if (last > passed) passed = last
  }
  const all = <Row>(view: RowView) => [...rows.get(view)!.values()] as Row[]
  return async () => {
    await catchUp()
    return {
      attempts: all<AttemptRow>(attemptsView),
      orders: all<OrderRow>(ordersView),
      refunds: all<RefundRow>(refundsView),
      transfers: all<TransferRow>(transfersView),
      creditOfCheckouts: all<CheckoutRow>(creditCheckoutsView),
      creditGiven: all<GivenRow>(creditGivenView),
      refundsAsCredit: all<{ payout_id: string; refund_id: string }>(refundsAsCreditView),
    }
  }
}

type Rows = Awaited<ReturnType<ReturnType<typeof rowsInMemory>>>
type Push = { id: string; received_at: Date; token: string | null; state: string }
type Memory = {
  checks: Map<string, Date | null>
  acknowledgements: Map<string, { failed: number; again: Date }>
  pushes: Push[]
}
type Answer = (rows: Rows, values: never[], memory: Memory) => unknown[]

const ms = (at: string | Date | null) => (at === null ? 0 : new Date(at).getTime())
const is =
  (...wanted: string[]) =>
  ({ status }: { status: string }) =>
    wanted.includes(status)
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => ({ id }))

const mayBeCheckedAgain = is(
  'initiated',
  'processing',
  'declined',
  'cancelled',
  'expired',
  'abandoned',
  'review',
)

/** What the modules ask their tables, told by a piece of each question. */
const answers: [piece: string, answer: Answer][] = [
  ['select "id", "reference"', () => []],
  [
    'not "kind" =',
    ({ attempts }, [, , , before]) =>
      ids(
        attempts.filter(
          (row) => is('draft', 'releasing')(row) && row.kind !== 'card' && ms(row.started_at) < ms(before!),
        ),
      ),
  ],
  [
    'body_hash as "bodyHash"',
    ({ attempts }, [userId, now]) =>
      attempts
        .filter((row) => row.user_id === userId && row.kind === 'card')
        .filter(
          (row) =>
            is('initiated', 'processing', 'review')(row) ||
            (row.status === 'declined' && ms(row.limit_at) > ms(now!)),
        )
        .map(({ id, body_hash }) => ({ id, bodyHash: body_hash })),
  ],
  ['"attempts" where "owed" >', ({ attempts }) => attempts.filter((row) => row.owed > 0)],
  [
    'from payments.tokens where token',
    ({ attempts }, [token]) => [{ id: attempts.find((row) => row.token === token)?.id ?? null }],
  ],
  [
    '"status" in ($1) and "kind" =',
    ({ attempts }, [, , before]) =>
      ids(
        attempts.filter(
          (row) => row.status === 'draft' && row.kind === 'card' && ms(row.started_at) < ms(before!),
        ),
      ),
  ],
  [
    '"status" in ($1) and "since_at" <',
    ({ attempts }, [, before]) =>
      ids(attempts.filter((row) => row.status === 'paid' && ms(row.since_at) < ms(before!))),
  ],
  [
    '"lease_until" <=',
    ({ attempts }, [, now]) =>
      ids(attempts.filter((row) => row.status === 'recovering' && ms(row.lease_until) <= ms(now!))),
  ],
  [
    '"acknowledged" =',
    ({ attempts }, [, , , , , , before, now], { acknowledgements }) =>
      attempts
        .filter((row) => !row.acknowledged && row.token !== null && ms(row.since_at) < ms(before!))
        .filter(is('paid', 'fulfilled', 'blocked', 'refund_due', 'refunded'))
        .filter(({ id }) => ms(acknowledgements.get(id)?.again ?? null) <= ms(now!))
        .map(({ id, since_at: since }) => ({
          id,
          since: new Date(since),
          failed: acknowledgements.get(id)?.failed ?? 0,
        })),
  ],
  [
    'insert into "payments"."acknowledgements" ("again_at", "attempt_id", "failed")',
    (_rows, [again, id, failed], { acknowledgements }) => {
      acknowledgements.set(id!, { failed: failed!, again: again! })
      return []
    },
  ],
  [
    'delete from "payments"."acknowledgements"',
    (_rows, [id], { acknowledgements }) => {
      acknowledgements.delete(id!)
      return []
    },
  ],
  [
    'left join payments.checks',
    ({ attempts }, [now], { checks }) =>
      attempts
        .filter((row) => mayBeCheckedAgain(row) && row.token !== null)
        .flatMap((row) => {
          const next = checks.has(row.id) ? checks.get(row.id)! : new Date(ms(row.issued_at) + 60_000)
          const due = { id: row.id, issuedAt: new Date(row.issued_at!), limitAt: new Date(row.limit_at!) }
          return next !== null && next.getTime() <= ms(now!) ? [due] : []
        }),
  ],
  [
    'insert into "payments"."checks" ("attempt_id", "next_check_at")',
    (_rows, [id, next], { checks }) => {
      checks.set(id!, next!)
      return []
    },
  ],
  [
    'insert into "payments"."push_inbox" ("id", "raw", "received_at", "state", "token")',
    (_rows, [id, , at, state, token], { pushes }) => {
      pushes.push({ id: id!, received_at: at!, token: token!, state: state! })
      return []
    },
  ],
  [
    'from "transfers"."transfers" where "changed_at" between',
    ({ transfers }, [from, until]) =>
      transfers.filter((row) => ms(row.changed_at) >= ms(from!) && ms(row.changed_at) <= ms(until!)),
  ],
  ['from "payments"."settings"', () => []],
  [
    'from "payments"."push_inbox" where "state" =',
    (_rows, _values, { pushes }) => pushes.filter(({ state }) => state === 'waiting'),
  ],
  [
    'update "payments"."push_inbox" set "state" =',
    (_rows, [state, id], { pushes }) => {
      for (const push of pushes) if (push.id === id) push.state = state!
      return []
    },
  ],
]

/** Where a process of the machine finds what the views have written. */
export type MachineTables = Pick<Database, 'knex' | 'pool' | 'reads'> & {
  orderIdsWhere: (filter: OrderFilter) => Promise<string[]>
  ordersOwed: () => Promise<string[]>
  partsPaidBack: (attemptIds: readonly string[]) => Promise<string[]>
} & CreditLists

/** As the sweeps of refunds and credit ask. */
const isIn = (state: NonNullable<OrderFilter['state']>, row: OrderRow): boolean => {
  const isPaid = row.payment_status === 'confirmed'
  const isEnded = row.status === 'cancelled' || row.status === 'refunded'
  switch (state) {
    case 'cancelled-paid':
      return row.status === 'cancelled' && isPaid && row.price > 0
    case 'ended':
      return isEnded && row.price > 0
    case 'ended-as-credit':
      return isEnded && row.price > 0 && row.remedy === 'credit' && isPaid
    case 'paid-absent':
      return !isEnded && isPaid && row.absence_credit > 0
    default:
      throw new Error(`Nobody answers ${state}`)
  }
}

/** A database in memory that answers what the payment machine asks, and nothing else. */
export const tablesInMemory = (store: EventStore): MachineTables => {
  const rowsNow = rowsInMemory(store)
  const memory: Memory = { checks: new Map(), acknowledgements: new Map(), pushes: [] }
  const query = async (text: string, values: readonly unknown[] = []) => {
    const found = answers.find(([piece]) => text.includes(piece))
    if (!found) throw new Error(`Nobody answers ${text}`)
    return { command: 'SELECT', rows: found[1](await rowsNow(), values as never[], memory) }
  }
  const prepared = (named: string | { text: string; values: unknown[] }, values?: unknown[]) =>
    typeof named === 'string' ? query(named, values) : query(named.text, named.values)
  const pool = { query: prepared } as unknown as Pool
  return {
    pool,
    reads: pool,
    knex: knexOver(query),
    orderIdsWhere: async ({ state, attemptIds, ids }) =>
      (await rowsNow()).orders
        .filter(
          (row) =>
            isIn(state!, row) &&
            (attemptIds?.includes(row.attempt_id) ?? true) &&
            (ids?.includes(row.id) ?? true),
        )
        .map(({ id }) => id),
    ordersOwed: async () =>
      (await rowsNow()).refunds.flatMap((row) =>
        row.status === 'due' && row.order_id !== null ? [row.order_id] : [],
      ),
    partsPaidBack: async (attemptIds) =>
      (await rowsNow()).refunds.flatMap((row) =>
        row.order_id === null && row.owed < row.amount && attemptIds.includes(row.attempt_id) ? [row.id] : [],
      ),
    ...creditLists(rowsNow),
  }
}

/** Knex whose queries are answered by this function instead of a connection. */
const knexOver = (query: (text: string, values: readonly unknown[]) => Promise<object>): Knex => {
  const made = knexOf({ client: 'pg' })
  return Object.assign(made, {
    client: Object.assign(made.client as object, {
      acquireConnection: async () => ({}),
      releaseConnection: async () => {},
      _query: async (_connection: object, asked: { sql: string; bindings: unknown[] }) =>
        Object.assign(asked, { response: await query(asked.sql, asked.bindings) }),
    }),
  })
}
