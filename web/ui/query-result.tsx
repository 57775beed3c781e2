import type { ReactNode } from 'react'
import { messageOf } from '../lib/call'
import { ErrorState } from './error-state'
import { SkeletonLines } from './skeleton'

/** As much of a TanStack query result as this component looks at. */
export type QueryState<Data> = {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

/** Two queries drawn as one: full when both are, failed when one is. */
export const combinedQuery = <One, Other>(
  one: QueryState<One>,
  other: QueryState<Other>,
): QueryState<readonly [One, Other]> => ({
  data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
  error: one.error ?? other.error,
  isFetching: one.isFetching || other.isFetching,
  refetch: () => Promise.all([one.refetch(), other.refetch()]),
})

type QueryResultProps<Data> = {
  query: QueryState<Data>
  /** The data. Also drawn while a newer answer is fetched or when fetching it failed. */
  children: (data: Data) => ReactNode
  waiting?: ReactNode
  /** The title of the error, in the spec's words. */
  failure: string
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
}

/** A query as loading, error, empty or data. Every query is drawn by this and by nothing else. */
export const QueryResult = <Data,>({
  query,
  children,
  waiting = <SkeletonLines />,
  failure,
  isEmpty,
  empty,
}: QueryResultProps<Data>) => {
  if (query.data !== undefined) return isEmpty?.(query.data) ? empty : children(query.data)
  if (query.error)
    return (
      <ErrorState
        title={failure}
        detail={detailOf(query.error, failure)}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  return waiting
}

/** The server's own words, unless the title says them already. */
const detailOf = (error: Error, title: string) => {
  const detail = messageOf(error, error.message)
  return title.includes(detail) ? undefined : detail
}
