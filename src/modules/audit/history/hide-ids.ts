import type { HistoryEntry } from '#contracts/payments-console'

const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d+\.\d{4}-\d\d-\d\d\.\d+/

/** Details that are ids are left out for readers who know names and dates. */
export const withoutIds = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  details: Object.fromEntries(Object.entries(entry.details).filter(([, text]) => !id.test(text))),
})
