import type { DomainEvent } from '#kernel/event'
import { balancesOf } from '#modules/audit/checks/balance.decide'
import { journalSums } from '#modules/audit/checks/journal-sums'
import { recordedEvents } from '../support/recorded-events'

/** A day after the samples happened. */
const nextDay = new Date('2026-09-16T06:00:00.000Z')
export const minutesLater = new Date('2026-09-15T06:30:00.000Z')

/** The balances that these events come to. */
export const audited = (events: readonly DomainEvent[], now = nextDay) => {
  const { add, sums } = journalSums()
  add(recordedEvents(...events))
  return balancesOf(sums, now)
}
/** The event with other data. */
export const changed = <Data extends object>(event: DomainEvent, change: Partial<Data>): DomainEvent => ({
  ...event,
  data: { ...(event.data as Data), ...change },
})
