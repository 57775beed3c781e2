import { getPaymentBypass } from '#contracts/payments'
import { endpointQuery } from '../lib/endpoint-query'

export const waysToPayQuery = { ...endpointQuery('payments', getPaymentBypass, {}), staleTime: 30_000 }
