import type { DomainEvent } from '#kernel/event'
import { lunchId, parseOrderId } from '#kernel/id'
import { lunchOf, type MealLine } from '#kernel/meal-line'
import { rowView, type Recorded } from '#platform/projections/row-view'
import { isChange, type EntryRow } from './entry'
import type { Words } from './entry-words'
import { changeWords } from './change-words.view'
import { creditWords } from './credit-words.view'
import { orderingWords } from './ordering-words.view'
import { paymentsWords } from './payments-words.view'
import { refundsWords } from './refunds-words.view'
import { transfersWords } from './transfers-words.view'

/** Every event type of the history. An event type without words fails tests/audit/words.unit.test.ts. */
export const allWords: readonly Words[] = [
  ...orderingWords,
  ...paymentsWords,
  ...transfersWords,
  ...refundsWords,
  ...creditWords,
  ...changeWords,
]

export const entriesView = rowView({
  table: 'audit.entries',
  columns: {
    event_id: 'uuid',
    position: 'text',
    at: 'timestamptz',
    actor: 'text',
    who: 'text',
    kind: 'text',
    what: 'text',
    amount: 'bigint',
    takes_order_price: 'boolean',
    details: 'jsonb',
    attempt_id: 'uuid',
    order_id: 'text',
    slot: 'text',
    transfer_id: 'uuid',
  },
  primaryKey: 'event_id',
  events: allWords.map(({ type }) => type),
  key: ({ id }) => id,
  evolve: (_row: EntryRow | null, event): EntryRow => entryOf(wordsOf.get(event.type)!, event),
})

const wordsOf = new Map(allWords.map((words) => [words.type.type, words]))

const entryOf = ({ kindOf, describe }: Words, event: Recorded<DomainEvent>): EntryRow => {
  const { what, amount = null, details = {} } = describe(event.data)
  return {
    event_id: event.id,
    position: event.position,
    at: event.metadata.at,
    actor: event.metadata.actor,
    who: nonUserActor(event.metadata.actor),
    kind: kindOf(event.data),
    what,
    amount: amount === 'order-price' ? null : amount,
    takes_order_price: amount === 'order-price',
    details: isChange(details) ? details : withoutNulls(details),
    ...belongingOf(event.data),
  }
}

const withoutNulls = (details: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(details).flatMap(([name, text]) => (text === null ? [] : [[name, text]])))

/** Who caused an event where that is no user: in words; null for a user. */
export const nonUserActor = (actor: string): string | null => {
  if (actor === 'system') return 'Tuckshop'
  const [kind, ...name] = actor.split(':')
  if (kind === 'user') return null
  const what = name.join(' ').replaceAll('-', ' ')
  return kind === 'job' ? `Tuckshop (${what})` : [kind, what].filter(Boolean).join(' ')
}

type Belonging = {
  attemptId?: string | null
  orderId?: string | null
  about?: { orderId: string | null }
  refundId?: string
  transferId?: string | undefined
} & Partial<Pick<MealLine, 'slot' | 'mealDate'>>

/** A refund that does not say whose it is has the order's id, or the attempt's and the part of it. */
const belongingOf = (data: unknown): Pick<EntryRow, 'attempt_id' | 'order_id' | 'slot' | 'transfer_id'> => {
  const { attemptId, orderId, about, refundId, slot, mealDate, transferId } = data as Belonging
  const refundOrder = refundId !== undefined && parseOrderId(refundId) ? refundId : null
  const refundAttempt = /^[0-9a-f-]{36}(?=\.)/.exec(refundId ?? '')?.[0] ?? null
  const order_id = orderId ?? about?.orderId ?? refundOrder
  return {
    attempt_id: attemptId ?? refundAttempt,
    order_id,
    slot: slot && mealDate && order_id === null ? lunchId(lunchOf({ slot, mealDate })) : null,
    transfer_id: transferId ?? null,
  }
}
