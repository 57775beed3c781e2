import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/database'
import {
  beginning,
  type EventStore,
  EventStoreUnavailable,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { isOutage, publicErrorText } from '#platform/failures'
import type { Log } from '#platform/log'
import { maintenanceLock } from '#platform/maintenance'
import { throttledWarnings } from '#platform/pacing'
import type { Now, Lock, Locks } from '#platform/ports'
import { checkpointOf, moveCheckpoint, watchAsStandBy, type Standing, type StandBy } from './checkpoint'

export type FollowNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  locks: Locks
  now: Now
  log: Log
  /** Reports that the database fails the followers, once for the whole process. */
  onOutage: (error: unknown) => void
}

/** For readiness and metrics. `lagMs` is the age of the oldest event not yet handled; 0 when none waits. */
export type FollowStatus = {
  name: string
  /** True in the process that follows; the others stand by. */
  active: boolean
  position: Position
  lagMs: number
  /** Public text; null when it progresses. */
  failing: string | null
}

export type Following = { status: () => FollowStatus; close: () => Promise<void> }

export type FollowPlan = {
  /** Also names the lock. */
  name: string
  types?: readonly string[]
  batchSize: number
  /** Pauses after a batch that was not full: a busy hour then makes fewer, larger batches. */
  restMs?: number
  /** How far the checkpoint is behind, whichever process moves it. Without it, a standby process watches on its own. */
  standing?: () => Standing
  /** Gets the checkpoint at the start and after each batch, null while it fails. */
  onPassed?: (position: Position | null) => void
  /** Moves the checkpoint from `from` and answers the new one. */
  handle: (events: RecordedEvent[], from: Position) => Promise<Position>
}

const failedMessage = 'following the events failed, to be tried again'

export const followersOutage = (log: Log): FollowNeeds['onOutage'] =>
  throttledWarnings((err, failures) => log.warn({ err, failures }, failedMessage))

const stillText = 'stands still: events wait and nobody takes them in'

class LockLost extends Error {
  override readonly name = 'LockLost'
}

const standByMs = 1_000
// A holder whose checkpoint does not move for this long, with events waiting, loses its lock.
const relievedMs = 12_000
// Longer than relieving takes.
const standsStillMs = 15_000
const firstPauseMs = 100
const maxPauseMs = 15_000

/** `waitingSince` is the time of the oldest event in hand. */
type Progress = Pick<FollowStatus, 'active' | 'position' | 'failing'> & {
  waitingSince: number | null
  inHandSince: number | null
  standBy: StandBy | null
  pauseMs: number
}

/** Follows the event store from a checkpoint, on one process at a time. Retries failures for ever with growing pauses. */
export const followEvents = (needs: FollowNeeds, plan: FollowPlan): Following => {
  const progress: Progress = {
    active: false,
    position: beginning,
    failing: null,
    waitingSince: null,
    inHandSince: null,
    standBy: null,
    pauseMs: firstPauseMs,
  }
  const closing = new AbortController()
  const running = followUntil(closing.signal, needs, plan, progress)
  const close = async () => {
    closing.abort()
    await running
  }
  const status = (): FollowStatus => {
    const { active, position, waitingSince, inHandSince } = progress
    const standing = standingOf(plan, progress)
    const since = Math.min(waitingSince ?? Infinity, standing?.waitingSince ?? Infinity)
    const lagMs = since === Infinity ? 0 : Math.max(0, needs.now().getTime() - since)
    const inHandMs = inHandSince === null ? 0 : performance.now() - inHandSince
    const isStill = Math.max(inHandMs, standing?.standsStillMs ?? 0) >= standsStillMs
    const failing = progress.failing ?? (isStill ? stillText : null)
    return { name: plan.name, active, position, lagMs, failing }
  }
  return { status, close }
}

const standingOf = ({ standing }: FollowPlan, { standBy }: Progress): Standing | undefined =>
  standing?.() ?? standBy?.standing()

const followUntil = async (
  signal: AbortSignal,
  needs: FollowNeeds,
  plan: FollowPlan,
  progress: Progress,
): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined)
  let standsBySince: number | null = null
  while (!signal.aborted) {
    try {
      standsBySince ??= performance.now()
      const standsByMs = performance.now() - standsBySince
      const lock = await lockOf(needs, plan.name, standsByMs, standingOf(plan, progress))
      if (lock) {
        standsBySince = null
        await noLongerBy(progress)
        await followDuring(lock, { closed, rest }, needs, plan, progress).finally(lock.end)
      } else {
        // The events in hand are now another process's.
        Object.assign(progress, { failing: null, waitingSince: null, inHandSince: null })
        if (!plan.standing) progress.standBy ??= watchAsStandBy(needs, plan)
        await rest(standByMs)
      }
    } catch (error) {
      progress.failing = publicErrorText(error)
      if (error instanceof EventStoreUnavailable) {
        // Whoever opened the store reports it once.
        plan.onPassed?.(null)
        await rest(standByMs)
        continue
      }
      const { pauseMs } = progress
      // A command may wait for one retry.
      if (pauseMs > firstPauseMs) plan.onPassed?.(null)
      progress.pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      if (error instanceof LockLost || isOutage(error)) needs.onOutage(error)
      else needs.log.error({ err: error, follower: plan.name, pauseMs }, failedMessage)
      await rest(pauseMs)
    }
  }
  await noLongerBy(progress)
}

const noLongerBy = async (progress: Progress): Promise<void> => {
  await progress.standBy?.close()
  progress.standBy = null
}

/** Null while another process has it. Relieves a silent or stuck holder, but not a rebuild, which pauses on purpose. */
const lockOf = async (
  { locks, log }: FollowNeeds,
  name: string,
  standsByMs: number,
  standing: Standing | undefined,
): Promise<Lock | null> => {
  const lock = await locks.tryAcquire(name, { relieve: true })
  if (lock || !standing) return lock
  const isStill = Math.min(standsByMs, standing.standsStillMs) >= relievedMs
  if (!isStill || (await locks.isHeld(maintenanceLock))) return null
  log.warn({ follower: name }, 'whoever follows the events does not get on and is relieved')
  return locks.takeOver(name)
}

const followDuring = async (
  lock: Lock,
  { closed, rest }: { closed: Promise<void>; rest: (ms: number) => Promise<void> },
  { database, eventStore }: FollowNeeds,
  plan: FollowPlan,
  progress: Progress,
): Promise<void> => {
  progress.position = await checkpointOf(database.pool, plan.name)
  if (!(await eventStore.ping())) throw new EventStoreUnavailable('The event store does not answer')
  // A failed batch keeps the status failing until it is handled.
  if (progress.waitingSince === null) progress.failing = null
  progress.active = true
  if (progress.failing === null) plan.onPassed?.(progress.position)
  const { types, batchSize, restMs = 0 } = plan
  const onBatch = async (events: RecordedEvent[]) => {
    await handleBatch(events, plan, progress)
    if (restMs > 0 && events.length < batchSize) await rest(restMs)
  }
  const subscription = eventStore.subscribe({ from: progress.position, batchSize, types }, onBatch)
  const lost = async () => {
    await lock.lost
    throw new LockLost('The lock was lost')
  }
  try {
    await Promise.race([subscription.done, lost(), closed])
  } finally {
    progress.active = false
    await subscription.close()
  }
}

const handleBatch = async (events: RecordedEvent[], plan: FollowPlan, progress: Progress): Promise<void> => {
  progress.waitingSince = Date.parse(events[0]!.metadata.at)
  progress.inHandSince ??= performance.now()
  const position = await plan.handle(events, progress.position)
  Object.assign(progress, {
    position,
    waitingSince: null,
    inHandSince: null,
    failing: null,
    pauseMs: firstPauseMs,
  })
  plan.onPassed?.(position)
}

const followerBatch = 100
const followerRestMs = 50
const togetherRestMs = 1_000
const keptEveryMs = 2_000

/**
 * Hands events to `handle` one by one, or to `handleAll` as many as have come, at least once each, on one process at a time. Retries what
 * fails while the next ones wait.
 */
export const startFollower = (
  needs: FollowNeeds & {
    name: string
    types: readonly string[]
  } & (
      | { handle: (event: RecordedEvent) => Promise<void> }
      | { handleAll: (events: readonly RecordedEvent[]) => Promise<void> }
    ),
): Following => {
  const { database, types } = needs
  const name = `follower ${needs.name}`

  const handleTogether =
    (handleAll: (events: readonly RecordedEvent[]) => Promise<void>) =>
    async (events: RecordedEvent[], from: Position): Promise<Position> => {
      await handleAll(events)
      const to = events.at(-1)!.position
      await moveCheckpoint(database.pool, { name, from, to })
      return to
    }

  const handleEach =
    (handle: (event: RecordedEvent) => Promise<void>) =>
    async (events: RecordedEvent[], from: Position): Promise<Position> => {
      let kept = from
      let to = from
      let keptAt = performance.now()
      const keep = async () => {
        if (to !== kept) await moveCheckpoint(database.pool, { name, from: kept, to })
        kept = to
        keptAt = performance.now()
      }
      try {
        for (const event of events) {
          await handle(event)
          to = event.position
          // A standby process sees the progress.
          if (performance.now() - keptAt > keptEveryMs) await keep()
        }
      } finally {
        await keep()
      }
      return to
    }

  return followEvents(needs, {
    name,
    types,
    batchSize: followerBatch,
    ...('handle' in needs
      ? { restMs: followerRestMs, handle: handleEach(needs.handle) }
      : { restMs: togetherRestMs, handle: handleTogether(needs.handleAll) }),
  })
}
