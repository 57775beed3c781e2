import type { AuditKind, ChangeDetails } from '#contracts/audit'
import type { AnyEventType, EventType } from '#kernel/event'
import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import type { SlotKey } from '#kernel/id'

/**
 * An event in words. `amount` is the money it is about; `order-price` where that is the price of its order, which the
 * event does not say. Details with null are left out; instants in them are ISO text, shown in school time.
 */
export type EntryText = {
  what: string
  amount?: Ngwee | null | 'order-price'
  details?: Record<string, string | null> | ChangeDetails
}

type KindOf<Data> = AuditKind | ((data: Data) => AuditKind)

/** What an entry says of one event type. */
export type Words = {
  type: AnyEventType
  kindOf(data: unknown): AuditKind
  describe(data: unknown): EntryText
}

/** Ties words to an event type: `words(orderCompleted, 'order', () => ({ what: 'Order marked as complete' }))`. */
export const words = <Name extends string, Data>(
  type: EventType<Name, Data>,
  kind: KindOf<Data>,
  describe: (data: Data) => EntryText,
): Words => ({ type, kindOf: typeof kind === 'function' ? kind : () => kind, describe })

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

export const kwacha = (amount: Ngwee): string => `K${decimalFromNgwee(amount)}`

export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

export const dayOf = ({ week, day }: SlotKey): string => `week ${week}, ${weekdays[day - 1]}`

/** `wrong_amount` → `wrong amount`. */
export const spaced = (code: string): string => code.replaceAll(/[_-]/g, ' ')

const secrets: [pattern: RegExp, shown: (found: string) => string][] = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, (found) => `…${found.slice(-4)}`],
  [/[^\s@<>"']+@[^\s@<>"']+/g, () => '(e-mail address)'],
  // Seven digits or more, however grouped; a date is none.
  [/(?<![\d-])(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ -]?\d){6,}/g, (found) => `…${found.slice(-4)}`],
]

const longest = 300

/**
 * Free text from outside as an auditor may see it: tokens, card and phone numbers down to their last four characters,
 * no e-mail addresses, no line breaks, at most 300 characters.
 */
export const redacted = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const safe = secrets.reduce((known, [pattern, shown]) => known.replaceAll(pattern, shown), flat)
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe
}
