import type { EventOf } from '#kernel/event'
import { rowView } from '#platform/projections/row-view'
import * as events from './events'
import type { PortionEvent } from './portions'

type ReservationRow = { id: string; item_id: number; date: string; student_id: number; until: string }

export const portionReservationsView = rowView({
  table: 'ordering.portion_reservations',
  columns: { id: 'text', item_id: 'integer', date: 'date', student_id: 'integer', until: 'timestamptz' },
  primaryKey: 'id',
  events: Object.values(events),
  key: ({ data }) => rowId(data),
  evolve: (_row: ReservationRow | null, event): ReservationRow | null =>
    event.type === events.portionReserved.type ? reserved(event.data) : null,
})

const rowId = ({ menuItemId, date, studentId }: PortionEvent['data']) => `${menuItemId}.${date}.${studentId}`

const reserved = (data: EventOf<typeof events.portionReserved>['data']): ReservationRow => ({
  id: rowId(data),
  item_id: data.menuItemId,
  date: data.date,
  student_id: data.studentId,
  until: data.until,
})
