import type { Now } from '#platform/clock'
import type { Log } from '#platform/log'
import type { StartError } from '#platform/start-error'

/** What the service is given beside its configuration. */
export type Environment = {
  log: Log
  now: Now
  /** The built web application; null to serve none. */
  webRoot: string | null
  /** True when the school is made up. */
  demo: boolean
  /** Real time from one round of sweeps to the next; 5 s where nothing is said. */
  sweepEveryMs?: number | undefined
  /** How long an answer waits for the views to show its write at most; 2 s where nothing is said. */
  viewsWaitMs?: number | undefined
  /** Told why when an event store that was away at the start is not this school's. */
  onRefused?: (error: StartError) => void
}
