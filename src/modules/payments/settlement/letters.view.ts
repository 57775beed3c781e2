import { column, type RowOf } from '#kernel/column'
import type { EventOf } from '#kernel/event'
import { rowView } from '#platform/projections/row-view'
import {
  linesBlocked,
  ordersCreated,
  paymentDeclined,
  paymentExpired,
  remainderWaived,
} from '../attempt/events'

/** The id is the event's. */
const letterColumns = {
  id: column<string>('uuid'),
  attempt_id: column<string>('uuid'),
  about: column<'ordered' | 'failed' | 'blocked'>('text'),
  closure_id: column<string | null>('uuid'),
  at: column<string | Date>('timestamptz'),
}
export type LetterRow = RowOf<typeof letterColumns>

export const letterEvents = [
  ordersCreated,
  paymentDeclined,
  paymentExpired,
  linesBlocked,
  remainderWaived,
] as const

export const letterOf = (id: string, event: EventOf<(typeof letterEvents)[number]>): LetterRow => {
  const { attemptId: attempt_id, at } = event.data
  const letter = { id, attempt_id, closure_id: null, at }
  switch (event.type) {
    case ordersCreated.type:
      return { ...letter, about: 'ordered' }
    case paymentDeclined.type:
    case paymentExpired.type:
      return { ...letter, about: 'failed' }
    case linesBlocked.type:
      return { ...letter, about: 'blocked' }
    case remainderWaived.type:
      return { ...letter, about: 'blocked', closure_id: event.data.closure?.id ?? null }
  }
}

export const lettersView = rowView({
  table: 'payments.letters',
  columns: letterColumns,
  primaryKey: 'id',
  events: letterEvents,
  key: ({ id }) => id,
  evolve: (_row: LetterRow | null, event): LetterRow => letterOf(event.id, event),
})
