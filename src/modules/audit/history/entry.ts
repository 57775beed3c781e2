import { userIdOf } from '#kernel/actor'
import type { AuditEntry, AuditKind, ChangeDetails } from '#contracts/audit'
import type { HistoryEntry } from '#contracts/payments-console'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { clockTime, schoolMoment } from '#kernel/school-time'

export type EntryRow = {
  event_id: string
  position: string
  at: string | Date
  actor: string
  who: string | null
  kind: AuditKind
  what: string
  amount: Ngwee | null
  /** The amount is the order's price, which the event does not carry. */
  takes_order_price: boolean
  details: Record<string, string> | ChangeDetails
  attempt_id: string | null
  order_id: string | null
  /** Set for events about a kept day rather than an order. */
  slot: string | null
  /** The transfer itself, or the one that paid the order. */
  transfer_id: string | null
}

/** `amount` in ngwee, from the order's price where the event has none. */
export type ShownEntry = Omit<EntryRow, 'at' | 'takes_order_price' | 'slot' | 'transfer_id'> & {
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

/**
 * Names of users, students and items by mark (`user:12`, `student:5`, `item:3`), and reasons of bulk acts and closures (`reason:<uuid>`).
 */
export type Names = ReadonlyMap<string, string>

export const historyReply = (entry: ShownEntry, names: Names, zone: string): HistoryEntry => ({
  at: entry.at.toISOString(),
  schoolTime: schoolTime(entry.at, zone),
  who: entry.who ?? inWords(entry.actor, names),
  what: entry.what.replaceAll(marked, (_, mark: string) => inWords(mark, names)),
  amount: entry.amount === null ? null : kwachaFromNgwee(entry.amount),
  details: isChange(entry.details) ? {} : factsIn(entry.details, zone),
})

/** Marks in a sentence: `{user:12}`, `{student:5}`, `{item:3}`, `{reason:…}`. */
const marked = /\{((?:user|student|item):\d{1,9}|reason:[0-9a-f-]{36})\}/g

const factsIn = (details: Record<string, string>, zone: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([name, text]) => [
      name,
      instant.test(text) ? schoolTime(new Date(text), zone) : text,
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
export const marksIn = ({ actor, what }: Pick<EntryRow, 'actor' | 'what'>): string[] => [
  ...(userIdOf(actor) === null ? [] : [actor]),
  ...[...what.matchAll(marked)].flatMap(([, mark]) => mark ?? []),
]
