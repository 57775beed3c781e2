import { keepPreviousData } from '@tanstack/react-query'
import {
  createCycle,
  cycleHistory,
  deactivateCycle,
  listCycles,
  previewCycle,
  reactivateCycle,
} from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import type { CallInput } from '../../lib/call'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

export const cyclesQuery = endpointQuery('cycles', listCycles, {})

export const historyQuery = (query: QueryOf<typeof cycleHistory>) => ({
  ...endpointQuery('cycles', cycleHistory, { query }),
  placeholderData: keepPreviousData,
})

/** What creating this cycle would mean, read anew whenever it is asked. */
export const planQuery = (body: CallInput<typeof previewCycle>['body']) => ({
  ...endpointQuery('cycles', previewCycle, { body }),
  staleTime: 0,
})

export const startCycle = endpointMutation(createCycle, 'cycles', 'ordering')
export const endCycle = endpointMutation(deactivateCycle, 'cycles', 'ordering')
export const resumeCycle = endpointMutation(reactivateCycle, 'cycles', 'ordering')
