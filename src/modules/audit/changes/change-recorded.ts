import { z } from 'zod'
import { eventType } from '#kernel/event'
import { rowId } from '#kernel/id'

const values = z.nullable(z.record(z.string(), z.json()))

/** Somebody changed settings, accounts, the menu or cycles, which are tables; `old` and `new` hold what differs. */
export const changeRecorded = eventType(
  'audit.change-recorded.v1',
  z.strictObject({
    kind: z.enum(['settings', 'accounts', 'catalogue', 'cycles']),
    what: z.string(),
    old: values,
    new: values,
    userId: rowId.optional(),
  }),
)

/** A stream per change: independent of others, and appended once however often retried. */
export const changeStream = (id: string): string => `change-${id}`
