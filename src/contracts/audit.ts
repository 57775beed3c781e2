import * as z from 'zod/mini'
import { endpoint, listQuery, calendarDay } from './endpoint'
import { historyEntry } from './payments-console'

/** What an entry of the history is about. */
export const auditKinds = [
  'checkout',
  'provider',
  'payment',
  'recovery',
  'order',
  'refund',
  'credit',
  'settings',
  'accounts',
  'catalogue',
  'cycles',
] as const
const auditKind = z.enum(auditKinds)
export type AuditKind = z.infer<typeof auditKind>

const changedValues = z.nullable(z.record(z.string(), z.unknown()))

/** What somebody changed: of the values before and after, those that differ; null: there was nothing, or it is secret. */
const changeDetails = z.object({ old: changedValues, new: changedValues })
export type ChangeDetails = z.infer<typeof changeDetails>

/** One thing that happened, with where it stands in the hash chain over all events. */
const auditEntry = z.object({
  ...historyEntry.shape,
  /** The event's id. */
  id: z.string(),
  kind: auditKind,
  details: z.union([historyEntry.shape.details, changeDetails]),
  attemptId: z.nullable(z.string()),
  orderId: z.nullable(z.string()),
  /** The event's number in the log, from 1; null for the moment until it is chained. */
  number: z.nullable(z.number()),
  hash: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const filters = {
  /** Days of school time, both included. */
  from: z.optional(calendarDay),
  to: z.optional(calendarDay),
  /** Part of a username, or of the name of what did it by itself. */
  who: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  kind: z.optional(auditKind),
  /** An order's or an attempt's id, or our reference of a payment: everything that belongs to it. */
  about: z.optional(z.string().check(z.trim(), z.maxLength(60))),
  /** Kwacha, as decimal digits. */
  minAmount: z.optional(z.string().check(z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Please enter an amount'))),
}

/** `time` is the order in which it was written down. */
export const entrySorts = ['time', 'kind', 'amount'] as const
export type EntrySort = (typeof entrySorts)[number]

/** 50 a page, newest first, unless asked otherwise. */
export const auditEntries = endpoint('GET', '/api/audit/entries', {
  query: z.object({ ...listQuery(entrySorts), ...filters }),
  reply: z.object({
    data: z.array(auditEntry),
    pagination: z.object({
      page: z.number(),
      totalEntries: z.number(),
      totalPages: z.number(),
      hasPreviousPage: z.boolean(),
      hasNextPage: z.boolean(),
    }),
  }),
})

/** The same entries as a CSV file, however many; each line carries its number and hash in the chain. */
export const auditExport = endpoint('GET', '/api/audit/export', {
  query: z.object(filters),
  reply: z.unknown(),
})

/** What is being done to the school as a whole at this moment, and since when (an instant); null for nothing. */
export const maintenanceNow = endpoint('GET', '/api/maintenance', {
  reply: z.object({
    running: z.nullable(
      z.object({ what: z.enum(['audit', 'backup', 'copy', 'rebuild', 'restore']), since: z.string() }),
    ),
  }),
})
