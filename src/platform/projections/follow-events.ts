import { setTimeout as pause } from 'node:timers/promises'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import { beginning } from '#platform/event-store/event-store'
import type { EventStore, Position, RecordedEvent } from '#platform/event-store/event-store'
import type { Log } from '#platform/log'
import type { Turn, Turns } from '#platform/turns'
import { checkpointOf } from './checkpoint'

export type FollowNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  turns: Turns
  now: Now
  log: Log
}

/** For readiness and metrics. `lagMs` is the age of the oldest event in hand, 0 when none waits here. */
export type FollowStatus = {
  name: string
  /** This process is the one that follows; the others stand by. */
  active: boolean
  position: Position
  lagMs: number
  /** Why it does not get on; null when it does. */
  failing: string | null
}

export type Following = { status: () => FollowStatus; close: () => Promise<void> }

export type FollowPlan = {
  /** The name of the checkpoint and of the turn. */
  name: string
  types?: readonly string[]
  batchSize: number
  /** Told the checkpoint when this process begins to follow and after each batch. */
  onPassed?: (position: Position) => void
  /** Does the work, moves the checkpoint from `from`, and answers where it is now. */
  handle: (events: RecordedEvent[], from: Position) => Promise<Position>
}

const standByMs = 1_000
const firstPauseMs = 100
const longestPauseMs = 15_000

/**
 * Follows the event store from a checkpoint, on one process at a time; the others stand by and take over. What fails
 * is tried again for ever, with growing pauses, and shows in the status.
 */
export const followEvents = (needs: FollowNeeds, plan: FollowPlan): Following => {
  const { database, eventStore, turns, now, log } = needs
  const closing = new AbortController()
  const closed = new Promise<void>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const state = {
    active: false,
    position: beginning,
    failing: null as string | null,
    waitingSince: null as number | null,
  }
  let pauseMs = firstPauseMs

  const deliver = async (events: RecordedEvent[]) => {
    state.waitingSince = Date.parse(events[0]!.metadata.at)
    state.position = await plan.handle(events, state.position)
    state.waitingSince = null
    state.failing = null
    pauseMs = firstPauseMs
    plan.onPassed?.(state.position)
  }

  const followDuring = async (turn: Turn) => {
    state.position = await checkpointOf(database.pool, plan.name)
    if (!(await eventStore.ping())) throw new Error('The event store does not answer')
    // A batch that failed goes on failing until it has been handled; any other failure ends here.
    if (state.waitingSince === null) state.failing = null
    state.active = true
    plan.onPassed?.(state.position)
    const { types, batchSize } = plan
    const subscription = eventStore.subscribe({ from: state.position, batchSize, types }, deliver)
    const lost = async () => {
      await turn.lost
      throw new Error('The turn was lost')
    }
    try {
      await Promise.race([subscription.done, lost(), closed])
    } finally {
      state.active = false
      await subscription.close()
    }
  }

  const once = async () => {
    const turn = await turns.take(plan.name)
    if (turn) return followDuring(turn).finally(turn.end)
    Object.assign(state, { failing: null, waitingSince: null })
    await rest(standByMs)
  }

  const rest = (ms: number) => pause(ms, undefined, { signal: closing.signal }).catch(() => undefined)

  const run = async () => {
    while (!closing.signal.aborted) {
      try {
        await once()
      } catch (error) {
        state.failing = error instanceof Error ? error.message : String(error)
        log.error(
          { err: error, follower: plan.name, pauseMs },
          'following the events failed and is tried again',
        )
        await rest(pauseMs)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }

  const running = run()
  const close = async () => {
    closing.abort()
    await running
  }
  const status = (): FollowStatus => ({
    name: plan.name,
    active: state.active,
    position: state.position,
    lagMs: state.waitingSince === null ? 0 : Math.max(0, now().getTime() - state.waitingSince),
    failing: state.failing,
  })
  return { status, close }
}
