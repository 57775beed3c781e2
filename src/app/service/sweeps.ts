import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lock, Locks } from '#platform/ports'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import { withTimeout } from '#platform/pacing'

type Needs = {
  locks: Locks
  log: Log
  /** Pause between runs; 5 s by default. */
  everyMs?: number | undefined
  /** Time limit of a run; 60 s by default. */
  limitMs?: number | undefined
}

/** `failing` lists sweeps whose last run failed; `stop` waits for running ones. */
export type Sweeps = { failing: () => string[]; stop: () => Promise<void> }

const usuallyEveryMs = 5_000
const usuallyLimitMs = 60_000

/** Each sweep runs on one process at a time; others take over, also from a hung one. An overlong run is abandoned. */
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
      if (lock) await withTimeout(limitMs, run(), () => new Error(`It took longer than ${limitMs / 1000} s`))
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
