/**
 * Whether a service is asked at all; `until` (ms) is when asking again may help. `trying`: one call is on its way to see
 * whether it works again.
 */
export type Breaker = { status: 'closed'; failures: number } | { status: 'open' | 'trying'; until: number }

/** How a call was let through, and how it ended: `hopeless` will not get better by asking again. */
export type Pass = 'usual' | 'trial'
export type Outcome = 'works' | 'failed' | 'hopeless'

export const closedBreaker: Breaker = { status: 'closed', failures: 0 }

const mostFailures = 5
const pauseMs = 60_000

/** Whether a call may go out at this instant (ms); a `pass` of null: no. */
export const admit = (breaker: Breaker, at: number): { breaker: Breaker; pass: Pass | null } => {
  switch (breaker.status) {
    case 'closed':
      return { breaker, pass: 'usual' }
    case 'open':
      if (at < breaker.until) return { breaker, pass: null }
      return { breaker: { status: 'trying', until: at + pauseMs }, pass: 'trial' }
    case 'trying':
      return { breaker, pass: null }
  }
}

/**
 * How a call ended: 5 failures in a row, a hopeless one or a failed trial open the breaker for 60 s; a success closes
 * it. A failure of a call that set out before it opened changes nothing any more.
 */
export const record = (breaker: Breaker, pass: Pass, outcome: Outcome, at: number): Breaker => {
  if (outcome === 'works') return closedBreaker
  const open: Breaker = { status: 'open', until: at + pauseMs }
  if (pass === 'trial') return open
  if (breaker.status !== 'closed') return breaker
  const failures = breaker.failures + 1
  return outcome === 'hopeless' || failures >= mostFailures ? open : { status: 'closed', failures }
}
