import * as z from 'zod/mini'
import { endpoint, listQuery, calendarDay } from './endpoint'
import { historyEntry } from './payments-console'

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

/** Only values that differ; null means absent before or after, or secret. */
const changeDetails = z.object({ old: changedValues, new: changedValues })
export type ChangeDetails = z.infer<typeof changeDetails>

const auditEntry = z.object({
  ...historyEntry.shape,
  id: z.string(),
  kind: auditKind,
  details: z.union([historyEntry.shape.details, changeDetails]),
  attemptId: z.nullable(z.string()),
  orderId: z.nullable(z.string()),
  /** The place in the hash chain, from 1; null until it is chained. */
  number: z.nullable(z.number()),
  hash: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof auditEntry>

const filters = {
  /** School days, both included. */
  from: z.optional(calendarDay),
  to: z.optional(calendarDay),
  /** Part of a username or of a job's name. */
  who: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  kind: z.optional(auditKind),
  /** An order id, an attempt id or our payment reference. */
  about: z.optional(z.string().check(z.trim(), z.maxLength(60))),
  /** Kwacha as decimal digits. */
  minAmount: z.optional(z.string().check(z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Please enter an amount'))),
}

export const entrySorts = ['time', 'kind', 'amount'] as const
export type EntrySort = (typeof entrySorts)[number]

/** 50 a page, newest first. */
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

export const auditExport = endpoint('GET', '/api/audit/export', {
  query: z.object(filters),
  reply: z.unknown(),
})

/** The maintenance that runs now, and since when (ISO instant); null for none. */
export const maintenanceNow = endpoint('GET', '/api/maintenance', {
  reply: z.object({
    running: z.nullable(
      z.object({ what: z.enum(['audit', 'backup', 'copy', 'rebuild', 'restore']), since: z.string() }),
    ),
  }),
})
