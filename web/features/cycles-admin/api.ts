import { keepPreviousData } from '@tanstack/react-query'
import {
  closeDays,
  cycleDays,
  getClosure,
  listClosures,
  previewClosure,
  undoClosure,
} from '#contracts/closures'
import {
  createCycle,
  deactivateCycle,
  isForEverybody,
  previewCycle,
  reactivateCycle,
  cycleHistory,
} from '#contracts/cycles'
import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import type { CallInput } from '../../lib/call'
import { endpointMutation, endpointQuery, refetchOnMount } from '../../lib/endpoint-query'

export const historyQuery = (query: QueryOf<typeof cycleHistory>) => ({
  ...endpointQuery('cycles', cycleHistory, { query }),
  placeholderData: keepPreviousData,
})

/** Refetched each time. */
export const planQuery = (body: CallInput<typeof previewCycle>['body']) => ({
  ...endpointQuery('cycles', previewCycle, { body }),
  staleTime: 0,
})

export const startCycle = endpointMutation(createCycle, 'cycles', 'ordering')
export const endCycle = endpointMutation(deactivateCycle, 'cycles', 'ordering')
export const resumeCycle = endpointMutation(reactivateCycle, 'cycles', 'ordering')

type Whom = { grades: Grade[]; classes: string[] }

export const daysQuery = (id: number) => ({
  ...endpointQuery('cycles', cycleDays, { params: { id } }),
  staleTime: 0,
})

/** `whom` null: everybody. */
export const closingQuery = (id: number, dates: string[], whom: Whom | null) => ({
  ...endpointQuery('cycles', previewClosure, { params: { id }, body: { dates, ...whom } }),
  enabled: dates.length > 0 && (whom === null || !isForEverybody(whom)),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

const atWorkMs = 1000

/** Polled every second while at work. */
export const closureQuery = (id: string) => ({
  ...endpointQuery('cycles', getClosure, { params: { id } }),
  staleTime: 0,
  refetchInterval: (query: { state: { data?: Closure } }) =>
    query.state.data && isAtWork(query.state.data) ? atWorkMs : (false as const),
})

export const closuresQuery = { ...endpointQuery('cycles', listClosures, {}), staleTime: refetchOnMount }

export type Closure = ReplyOf<typeof getClosure>

export const isAtWork = ({ done, total }: Pick<Closure, 'done' | 'total'>): boolean => done < total

/** What closing or opening days changes. */
export const closureContexts = ['cycles', 'ordering', 'refunds', 'payments'] as const
export const close = endpointMutation(closeDays, ...closureContexts)
export const undo = endpointMutation(undoClosure, ...closureContexts)
