import type { AuditKind } from '#contracts/audit'
import type { AnyEventType, EventType } from '#kernel/event'
import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import type { SlotKey } from '#kernel/id'

/**
 * An event in words. `amount` is the money it is about; `order-price` where that is the price of its order, which the
 * event does not say. Details with null are left out; instants in them are ISO text, shown in school time.
 */
export type Told = {
  what: string
  amount?: Ngwee | null | 'order-price'
  details?: Record<string, string | null>
}

/** What an entry says of one event type. */
export type Words = { type: AnyEventType; kind: AuditKind; tell(data: unknown): Told }

/** Ties words to an event type: `words(orderCompleted, 'order', () => ({ what: 'Order marked as complete' }))`. */
export const words = <Name extends string, Data>(
  type: EventType<Name, Data>,
  kind: AuditKind,
  tell: (data: Data) => Told,
): Words => ({ type, kind, tell })

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

export const kwacha = (amount: Ngwee): string => `K${decimalFromNgwee(amount)}`

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

export const dayOf = ({ week, day }: SlotKey): string => `week ${week}, ${weekdays[day - 1]}`

/** `wrong_amount` → `wrong amount`. */
export const spaced = (code: string): string => code.replaceAll(/[_-]/g, ' ')

/** Who caused an event where that is no user: in words; null for a user. */
export const whoByItself = (actor: string): string | null => {
  if (userIdIn(actor) !== null) return null
  if (actor === 'system') return 'Tuckshop'
  const [kind, ...name] = actor.split(':')
  const what = name.join(' ').replaceAll('-', ' ')
  return kind === 'job' ? `Tuckshop (${what})` : [kind, what].filter(Boolean).join(' ')
}

/** The user in an actor `user:<id>`; null when it is none. */
export const userIdIn = (actor: string): number | null => {
  const id = /^user:(\d{1,9})$/.exec(actor)?.[1]
  return id === undefined ? null : Number(id)
}
