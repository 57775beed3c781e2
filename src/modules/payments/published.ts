import { z } from 'zod'
import { eventType } from '#kernel/event'
import { rowId } from '#kernel/id'

export * from './attempt/events'

/** The unpaid meals of an account were counted for this checkout, which orders more: the next one counts them too. */
export const unpaidMealsCounted = eventType(
  'payments.unpaid-meals-counted.v1',
  z.strictObject({ userId: rowId, attemptId: z.uuid(), at: z.iso.datetime() }),
)
