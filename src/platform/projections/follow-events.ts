import { setTimeout as pause } from 'node:timers/promises'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import {
  beginning,
  type EventStore,
  EventStoreUnavailable,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { throttledWarnings } from '#platform/throttled-warnings'
import { isOutage } from '#platform/outage'
import { publicErrorText } from '#platform/public-error-text'
import type { Log } from '#platform/log'
import type { Lock, Locks } from '#platform/locks'
import { maintenanceLock } from '#platform/maintenance'
import { checkpointOf, moveCheckpoint } from './checkpoint'
import type { Standing } from './progress'
import { type StandBy, watchAsStandBy } from './stand-by'

export type FollowNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  locks: Locks
  now: Now
  log: Log
  /** Told when the database fails one that follows: once said for all of a process. */
  onOutage: (error: unknown) => void
}

/**
 * For readiness and metrics. `lagMs` is the age of the oldest event that is not taken in: where the plan is given a
 * `standing`, whoever follows, else of those in hand here; 0 when none waits.
 */
export type FollowStatus = {
  name: string
  /** This process is the one that follows; the others stand by. */
  active: boolean
  position: Position
  lagMs: number
  /** Why it does not get on, in words that anybody may read; null when it does. */
  failing: string | null
}

export type Following = { status: () => FollowStatus; close: () => Promise<void> }

export type FollowPlan = {
  /** The name of the checkpoint and of the lock. */
  name: string
  types?: readonly string[]
  batchSize: number
  /** So long it rests after a batch that was not full: a busy hour then comes in fewer, larger ones. */
  restMs?: number
  /**
   * How far the checkpoint is behind, whoever moves it: one that holds it back without getting on is relieved. Where
   * nothing is given, a watch of its own tells while another process follows.
   */
  standing?: () => Standing
  /** Told the checkpoint when this process begins to follow and after each batch, and null when it does not get on. */
  onPassed?: (position: Position | null) => void
  /** Does the work, moves the checkpoint from `from`, and answers where it is now. */
  handle: (events: RecordedEvent[], from: Position) => Promise<Position>
}

const failedMessage = 'following the events failed, to be tried again'

/** Says in one line, with their number, what the database's absence does to all that follow in this process. */
export const followersOutage = (log: Log): FollowNeeds['onOutage'] =>
  throttledWarnings((err, failures) => log.warn({ err, failures }, failedMessage))

const stillText = 'stands still: events wait and nobody takes them in'

class LockLost extends Error {
  override readonly name = 'LockLost'
}

const standByMs = 1_000
// Whoever holds the lock and lets the checkpoint stand still for so long behind an event loses it.
const relievedMs = 12_000
// For so long nobody moved it, though there was time to relieve whoever should.
const standsStillMs = 15_000
const firstPauseMs = 100
const maxPauseMs = 15_000

/** Where a following stands; `waitingSince` is the time of the oldest event in hand, and since when it is. */
type Progress = Pick<FollowStatus, 'active' | 'position' | 'failing'> & {
  waitingSince: number | null
  inHandSince: number | null
  /** Watches whoever follows, while that is another process. */
  standBy: StandBy | null
  pauseMs: number
}

/**
 * Follows the event store from a checkpoint, on one process at a time; the others stand by and take over. What fails
 * is tried again for ever, with growing pauses, and shows in the status.
 */
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
        // Somebody else follows, and what was in hand here is theirs.
        Object.assign(progress, { failing: null, waitingSince: null, inHandSince: null })
        if (!plan.standing) progress.standBy ??= watchAsStandBy(needs, plan)
        await rest(standByMs)
      }
    } catch (error) {
      progress.failing = publicErrorText(error)
      if (error instanceof EventStoreUnavailable) {
        // Said once for all that follow, by whoever opened the store.
        plan.onPassed?.(null)
        await rest(standByMs)
        continue
      }
      const { pauseMs } = progress
      // What passes with the next try is worth a command's wait.
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

/**
 * The lock, or null while somebody has it. It is taken from one that has shown no sign of life, and from one that has
 * not got on for as long as this process stands by; a rebuild, which stands still on purpose, keeps it.
 */
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
  // A batch that failed goes on failing until it has been handled; any other failure ends here.
  if (progress.waitingSince === null) progress.failing = null
  progress.active = true
  // While a batch is tried again nobody waits for it.
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
const keptEveryMs = 2_000

/**
 * Hands events of some types to `handle`, one after another, at least once each, on one process at a time. A failing
 * event is tried again until it succeeds; those behind it wait. A name that is new starts with the first event.
 */
export const startFollower = (
  needs: FollowNeeds & {
    name: string
    types: readonly string[]
    handle: (event: RecordedEvent) => Promise<void>
  },
): Following => {
  const { database, types, handle } = needs
  const name = `follower ${needs.name}`

  const handleEach = async (events: RecordedEvent[], from: Position): Promise<Position> => {
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
        // Whoever stands by sees that this one gets on.
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
    restMs: followerRestMs,
    handle: handleEach,
  })
}
