import { keepPreviousData } from '@tanstack/react-query'
import { createCycle, cycleHistory, deactivateCycle, listCycles, reactivateCycle } from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

export const cyclesQuery = endpointQuery('cycles', listCycles, {})

export const historyQuery = (query: QueryOf<typeof cycleHistory>) => ({
  ...endpointQuery('cycles', cycleHistory, { query }),
  placeholderData: keepPreviousData,
})

export const startCycle = endpointMutation(createCycle, 'cycles', 'ordering')
export const endCycle = endpointMutation(deactivateCycle, 'cycles', 'ordering')
export const resumeCycle = endpointMutation(reactivateCycle, 'cycles', 'ordering')
