import { type OpenPayment, openPayments } from '#contracts/open-payments'
import { endpointQuery } from '../../lib/endpoint-query'

/** What this user has yet to pay outside of the card provider; read again with the orders. */
export const openPaymentsQuery = {
  ...endpointQuery('ordering', openPayments, {}),
  staleTime: 30_000,
  select: ({ data }: { data: OpenPayment[] }) => data,
}
