import { keepPreviousData, mutationOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened. */
export const refundsQuery = (query: QueryOf<typeof listRefunds>) => ({
  ...endpointQuery('refunds', listRefunds, { query }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

type Completed = { id: string; body: BodyOf<typeof completeRefund>; idempotencyKey: string }

export const complete = mutationOptions({
  mutationFn: ({ id, ...sent }: Completed) => call(completeRefund, { params: { id }, ...sent }),
  onSettled: (_data, _error, _input, _before, { client }) =>
    refresh(client, 'refunds', 'payments', 'ordering'),
})
