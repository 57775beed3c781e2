import type { Now } from '#platform/ports'
import type { Log } from '#platform/log'
import type { StartError } from '#platform/failures'

export type Environment = {
  log: Log
  now: Now
  webRoot: string | null
  demo: boolean
  /** Time between sweep rounds; 5 s by default. */
  sweepEveryMs?: number | undefined
  /** How long an answer waits for views at most; 2 s by default. */
  viewsWaitMs?: number | undefined
  /** Called when an event store that was away turns out to be another school's. */
  onRefused?: (error: StartError) => void
}
