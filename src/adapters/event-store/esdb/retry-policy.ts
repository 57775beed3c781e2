import { setTimeout as pause } from 'node:timers/promises'

/** How long one call may take and how long a call is repeated while the store fails for a passing reason. */
export type RetryPolicy = { callMs: number; totalMs: number }

export const defaultRetryPolicy: RetryPolicy = { callMs: 5_000, totalMs: 15_000 }

const firstPauseMs = 50
const longestPauseMs = 1_000

// Cancelled, unknown (also: no leader known), deadline exceeded, exhausted, aborted (the server's own deadline),
// internal (a broken connection), unavailable.
const passingCodes = new Set([1, 2, 4, 8, 10, 13, 14])

/** True for what another attempt may resolve: the server is away, busy, late, or not the leader any more. */
export const isPassing = (error: unknown): boolean => {
  const { type, code, message } = error as { type?: string; code?: number; message?: string }
  return (
    type === 'not-leader' ||
    (code !== undefined && passingCodes.has(code)) ||
    message?.startsWith('Failed to discover') === true
  )
}

/** Repeats `attempt` with growing pauses while it fails for a passing reason, for `totalMs` at most. */
export const withRetries = async <Result>(
  { totalMs }: RetryPolicy,
  closing: AbortSignal,
  attempt: () => Promise<Result>,
): Promise<Result> => {
  const start = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      const over = closing.aborted || performance.now() - start + pauseMs > totalMs
      if (over || !isPassing(error)) throw error
      await pause(pauseMs, undefined, { signal: closing }).catch(() => undefined)
    }
  }
}

/** Fails like an exceeded deadline when `work` takes longer than `ms`: the client has calls without a deadline. */
export const within = async <Result>(ms: number, work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer(ms)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export const noAnswer = (ms: number): Error =>
  Object.assign(new Error(`The event store did not answer within ${ms} ms`), { code: 4 })
