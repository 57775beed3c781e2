import { queryOptions } from '@tanstack/react-query'
import { getCredit } from '#contracts/credit'
import { myDiscountCode } from '#contracts/discount-codes'
import { call, CallError } from '../../lib/call'
import { endpointQuery } from '../../lib/endpoint-query'
import { takeSent } from '../../lib/sent'

const staleMs = 30_000

/** The discount code of this user, or null without one. */
export const discountQuery = queryOptions({
  queryKey: ['ordering', myDiscountCode.path],
  initialData: () => takeSent(myDiscountCode),
  queryFn: async ({ signal }) => {
    try {
      return await call(myDiscountCode, { signal })
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null
      throw error
    }
  },
})

/** What the family may spend, and how it came to that. */
export const creditQuery = { ...endpointQuery('ordering', getCredit, {}), staleTime: staleMs }
