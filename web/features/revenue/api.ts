import { keepPreviousData } from '@tanstack/react-query'
import { revenueStats } from '#contracts/revenue'
import { endpointQuery } from '../../lib/endpoint-query'

/** Read again whenever it is opened, and once more when it fails (administrator.md section 9). */
export const revenueQuery = (cycleId: number | null) => ({
  ...endpointQuery('ordering', revenueStats, { query: cycleId === null ? {} : { cycleId } }),
  staleTime: 0,
  retry: 1,
  placeholderData: keepPreviousData,
})
