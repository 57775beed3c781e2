import { z } from 'zod'
import { Refusal } from '#kernel/refusal'
import { job, work, type JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import type { openJobQueue } from '../../src/adapters/queue/bullmq'
import { eventually } from '../support/eventually'

/** One server for the queue: each `open` is another process's queue on the same jobs. */
type Keep = Parameters<typeof openJobQueue>[0]['keep']
export type QueuePlace = { open: (log: Log, keep?: Keep) => Promise<JobQueue>; remove: () => Promise<void> }

const greet = job({ name: 'greet', payload: z.object({ name: z.string() }), attempts: 3, backoffMs: 40 })
const file = job({ name: 'file', payload: z.object({ name: z.string() }), attempts: 1, backoffMs: 1 })

type Heard = { level: string; message: string; details: Record<string, unknown> }

const listeningLog = () => {
  const heard: Heard[] = []
  const level = (name: string) => (details: object, message: string) =>
    void heard.push({ level: name, message, details: details as Record<string, unknown> })
  const log: Log = {
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
    child: () => log,
  }
  return { heard, log }
}

/** A promise that a handler opens: nothing here waits by the clock. */
const gate = () => {
  const openers: (() => void)[] = []
  const opened = new Promise<void>((resolve) => {
    openers.push(resolve)
  })
  return { open: () => openers[0]!(), opened }
}

const empty = { waiting: 0, delayed: 0, active: 0, failed: 0 }

/** What every job queue promises, whatever stores the jobs. */
export const queueContract = (name: string, makePlace: () => Promise<QueuePlace>) =>
  describe(`the job queue on ${name}`, () => {
    let place: QueuePlace
    let queue: JobQueue
    let heard: Heard[]
    let opened: JobQueue[]

    const open = async () => {
      const { log, ...ears } = listeningLog()
      const another = await place.open(log)
      opened.push(another)
      heard = ears.heard
      return another
    }

    beforeEach(async () => {
      opened = []
      place = await makePlace()
      queue = await open()
    })
    afterEach(async () => {
      await Promise.all(opened.map((each) => each.close()))
      await place.remove()
    })

    test('runs a job with its payload and says which job and attempt it is', async () => {
      const ran = gate()
      const handle = jest.fn(async () => ran.open())
      await queue.start([work(greet, handle)])
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      await ran.opened
      expect(handle).toHaveBeenCalledWith({ name: 'Chipo' }, { jobId: 'event-1', attempt: 1 })
      await eventually(async () => expect(await queue.depth()).toEqual(empty))
    })

    test('takes the same id for the same job, waiting or done, and for another job by another name', async () => {
      const ran: string[] = []
      const filed = gate()
      await queue.enqueue(greet, { name: 'first' }, { id: 'event-1' })
      await queue.enqueue(greet, { name: 'again' }, { id: 'event-1' })
      await queue.start([
        work(greet, async ({ name }) => void ran.push(name)),
        work(file, async ({ name }) => (ran.push(name), filed.open())),
      ])
      await eventually(async () => expect(await queue.depth()).toEqual(empty))
      await queue.enqueue(greet, { name: 'when done' }, { id: 'event-1' })
      await queue.enqueue(file, { name: 'other job' }, { id: 'event-1' })
      await filed.opened
      await eventually(async () => expect(await queue.depth()).toEqual(empty))
      expect(ran).toEqual(['first', 'other job'])
    })

    test('tries a failing job again, later each time, then counts it as failed', async () => {
      const tries: { attempt: number; at: number }[] = []
      await queue.start([
        work(greet, async (_payload, { attempt }) => {
          tries.push({ attempt, at: performance.now() })
          throw new Error('the kitchen is closed')
        }),
      ])
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      await eventually(async () => expect(await queue.depth()).toEqual({ ...empty, failed: 1 }))
      expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
      const [first = 0, second = 0, third = 0] = tries.map(({ at }) => at)
      expect([second - first >= 39, third - second >= 79]).toEqual([true, true])
      expect(heard.map(({ level }) => level)).toEqual(['warn', 'warn', 'error'])
      expect(heard[2]!.details).toMatchObject({ job: 'greet', jobId: 'event-1', attempt: 3 })
    })

    test('a job that succeeds when tried again is not counted as failed', async () => {
      const ran = gate()
      await queue.start([
        work(greet, async (_payload, { attempt }) => {
          if (attempt === 1) throw new Error('not yet')
          ran.open()
        }),
      ])
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      await ran.opened
      await eventually(async () => expect(await queue.depth()).toEqual(empty))
    })

    test('a refusal ends the job without another try and without an error', async () => {
      const handle = jest.fn(async () => {
        throw new Refusal('too_late', 'Too late')
      })
      await queue.start([work(greet, handle)])
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      await eventually(async () => expect(heard).toHaveLength(1))
      await eventually(async () => expect(await queue.depth()).toEqual(empty))
      expect(heard[0]).toMatchObject({ level: 'info', details: { code: 'too_late' } })
      expect(handle).toHaveBeenCalledTimes(1)
    })

    test('a delayed job waits its time, also when the worker has nothing else to do', async () => {
      const ran = gate()
      await queue.start([work(greet, async () => ran.open())])
      const begun = performance.now()
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1', delayMs: 300 })
      expect(await queue.depth()).toEqual({ ...empty, delayed: 1 })
      await ran.opened
      expect(performance.now() - begun).toBeGreaterThanOrEqual(299)
      // A worker that waits for something else to do looks again after five seconds.
      expect(performance.now() - begun).toBeLessThan(4_900)
    })

    test('keeps jobs while no worker runs, and gives them to the next process', async () => {
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      expect(await queue.depth()).toEqual({ ...empty, waiting: 1 })
      await queue.close()
      const ran = gate()
      const next = await open()
      await next.start([work(greet, async () => ran.open())])
      await ran.opened
    })

    test('a payload that the job does not understand fails it at once', async () => {
      const older = job({ name: 'greet', payload: z.object({ who: z.string() }), attempts: 3, backoffMs: 1 })
      const handle = jest.fn(async () => undefined)
      await queue.start([work(greet, handle)])
      await queue.enqueue(older, { who: 'Chipo' }, { id: 'event-1' })
      await eventually(async () => expect(await queue.depth()).toEqual({ ...empty, failed: 1 }))
      expect(handle).not.toHaveBeenCalled()
      expect(heard.map(({ level }) => level)).toEqual(['error'])
    })

    test('closing waits for the job that runs', async () => {
      const begun = gate()
      const closing = gate()
      const order: string[] = []
      await queue.start([
        work(greet, async () => {
          begun.open()
          await closing.opened
          order.push('the job ended')
        }),
      ])
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      await begun.opened
      const closed = queue.close().then(() => order.push('the queue closed'))
      // Opening another queue and closing it takes longer than a close that does not wait.
      await (await open()).close()
      closing.open()
      await closed
      expect(order).toEqual(['the job ended', 'the queue closed'])
      expect(await (await open()).depth()).toEqual(empty)
    })

    test('a worker that was stopped leaves the jobs to the next one', async () => {
      const ran: string[] = []
      const stop = await queue.start([work(greet, async () => void ran.push('first'))])
      await stop()
      const second = gate()
      await queue.enqueue(greet, { name: 'Chipo' }, { id: 'event-1' })
      await queue.start([work(greet, async () => (ran.push('second'), second.open()))])
      await second.opened
      expect(ran).toEqual(['second'])
    })

    test('says since when the next job has waited', async () => {
      expect(await queue.oldestWaiting()).toBeNull()
      const begun = Date.now()
      await queue.enqueue(greet, { name: 'first' }, { id: 'event-1' })
      const oldest = await queue.oldestWaiting()
      await queue.enqueue(greet, { name: 'second' }, { id: 'event-2' })
      expect(await queue.oldestWaiting()).toBe(oldest)
      expect(oldest).toBeGreaterThanOrEqual(begun)
      expect(oldest).toBeLessThanOrEqual(Date.now())
    })

    test('forgets what was done a fortnight ago and what failed two months ago, and nothing that is to come', async () => {
      await queue.enqueue(greet, { name: 'done' }, { id: 'done' })
      await queue.enqueue(file, { name: 'failed' }, { id: 'failed' })
      const stop = await queue.start([
        work(greet, async () => undefined),
        work(file, () => Promise.reject(new Error('the drawer is stuck'))),
      ])
      await eventually(async () => expect(await queue.depth()).toEqual({ ...empty, failed: 1 }))
      await stop()
      await queue.enqueue(greet, { name: 'to come' }, { id: 'to-come' })
      const real = Date.now()
      const forgotten = async (days: number) => {
        const clock = jest.spyOn(Date, 'now').mockReturnValue(real + days * 24 * 3_600_000)
        const removed: Record<string, number> = {}
        for (const { name, remove } of queue.retentions) removed[name] = await remove(1000)
        clock.mockRestore()
        return removed
      }
      expect(await forgotten(13.9)).toEqual({ 'jobs.done': 0, 'jobs.failed': 0 })
      expect(await forgotten(14.1)).toEqual({ 'jobs.done': 1, 'jobs.failed': 0 })
      expect(await forgotten(60.1)).toEqual({ 'jobs.done': 0, 'jobs.failed': 1 })
      expect(await queue.depth()).toEqual({ ...empty, waiting: 1 })
    })

    test('keeps so many of what was done, the latest: those alone are recognised when they come again', async () => {
      const few = { days: 14, count: 3 }
      const forgetful = await place.open(listeningLog().log, { done: few, failed: few })
      opened.push(forgetful)
      const done: string[] = []
      await forgetful.start([work(greet, async ({ name: who }) => void done.push(who))])
      const five = ['Chanda', 'Bupe', 'Mutale', 'Chola', 'Mwape']
      for (const [index, who] of five.entries()) {
        await forgetful.enqueue(greet, { name: who }, { id: who })
        await eventually(async () => expect(done).toHaveLength(index + 1))
      }
      await eventually(async () => expect(await forgetful.depth()).toEqual(empty))
      const remove = forgetful.retentions[0]!.remove
      expect(await remove(1)).toBe(1)
      expect(await remove(1000)).toBe(1)
      expect(await remove(1000)).toBe(0)
      for (const who of five) await forgetful.enqueue(greet, { name: who }, { id: who })
      await eventually(async () => expect(await forgetful.depth()).toEqual(empty))
      expect(done).toEqual([...five, 'Chanda', 'Bupe'])
    })

    test('answers that it is there', async () => {
      expect(await queue.ping()).toBe(true)
    })
  })
