import type { AuditEntry, AuditKind, ChangeDetails } from '#contracts/audit'
import type { HistoryEntry } from '#contracts/payments-console'
import { column, type RowOf } from '#kernel/column'
import { cutText } from '#kernel/cut-text'
import { userIdOf, type AnyEventType, type EventType } from '#kernel/event'
import type { SlotKey } from '#kernel/id'
import { kwachaFromNgwee, type Ngwee, decimalFromNgwee } from '#kernel/money'
import { clockTime, schoolMoment } from '#kernel/school-time'

export const entryColumns = {
  event_id: column<string>('uuid'),
  position: column<string>('text'),
  at: column<string | Date>('timestamptz'),
  actor: column<string>('text'),
  who: column<string | null>('text'),
  kind: column<AuditKind>('text'),
  what: column<string>('text'),
  amount: column<Ngwee | null>('bigint'),
  /** `told`: the amount is the order's price from then on. `taken`: it is the price as told last. */
  order_price: column<'told' | 'taken' | null>('text'),
  details: column<Record<string, string> | ChangeDetails>('jsonb'),
  attempt_id: column<string | null>('uuid'),
  reference: column<string | null>('text'),
  order_id: column<string | null>('text'),
  /** Set for events about a kept day rather than an order. */
  slot: column<string | null>('text'),
  transfer_id: column<string | null>('uuid'),
}
export type EntryRow = RowOf<typeof entryColumns>

/** `amount` in ngwee, from the order's price where the event has none. */
export type ShownEntry = Omit<EntryRow, 'at' | 'order_price' | 'reference' | 'slot' | 'transfer_id'> & {
  at: Date
  number: number | null
  hash: string | null
}

/** `YYYY-MM-DD HH:MM` on the school's clock. */
const schoolTime = (at: Date, zone: string): string => {
  const moment = schoolMoment(at, zone)
  return `${moment.date} ${clockTime(moment)}`
}

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

export const isChange = (details: Record<string, string | null> | ChangeDetails): details is ChangeDetails =>
  typeof details['old'] === 'object' && typeof details['new'] === 'object'

/** By mark: `user:12`, `student:5`, `item:3`, and `reason:<uuid>` of bulk actions and closures. */
export type Names = ReadonlyMap<string, string>

export const historyReply = (entry: ShownEntry, names: Names, zone: string): HistoryEntry => ({
  at: entry.at.toISOString(),
  schoolTime: schoolTime(entry.at, zone),
  who: entry.who ?? inWords(entry.actor, names),
  what: named(entry.what, names),
  amount: entry.amount === null ? null : kwachaFromNgwee(entry.amount),
  details: isChange(entry.details) ? {} : factsIn(entry.details, names, zone),
})

/** Marks in a sentence or fact: `{user:12}`, `{student:5}`, `{item:3}`, `{reason:…}`. */
const marked = /\{((?:user|student|item):\d{1,9}|reason:[0-9a-f-]{36})\}/g

const named = (text: string, names: Names): string =>
  text.replaceAll(marked, (_, mark: string) => inWords(mark, names))

const factsIn = (details: Record<string, string>, names: Names, zone: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([name, text]) => [
      name,
      instant.test(text) ? schoolTime(new Date(text), zone) : named(text, names),
    ]),
  )

export const entryReply = (entry: ShownEntry, names: Names, zone: string): AuditEntry => ({
  ...historyReply(entry, names, zone),
  ...(isChange(entry.details) && { details: entry.details }),
  id: entry.event_id,
  kind: entry.kind,
  attemptId: entry.attempt_id,
  orderId: entry.order_id,
  number: entry.number,
  hash: entry.hash,
})

const inWords = (mark: string, names: Names): string => {
  const name = names.get(mark)
  if (name !== undefined) return name
  const [kind, id] = mark.split(':')
  if (kind === 'user' && userIdOf(mark) !== null) return `user ${id}, whose account is gone`
  if (kind === 'reason') return 'the reason is not kept'
  return kind === 'student' || kind === 'item' ? `${kind} ${id}` : mark
}

/** Marks of everyone and everything an entry names. */
export const marksIn = ({ actor, what, details }: Pick<EntryRow, 'actor' | 'what' | 'details'>): string[] => [
  ...(userIdOf(actor) === null ? [] : [actor]),
  ...[what, ...(isChange(details) ? [] : Object.values(details))].flatMap((text) =>
    [...text.matchAll(marked)].flatMap(([, mark]) => mark ?? []),
  ),
]

/** `order-price` when the amount is the order's price, which the event lacks. ISO instants are shown in school time. */
type EntryText = {
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

export const spaced = (code: string): string => code.replaceAll(/[_-]/g, ' ')

const secrets: [pattern: RegExp, shown: (found: string) => string][] = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, (found) => `…${found.slice(-4)}`],
  [/[^\s<>"']+/g, (found) => (/[^@]@[^@]/.test(found) ? '(email address)' : found)],
  // Seven or more digits in any grouping, but no date.
  [/(?<![\d-])(?!\d{4}-\d\d-\d\d(?!\d))\+?\d(?:[ -]?\d){6,}/g, (found) => `…${found.slice(-4)}`],
]

const longest = 300

/** Masks foreign text for auditors: tokens, card and phone numbers to four characters, no emails or line breaks, at most 300 characters. */
export const redacted = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const safe = secrets.reduce((known, [pattern, shown]) => known.replaceAll(pattern, shown), flat)
  return safe.length > longest ? `${cutText(safe, longest)}…` : safe
}

const ids = [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/, /\d\.\d{4}-\d\d-\d\d\.\d/]

export const withoutIds = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  details: Object.fromEntries(
    Object.entries(entry.details).filter(([, text]) => !ids.some((id) => id.test(text))),
  ),
})
