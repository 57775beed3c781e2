import type { Map as ImmutableMap } from 'immutable'
import { eventReader, type EventOf } from '#kernel/event'
import { parseOrderId } from '#kernel/id'
import type { SchoolDate } from '#kernel/school-time'
import * as events from './events'

const portionEventTypes = Object.values(events)
export type PortionEvent = EventOf<(typeof portionEventTypes)[number]>
export const readPortionEvent = eventReader(...portionEventTypes)

export type PortionDay = { itemId: number; date: SchoolDate }

export const portionDayId = ({ itemId, date }: PortionDay): string => `${itemId}.${date}`

/** Where the item is limited. */
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

export type Holder = { attemptId: string; until: string | null; at: string }

/** By student, since the item became limited. */
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
