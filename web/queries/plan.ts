import { useQuery } from '@tanstack/react-query'
import { getPlan, type PlanReply } from '#contracts/plan'
import { endpointQuery } from '../lib/endpoint-query'
import { orderingRulesQuery } from './ordering'

const planQuery = { ...endpointQuery('ordering', getPlan, {}), staleTime: 30_000 }

/** Undefined while unknown, and where the school offers no plans. */
export const usePlan = (): PlanReply | undefined => {
  const { data: rules } = useQuery(orderingRulesQuery)
  return useQuery({ ...planQuery, enabled: rules?.plans === true }).data
}
