import type { Map as ImmutableMap } from 'immutable'
import { eventReader, type EventOf } from '#kernel/event'
import { parseOrderId } from '#kernel/id'
import type { SchoolDate } from '#kernel/school-time'
import * as events from './events'

const portionEventTypes = Object.values(events)
export type PortionEvent = EventOf<(typeof portionEventTypes)[number]>
export const readPortionEvent = eventReader(...portionEventTypes)

/** One item on one date. */
export type PortionDay = { itemId: number; date: SchoolDate }

export const portionDayId = ({ itemId, date }: PortionDay): string => `${itemId}.${date}`

/** The portion that an order has, when its item has a limit. */
export const portionOf = ({
  id,
  meal,
  attemptId,
}: {
  id: string
  meal: { item: { id: number } }
  attemptId: string
}): PortionDay & { studentId: number; attemptId: string } => {
  const { studentId, date } = parseOrderId(id)!.lunch
  return { itemId: meal.item.id, date, studentId, attemptId }
}

/** Who has a portion: an order (`until` null), or a reservation that lapses at `until`. `at`: since when. */
export type Holder = { attemptId: string; until: string | null; at: string }

/** The portions of a limited item on a date that were taken since it has a limit, by the student's id. */
export type Portions = ImmutableMap<number, Holder>

export const evolve = (portions: Portions, { type, data }: PortionEvent): Portions => {
  const { studentId, attemptId, at } = data
  switch (type) {
    case events.portionReserved.type:
      return portions.set(studentId, { attemptId, until: data.until, at })
    case events.portionOrdered.type:
      return portions.set(studentId, { attemptId, until: null, at })
    case events.portionReleased.type:
      return portions.delete(studentId)
  }
}
