import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '#kernel/refusal'
import type { Job, JobQueue, JobWork } from '#platform/jobs/job'
import type { Log } from '#platform/log'

type Asked = Pick<Job, 'name' | 'attempts' | 'backoffMs'> & { payload: unknown; id: string; delayMs: number }

/** The queue of a process that is alone and forgets nothing: each job once, repeated as it allows. */
export const queueInMemory = (log: Log): JobQueue => {
  const known = new Set<string>()
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  // Every job that rests listens.
  setMaxListeners(0, closing.signal)
  let resting = 0
  const rest = async (ms: number) => {
    resting += 1
    await pause(ms, undefined, { signal: closing.signal }).catch(() => undefined)
    resting -= 1
  }
  let handlers: Map<string, JobWork> | null = null
  const waiting: Asked[] = []

  const run = async ({ name, attempts, backoffMs, payload, id, delayMs }: Asked) => {
    const { job, handle } = handlers!.get(name)!
    await rest(delayMs)
    for (let attempt = 1; attempt <= attempts && !closing.signal.aborted; attempt += 1) {
      try {
        return await handle(job.payload.parse(payload), { jobId: id, attempt })
      } catch (err) {
        if (err instanceof Refusal) return
        log.warn({ err, job: name }, 'a job failed')
        if (attempt < attempts) await rest(backoffMs * 2 ** (attempt - 1))
      }
    }
  }
  const begin = (asked: Asked) => {
    const one = run(asked).finally(() => running.delete(one))
    running.add(one)
  }
  const close = async () => {
    closing.abort()
    await Promise.all(running)
  }

  return {
    enqueue: async ({ name, attempts, backoffMs }, payload, { id, delayMs = 0 }) => {
      const key = `${name}.${id}`
      if (known.has(key)) return
      known.add(key)
      const asked = { name, attempts, backoffMs, payload: JSON.parse(JSON.stringify(payload)), id, delayMs }
      if (handlers) begin(asked)
      else waiting.push(asked)
    },
    start: async (works) => {
      handlers = new Map(works.map((one) => [one.job.name, one]))
      for (const asked of waiting.splice(0)) begin(asked)
      return close
    },
    oldestWaiting: async () => null,
    retentions: [],
    depth: async () => ({
      waiting: waiting.length,
      delayed: resting,
      active: running.size - resting,
      failed: 0,
    }),
    failures: async () => [],
    ping: async () => true,
    close,
  }
}
