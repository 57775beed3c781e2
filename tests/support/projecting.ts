import { postgresLocks } from '../../src/adapters/postgres/locks'
import {
  followersOutage,
  startFollower,
  type FollowNeeds,
  type FollowStatus,
} from '#platform/projections/follow-events'
import { startProjectors, type ContextViews, type Projectors } from '#platform/projections/projector'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { RowView } from '#platform/projections/row-view'
import type { Locks } from '#platform/ports'
import { exampleViews } from './example-view'
import { heardLog } from './captured-log'
import { storeProcess, type StoreProcess } from './postgres-store'

/** The projector of one context. */
type ExampleProjector = Omit<Projectors, 'status'> & { status: () => FollowStatus }

/** A process on the example tables, that can project and follow; `close` ends whatever it started. */
export type ExampleProcess = StoreProcess & {
  locks: Locks
  onOutage: FollowNeeds['onOutage']
  log: ReturnType<typeof heardLog>
  project: (views?: readonly RowView[]) => ExampleProjector
  projectContexts: (...contexts: ContextViews[]) => Projectors
  follow: (
    name: string,
    types: readonly string[],
    handle: (event: RecordedEvent) => Promise<void>,
  ) => ReturnType<typeof startFollower>
  followAll: (
    name: string,
    types: readonly string[],
    handleAll: (events: readonly RecordedEvent[]) => Promise<void>,
  ) => ReturnType<typeof startFollower>
}

/** The school's clock in these tests: a minute after every recorded event. */
export const aMinuteLater = () => new Date('2026-09-16T07:01:00.000Z')

export const exampleProcess = async (url: string): Promise<ExampleProcess> => {
  const base = await storeProcess(url)
  const log = heardLog()
  const locks = postgresLocks({ pool: base.database.pool })
  const onOutage = followersOutage(log)
  const needs = { ...base, eventStore: base.store, locks, log, onOutage, now: aMinuteLater }
  const started: { close: () => Promise<void> }[] = []
  const kept = <Started extends { close: () => Promise<void> }>(one: Started): Started => {
    started.push(one)
    return one
  }
  return {
    ...base,
    locks,
    log,
    onOutage,
    project: (views = exampleViews) => {
      const projectors = kept(startProjectors({ ...needs, contexts: [{ name: 'example', views }] }))
      return { ...projectors, status: () => projectors.status().example! }
    },
    projectContexts: (...contexts) => kept(startProjectors({ ...needs, contexts })),
    follow: (name, types, handle) => kept(startFollower({ ...needs, name, types, handle })),
    followAll: (name, types, handleAll) => kept(startFollower({ ...needs, name, types, handleAll })),
    close: async () => {
      await Promise.all(started.map(({ close }) => close()))
      await locks.close()
      await base.close()
    },
  }
}
