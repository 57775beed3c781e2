import type { Knex } from 'knex'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import type { PersonalValues } from '#platform/event-store/sealed-events'
import type { FamilyPart } from '#platform/family-data'
import type { Route } from '#platform/http/route'
import type { JobWork } from '#platform/jobs/job'
import type { FamilyWords } from '#platform/names-in-texts'
import type { ContextViews } from '#platform/projections/projector'
import type { RowView } from '#platform/projections/row-view'
import type { Retention } from '#platform/retention'

/** Enqueues jobs for committed events, with ids from the event's. Named `do-x-when-y`. */
export type Reactor = {
  name: string
  types: readonly string[]
  react: (event: RecordedEvent) => Promise<void>
}

/** The same with the events of a second together, for what nobody waits for. What fails is repeated with all of them. */
export type BatchReactor = {
  name: string
  types: readonly string[]
  reactToAll: (events: readonly RecordedEvent[]) => Promise<void>
}

/** Finds due work every 5 s (real time, one worker); repeatable at any time. */
export type Sweep = { name: string; run: () => Promise<void> }

/** Records events in order, on one process at a time; never rebuilt. `write` moves its checkpoint in its transaction and answers it. */
export type Journal = {
  name: string
  batchSize: number
  write: (events: RecordedEvent[], from: Position) => Promise<Position>
}

/** Read on demand for `/metrics`; `label` splits it by a few values, never by person. */
export type Measure =
  | { name: string; help: string; label?: undefined; value: () => Promise<number> }
  | { name: string; help: string; label: string; values: () => Promise<Record<string, number>> }

/** `refusals` maps each code to its HTTP status. */
export type Module = {
  name: string
  routes: Route[]
  views: RowView[]
  /** The context of its views, where it differs from the module's name. */
  context?: string
  reactors: (Reactor | BatchReactor)[]
  jobs: JobWork[]
  sweeps: Sweep[]
  journals?: Journal[]
  measures?: Measure[]
  personal?: PersonalValues
  retentions?: Retention[]
  familyParts?: FamilyPart[]
  /** Takes these words out of what people typed, in the transaction that deletes a family. */
  forgetWords?: (transaction: Knex, words: FamilyWords) => Promise<void>
  refusals: Record<string, number>
}

export const contextsOf = (modules: readonly Module[]): ContextViews[] => {
  const contexts = new Map<string, RowView[]>()
  for (const { name, context = name, views } of modules)
    if (views.length > 0) contexts.set(context, [...(contexts.get(context) ?? []), ...views])
  return [...contexts].map(([name, views]) => ({ name, views }))
}
