import type { AuditKind, ChangeDetails } from '#contracts/audit'
import type { AnyEventType, EventType } from '#kernel/event'
import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import type { SlotKey } from '#kernel/id'

/**
 * `amount` is the money; `order-price` when it is the order's price, which the event lacks. Null details are left out; ISO instants are
 * shown in school time.
 */
export type EntryText = {
  what: string
  amount?: Ngwee | null | 'order-price'
  details?: Record<string, string | null> | ChangeDetails
}

type KindOf<Data> = AuditKind | ((data: Data) => AuditKind)

export type Words = {
  type: AnyEventType
  kindOf(data: unknown): AuditKind
  describe(data: unknown): EntryText
}

/** For example `words(orderCompleted, 'order', () => ({ what: 'Order marked as complete' }))`. */
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
  // Seven or more digits in any grouping, but no date.
  [/(?<![\d-])(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ -]?\d){6,}/g, (found) => `…${found.slice(-4)}`],
]

const longest = 300

/** Masks foreign text for auditors: tokens, card and phone numbers to four characters, no emails or line breaks, at most 300 characters. */
export const redacted = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const safe = secrets.reduce((known, [pattern, shown]) => known.replaceAll(pattern, shown), flat)
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe
}
