import type { JobWork } from '#platform/jobs/job'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import type { PersonalValues } from '#platform/event-store/sealed-events'
import type { Route } from '#platform/http/route'
import type { ContextViews } from '#platform/projections/projector'
import type { RowView } from '#platform/projections/row-view'
import type { Retention } from '#platform/retention'

/** Hears committed events and only enqueues jobs; their ids come from the event's id. Named `do-x-when-y`. */
export type Reactor = {
  name: string
  types: readonly string[]
  react: (event: RecordedEvent) => Promise<void>
}

/** Finds due work (every 5 s of real time, on one worker) and enqueues or repeats it; safe to run at any time. */
export type Sweep = { name: string; run: () => Promise<void> }

/**
 * Keeps a record of every committed event, in order, on one process at a time. `write` stores what it makes of a batch
 * and moves the checkpoint of that name from `from` in the same transaction, and answers where it is then. Unlike a
 * view it is never rebuilt.
 */
export type Journal = {
  name: string
  batchSize: number
  write: (events: RecordedEvent[], from: Position) => Promise<Position>
}

/**
 * A number for `/metrics`, looked up when asked for; with `label`, one number for each of its values, of which there
 * are few and none is a person's.
 */
export type Measure =
  | { name: string; help: string; label?: undefined; value: () => Promise<number> }
  | { name: string; help: string; label: string; values: () => Promise<Record<string, number>> }

/** What a module hands to `src/app`. `refusals` gives the HTTP status of each of its refusal codes. */
export type Module = {
  name: string
  routes: Route[]
  views: RowView[]
  reactors: Reactor[]
  jobs: JobWork[]
  sweeps: Sweep[]
  journals?: Journal[]
  measures?: Measure[]
  /** Where names and remarks of families stand in its events, by event type. */
  personal?: PersonalValues
  /** What is removed when it is old. */
  retentions?: Retention[]
  refusals: Record<string, number>
}

/** The contexts that have read models. */
export const contextsOf = (modules: readonly Module[]): ContextViews[] =>
  modules.filter(({ views }) => views.length > 0)
