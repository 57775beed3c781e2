import { getPaymentBypass } from '#contracts/payments'
import { endpointQuery } from '../lib/endpoint-query'

/** The ways to pay outside of the card provider. */
export const waysToPayQuery = { ...endpointQuery('payments', getPaymentBypass, {}), staleTime: 30_000 }
