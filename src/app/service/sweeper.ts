import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'

const usuallyEveryMs = 5_000

/** Runs the sweeps one after another every 5 s of real time; one that fails is logged and tried again next time. */
export const startSweeper = (sweeps: Sweep[], log: Log, everyMs = usuallyEveryMs) => {
  let running: Promise<void> = Promise.resolve()
  let busy = false

  const failing = new Set<string>()

  const sweepAll = async () => {
    for (const { name, run } of sweeps)
      await run().then(
        () => failing.delete(name),
        (err: unknown) => {
          failing.add(name)
          log.error({ err, sweep: name }, 'a sweep failed')
        },
      )
  }
  const tick = () => {
    if (busy) return
    busy = true
    running = sweepAll().finally(() => {
      busy = false
    })
  }
  const timer = setInterval(tick, everyMs)

  return {
    /** The sweeps that failed the last time. */
    failing: (): string[] => [...failing],
    /** Resolves once no sweep is running. */
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
