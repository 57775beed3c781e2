import type { RunJob } from './servers'

type Closable = { close: (force?: boolean) => Promise<void> }

const askEveryMs = 1_000

/**
 * Closes a part of the queue once what it runs is `finished`. A server that does not answer is not waited for, which the
 * library would do for ever: what it was to be told of jobs is found out by another process, as after a crash.
 */
export const closeUnlessAway = async (
  part: Closable,
  answers: () => Promise<boolean>,
  finished: () => Promise<void> = async () => undefined,
): Promise<void> => {
  if (!(await answers())) {
    await finished()
    return part.close(true)
  }
  const closed = part.close()
  while (!(await within(askEveryMs, closed))) {
    if (await answers()) continue
    closed.catch(() => undefined)
    return finished()
  }
}

const within = (ms: number, done: Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  return Promise.race([done.then(() => true as const), late]).finally(() => clearTimeout(timer))
}

/** The same, and `finished`, which resolves once none of what it runs is running. */
export const countingRuns = (run: RunJob): { run: RunJob; finished: () => Promise<void> } => {
  const running = new Set<Promise<unknown>>()
  return {
    run: (job) => {
      const one = run(job).finally(() => running.delete(one))
      running.add(one)
      return one
    },
    finished: async () => {
      await Promise.allSettled(running)
    },
  }
}
