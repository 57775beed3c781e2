import { useQuery } from '@tanstack/react-query'
import { cancelTextsOf } from '#contracts/cancel-texts'
import { getCredit } from '#contracts/credit'
import { myDiscounts } from '#contracts/discounts'
import { getOrderingRules } from '#contracts/ordering'
import { openPayments, type OpenPayment } from '#contracts/payments'
import { endpointQuery } from '../lib/endpoint-query'
import { calendarCutoffQuery } from './cycles'

// Same as the cutoff's.
const rulesStaleMs = 5 * 60_000

/** What families may do with their orders, and how their money goes back then. */
export const orderingRulesQuery = {
  ...endpointQuery('ordering', getOrderingRules, {}),
  staleTime: rulesStaleMs,
}

/** Undefined while unknown: then say no rule. */
export const useCancelTexts = (): ReturnType<typeof cancelTextsOf> | undefined => {
  const rules = useQuery(orderingRulesQuery).data
  const cutoff = useQuery(calendarCutoffQuery).data
  return rules && cutoff && cancelTextsOf(rules.cancelUntil, cutoff)
}

/** What the family may spend, and how it came to that. */
export const creditQuery = { ...endpointQuery('ordering', getCredit, {}), staleTime: 30_000 }

/** Of the account and of each child. */
export const discountsQuery = { ...endpointQuery('ordering', myDiscounts, {}), staleTime: 30_000 }

/** What the family has ordered and still has to pay itself. */
export const openPaymentsQuery = {
  ...endpointQuery('ordering', openPayments, {}),
  staleTime: 30_000,
  select: ({ data }: { data: OpenPayment[] }) => data,
}
