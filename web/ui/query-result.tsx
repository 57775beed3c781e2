import type { ReactNode } from 'react'
import { messageOf, NoAnswer } from '../lib/call'
import { classes } from '../lib/classes'
import { Button } from './button'
import { Icon, type IconName } from './icon'

/** Fields of a TanStack Query result used here. */
export type QueryState<Data> = {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

/** Complete when both are; failed when one is. */
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
  children: (data: Data) => ReactNode
  waiting?: ReactNode
  /** Error title, in the spec's words. */
  failure: string
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
}

/** Loading, error, empty or data: every query is drawn by this. */
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

/** Unless the title says the same; never an address of a call or a parser's words. */
const detailOf = (error: Error, title: string) => {
  const unread = 'The answer could not be read. Please check your connection and try again.'
  const detail = messageOf(error, unread, error instanceof NoAnswer ? error.message : unread)
  return title.includes(detail) ? undefined : detail
}

type EmptyStateProps = {
  title: string
  children?: ReactNode
  icon?: IconName
  action?: ReactNode
  /** Renders the title as the page's heading. */
  page?: boolean
}

/** What is missing and what to do. */
export const EmptyState = ({ title, children, icon = 'bowl', action, page }: EmptyStateProps) => {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-10 text-center">
      <span className="plate">
        <Icon name={icon} size="xl" />
      </span>
      <Title className="font-display text-xl font-semibold">{title}</Title>
      {children ? <div className="max-w-form text-muted">{children}</div> : null}
      {action}
    </div>
  )
}

type ErrorStateProps = { title: string; detail?: string; onRetry?: () => void; retrying?: boolean }

export const ErrorState = ({ title, detail, onRetry, retrying }: ErrorStateProps) => (
  <div
    role="alert"
    className="flex flex-col items-center gap-3 rounded-lg border border-danger-200 bg-danger-50 px-4 py-8 text-center"
  >
    <Icon name="alert" size="xl" className="text-danger-600" />
    <p className="font-semibold text-danger-700">{title}</p>
    {detail ? <p className="max-w-form text-sm break-words text-sand-800">{detail}</p> : null}
    {onRetry ? (
      <Button variant="secondary" icon="refresh" onClick={onRetry} busy={retrying}>
        Try again
      </Button>
    ) : null}
  </div>
)

/** Placeholder in final size, given by class. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={classes('animate-skeleton rounded-md bg-sand-200', className)} />
)

/** Lines with one announcement. */
export const SkeletonLines = ({ lines = 3, className = 'h-12' }: { lines?: number; className?: string }) => (
  <output className="flex flex-col gap-3">
    <span className="sr-only">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <Skeleton key={line} className={className} />
    ))}
  </output>
)

/** For first load and busy buttons; else use Skeleton. */
export const Spinner = () => (
  <output className="inline-flex items-center">
    <Icon name="refresh" className="animate-spin" />
    <span className="sr-only">Loading</span>
  </output>
)

/** When nothing else can be shown. */
export const PageSpinner = () => (
  <div className="grid min-h-dvh place-items-center text-brand-700">
    <Spinner />
  </div>
)
