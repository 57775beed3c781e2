import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { publicErrorText } from '#platform/public-error-text'
import { isOutage } from '#platform/outage'
import { batchProjector } from './batch-projector'
import type { FollowNeeds } from './follow-events'
import type { RowView } from './row-view'
import { catchUp, culpritsOf, putAside, viewsAside } from './views-aside'
import type { ViewAside } from './views-aside'

type Needs = Pick<FollowNeeds, 'database' | 'eventStore' | 'log'> & { views: readonly RowView[] }

// So often a batch fails before anybody is blamed: most faults pass.
const patience = 3
const tryAgainMs = 60_000

/**
 * Projects batch by batch, and puts aside a view that fails on one of them again and again, so that the others go on.
 * One that is aside tries to catch up when this process begins to project (as a mended program does after its start),
 * and every minute that brings events. When every view fails nobody is put aside: then the fault lies elsewhere.
 */
export const carefulProjector = ({ database: { pool }, eventStore, log, views }: Needs) => {
  let aside: ViewAside[] = []
  let triedAt = 0
  let failures = 0
  let project = batchProjector(pool, views)

  const remember = async () => {
    aside = await viewsAside(pool)
    const names = new Set(aside.map(({ view }) => view))
    project = batchProjector(
      pool,
      views.filter(({ table }) => !names.has(table)),
    )
  }

  const onLock = async () => {
    triedAt = 0
    await remember()
  }

  /** Views that are aside catch up to where the others are, so that they take the next batch with them. */
  const rejoin = async (position: Position) => {
    if (aside.length === 0) return
    if (Date.now() - triedAt < tryAgainMs) return remember()
    triedAt = Date.now()
    for (const one of aside) {
      const view = views.find(({ table }) => table === one.view)
      if (view === undefined) continue
      try {
        await catchUp({ pool, eventStore }, view, one, position)
        log.info({ view: view.table }, 'a read model that was put aside has caught up')
      } catch (error) {
        if (isOutage(error)) throw error
        log.error({ err: error, view: view.table }, 'a read model that was put aside still fails')
        await putAside(pool, { ...one, reason: publicErrorText(error) })
      }
    }
    await remember()
  }

  /** Answers false where nobody in particular is to blame. */
  const blame = async (events: RecordedEvent[], from: Position): Promise<boolean> => {
    const names = new Set(aside.map(({ view }) => view))
    const going = views.filter(({ table }) => !names.has(table))
    const culprits = await culpritsOf(pool, going, events)
    if (culprits.length === 0 || culprits.length === going.length) return false
    for (const { view, error } of culprits) {
      await putAside(pool, { view, position: from, reason: publicErrorText(error) })
      log.error({ err: error, view, position: from }, 'a read model is put aside, so that the others go on')
    }
    triedAt = Date.now()
    await remember()
    return true
  }

  const handle = async (events: RecordedEvent[], from: Position): Promise<Position> => {
    await rejoin(from)
    try {
      const to = await project(events, from)
      failures = 0
      return to
    } catch (error) {
      failures += 1
      if (isOutage(error) || failures < patience || !(await blame(events, from))) throw error
      failures = 0
      return project(events, from)
    }
  }

  return { onLock, handle }
}
