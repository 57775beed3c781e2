import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lock, Locks } from '#platform/locks'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import { within } from '#platform/within'

type Needs = {
  locks: Locks
  log: Log
  /** Real time from the end of one run to the next; 5 s where nothing is said. */
  everyMs?: number | undefined
  /** So long a run may take; 60 s where nothing is said. */
  limitMs?: number | undefined
}

/** Says which sweeps failed the last time; `stop` resolves once none is running here. */
export type Sweeps = { failing: () => string[]; stop: () => Promise<void> }

const usuallyEveryMs = 5_000
const usuallyLimitMs = 60_000

/**
 * Runs each sweep by a timer of its own, on one process at a time: the others stand by and take over, also from one that
 * hangs. One that fails is logged and tried again the next time; one that takes too long is left alone, and may be begun
 * elsewhere.
 */
export const startSweeps = (sweeps: readonly Sweep[], needs: Needs): Sweeps => {
  const stopping = new AbortController()
  setMaxListeners(sweeps.length, stopping.signal)
  const failing = new Set<string>()
  const running = sweeps.map((sweep) => runUntil(stopping.signal, sweep, needs, failing))
  return {
    failing: () => [...failing],
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

const runUntil = async (
  signal: AbortSignal,
  { name, run }: Sweep,
  { locks, log, everyMs = usuallyEveryMs, limitMs = usuallyLimitMs }: Needs,
  failing: Set<string>,
): Promise<void> => {
  let lock: Lock | null = null
  const giveBack = async () => {
    await lock?.end()
    lock = null
  }
  for (;;) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return giveBack()
    try {
      lock ??= await held(locks, name, () => (lock = null))
      if (lock) await within(limitMs, run(), () => new Error(`It took longer than ${limitMs / 1000} s`))
      failing.delete(name)
    } catch (err) {
      failing.add(name)
      log.error({ err, sweep: name }, 'a sweep failed')
      await giveBack()
    }
  }
}

const held = async (locks: Locks, name: string, onLost: () => void): Promise<Lock | null> => {
  const lock = await locks.tryAcquire(`sweep ${name}`, { relieve: true })
  void lock?.lost.then(onLost)
  return lock
}
