import type { HistoryEntry } from '#contracts/payments-console'

/** An attempt's id, or an order's: `118.2026-09-22.1`. */
const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d+\.\d{4}-\d\d-\d\d\.\d+/

/** The same for people who know names and dates: facts that are ids are left out. */
export const withoutIds = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  details: Object.fromEntries(Object.entries(entry.details).filter(([, text]) => !id.test(text))),
})
