import type { AuditEntry } from '#contracts/audit'
import type { HistoryEntry } from '#contracts/payments-console'
import { kwachaFromNgwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { ShownEntry } from './entry'
import { userIdIn } from './entry-words'

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** `YYYY-MM-DD HH:MM` as the school's clock shows it. */
const schoolTime = (at: Date, zone: string): string => {
  const { date, hour, minute } = schoolMoment(at, zone)
  return `${date} ${twoDigits(hour)}:${twoDigits(minute)}`
}

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** An entry as people read it; `usernames` by user id. */
export const historyReply = (
  entry: ShownEntry,
  usernames: ReadonlyMap<number, string>,
  zone: string,
): HistoryEntry => ({
  at: entry.at.toISOString(),
  schoolTime: schoolTime(entry.at, zone),
  who: entry.who ?? userWords(entry.actor, usernames),
  what: entry.what,
  amount: entry.amount === null ? null : kwachaFromNgwee(entry.amount),
  details: Object.fromEntries(
    Object.entries(entry.details).map(([name, text]) => [
      name,
      instant.test(text) ? schoolTime(new Date(text), zone) : text,
    ]),
  ),
})

/** The same for the list, with what it belongs to and its link of the chain. */
export const entryReply = (
  entry: ShownEntry,
  usernames: ReadonlyMap<number, string>,
  zone: string,
): AuditEntry => ({
  ...historyReply(entry, usernames, zone),
  id: entry.event_id,
  kind: entry.kind,
  attemptId: entry.attempt_id,
  orderId: entry.order_id,
  number: entry.number,
  hash: entry.hash,
})

const userWords = (actor: string, usernames: ReadonlyMap<number, string>): string => {
  const id = userIdIn(actor)
  return id === null ? actor : (usernames.get(id) ?? `user ${id}, whose account is gone`)
}
