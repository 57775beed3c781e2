import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contracts/endpoint'
import { call, type CallInput } from './call'

/** The context that owns the data; a change refreshes everything read from the contexts it touched. */
export type DataContext = 'identity' | 'catalogue' | 'cycles' | 'ordering' | 'payments' | 'refunds'

/** A read of the contract as query options: one value for components, loaders and tests. Key: context, path, input. */
export const endpointQuery = <E extends Endpoint>(context: DataContext, endpoint: E, input: CallInput<E>) =>
  queryOptions({
    queryKey: [
      context,
      endpoint.path,
      input.params ?? null,
      input.query ?? null,
      input.body ?? null,
    ] as QueryKey,
    queryFn: ({ signal }): Promise<ReplyOf<E>> => call(endpoint, { ...input, signal }),
  })

/** Reads again, now, whatever is on screen from these contexts; the rest when it is next shown. */
export const refresh = async (client: QueryClient, ...contexts: DataContext[]): Promise<void> => {
  await Promise.all(contexts.map((context) => client.invalidateQueries({ queryKey: [context] })))
}
