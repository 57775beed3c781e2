import { userIdOf } from '#kernel/actor'
import type { AuditEntry, AuditKind, ChangeDetails } from '#contracts/audit'
import type { HistoryEntry } from '#contracts/payments-console'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { clockTime, schoolMoment } from '#kernel/school-time'

/** One event of the log in words, and what it belongs to; `amount` in ngwee. */
export type EntryRow = {
  event_id: string
  position: string
  at: string | Date
  actor: string
  /** Who it was, where it was no user. */
  who: string | null
  kind: AuditKind
  what: string
  amount: Ngwee | null
  /** The amount is the price of the order, which the event does not carry. */
  takes_order_price: boolean
  details: Record<string, string> | ChangeDetails
  attempt_id: string | null
  order_id: string | null
  /** The meal slot, where the event is about a day that is kept and not about an order. */
  slot: string | null
  /** The payment outside of the card provider that it is, or that paid for its order. */
  transfer_id: string | null
}

/** An entry as it is shown: `amount` in ngwee, the order's price where the event does not say; and its link. */
export type ShownEntry = Omit<EntryRow, 'at' | 'takes_order_price' | 'slot' | 'transfer_id'> & {
  at: Date
  number: number | null
  hash: string | null
}

/** `YYYY-MM-DD HH:MM` as the school's clock shows it. */
const schoolTime = (at: Date, zone: string): string => {
  const moment = schoolMoment(at, zone)
  return `${moment.date} ${clockTime(moment)}`
}

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** Whether details are values before and after, and not facts by name. */
export const isChange = (details: Record<string, string | null> | ChangeDetails): details is ChangeDetails =>
  typeof details['old'] === 'object' && typeof details['new'] === 'object'

/**
 * What users, students and items are called, by the mark under which a sentence names them: `user:12`, `student:5`, `item:3`;
 * and the reason of an act on many orders or of a closure, by its UUID: `reason:…`.
 */
export type Names = ReadonlyMap<string, string>

/** An entry of an attempt or an order as people read it. */
export const historyReply = (entry: ShownEntry, names: Names, zone: string): HistoryEntry => ({
  at: entry.at.toISOString(),
  schoolTime: schoolTime(entry.at, zone),
  who: entry.who ?? inWords(entry.actor, names),
  what: entry.what.replaceAll(marked, (_, mark: string) => inWords(mark, names)),
  amount: entry.amount === null ? null : kwachaFromNgwee(entry.amount),
  details: isChange(entry.details) ? {} : factsIn(entry.details, zone),
})

/** A sentence names an account as `{user:12}`, a child as `{student:5}`, a menu item as `{item:3}`, a reason as `{reason:…}`. */
const marked = /\{((?:user|student|item):\d{1,9}|reason:[0-9a-f-]{36})\}/g

const factsIn = (details: Record<string, string>, zone: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(details).map(([name, text]) => [
      name,
      instant.test(text) ? schoolTime(new Date(text), zone) : text,
    ]),
  )

/** The same for the list, with what it belongs to and its link of the chain. */
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

/** The marks of whom and what an entry names. */
export const marksIn = ({ actor, what }: Pick<EntryRow, 'actor' | 'what'>): string[] => [
  ...(userIdOf(actor) === null ? [] : [actor]),
  ...[...what.matchAll(marked)].flatMap(([, mark]) => mark ?? []),
]
