import { getReceipt } from '#contracts/receipts'
import { endpointQuery } from '../../lib/endpoint-query'

/** Asked again whenever it is opened: a credit note may have been made since. */
export const receiptQuery = (number: string) => ({
  ...endpointQuery('refunds', getReceipt, { params: { number } }),
  staleTime: 0,
})
