import { keepPreviousData, mutationOptions } from '@tanstack/react-query'
import { createCycle, cycleHistory, deactivateCycle, listCycles, reactivateCycle } from '#contracts/cycles'
import type { BodyOf } from '#contracts/endpoint'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'
import type { HistoryAsked } from './history/history-address'

export const cyclesQuery = endpointQuery('cycles', listCycles, {})

export const historyQuery = ({ page, year, cycleLength, sorting }: HistoryAsked) => ({
  ...endpointQuery('cycles', cycleHistory, {
    query: {
      page,
      ...sorting,
      ...(year === null ? {} : { year }),
      ...(cycleLength === null ? {} : { cycleLength }),
    },
  }),
  placeholderData: keepPreviousData,
})

export const startCycle = mutationOptions({
  mutationFn: (body: BodyOf<typeof createCycle>) => call(createCycle, { body }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'cycles', 'ordering'),
})

export const endCycle = mutationOptions({
  mutationFn: (id: number) => call(deactivateCycle, { params: { id } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'cycles', 'ordering'),
})

export const resumeCycle = mutationOptions({
  mutationFn: (id: number) => call(reactivateCycle, { params: { id } }),
  onSettled: (_data, _error, _input, _before, { client }) => refresh(client, 'cycles', 'ordering'),
})
