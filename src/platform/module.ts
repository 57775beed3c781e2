import type { JobWork } from '#platform/jobs/job'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import type { PersonalValues } from '#platform/event-store/sealed-events'
import type { Route } from '#platform/http/route'
import type { ContextViews } from '#platform/projections/projector'
import type { RowView } from '#platform/projections/row-view'
import type { Retention } from '#platform/retention'

/** Enqueues jobs for committed events, with ids from the event's. Named `do-x-when-y`. */
export type Reactor = {
  name: string
  types: readonly string[]
  react: (event: RecordedEvent) => Promise<void>
}

/** Finds due work every 5 s (real time, one worker); repeatable at any time. */
export type Sweep = { name: string; run: () => Promise<void> }

/**
 * Records every committed event in order, on one process at a time. `write` stores a batch and moves its checkpoint from `from` in one
 * transaction, and answers the new position. Never rebuilt.
 */
export type Journal = {
  name: string
  batchSize: number
  write: (events: RecordedEvent[], from: Position) => Promise<Position>
}

/** A number for `/metrics`, read on demand; `label` splits it by a few values that are no person's. */
export type Measure =
  | { name: string; help: string; label?: undefined; value: () => Promise<number> }
  | { name: string; help: string; label: string; values: () => Promise<Record<string, number>> }

/** `refusals` maps each code to its HTTP status. */
export type Module = {
  name: string
  routes: Route[]
  views: RowView[]
  /** The context in which its views stand, where that has another name than the module. */
  context?: string
  reactors: Reactor[]
  jobs: JobWork[]
  sweeps: Sweep[]
  journals?: Journal[]
  measures?: Measure[]
  personal?: PersonalValues
  retentions?: Retention[]
  refusals: Record<string, number>
}

export const contextsOf = (modules: readonly Module[]): ContextViews[] => {
  const contexts = new Map<string, RowView[]>()
  for (const { name, context = name, views } of modules)
    if (views.length > 0) contexts.set(context, [...(contexts.get(context) ?? []), ...views])
  return [...contexts].map(([name, views]) => ({ name, views }))
}
