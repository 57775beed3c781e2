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
export type LetterRow = {
  id: string
  attempt_id: string
  about: 'ordered' | 'failed' | 'blocked'
  closure_id: string | null
  at: string | Date
}

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
  columns: { id: 'uuid', attempt_id: 'uuid', about: 'text', closure_id: 'uuid', at: 'timestamptz' },
  primaryKey: 'id',
  events: letterEvents,
  key: ({ id }) => id,
  evolve: (_row: LetterRow | null, event): LetterRow => letterOf(event.id, event),
})
