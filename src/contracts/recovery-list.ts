import * as z from 'zod/mini'
import { endpoint, pageMetadata } from './endpoint'
import { listQuery } from './list-query'
import { failedOrder, recoveryStatus } from './payments-console'
import { searchText } from './sorting'

/** `date` is when the payment was begun, `reference` what the card provider knows it by. */
export const recoverySorts = ['date', 'customer', 'amount', 'status', 'reference'] as const
export type RecoverySort = (typeof recoverySorts)[number]

/**
 * The failed attempts as Order Recovery lists them: 50 a page and newest first unless asked otherwise. `text` is found
 * in the customer's username, the students' names, the reference and the transaction id, without regard to case. A
 * filter that is absent takes all.
 */
export const listFailedOrders = endpoint('GET', '/api/payments/failed-orders/list', {
  query: z.object({
    ...listQuery(recoverySorts),
    status: z.optional(recoveryStatus),
    text: z.optional(searchText),
  }),
  reply: z.object({ data: z.array(failedOrder), metadata: pageMetadata }),
})
