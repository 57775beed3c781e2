import { beginning } from '#platform/event-store/event-store'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'

const digits = 20

/** A position as text that sorts as (xid, seq): both numbers in 20 digits. */
export const positionOf = (row: { xid: string; seq: string }): Position =>
  `${row.xid.padStart(digits, '0')}-${row.seq.padStart(digits, '0')}`

/** Tells a position of this store from one of another. */
export const isPostgresPosition = (position: Position): boolean => /^\d{20}-\d{20}$/.test(position)

/** The two numbers of a position, without leading zeros (which xid8 would read as octal). */
export const placeOf = (position: Position): [xid: string, seq: string] => {
  if (position === beginning) return ['0', '0']
  const [xid = '', seq = ''] = position.split('-')
  return [BigInt(xid).toString(), BigInt(seq).toString()]
}

export type EventRow = Omit<RecordedEvent, 'position'> & { xid: string; seq: string }

export const recordedEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  type: row.type,
  data: row.data,
  metadata: row.metadata,
  stream: row.stream,
  revision: row.revision,
  position: positionOf(row),
})
