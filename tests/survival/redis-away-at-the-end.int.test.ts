import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import { openJobQueue } from '../../src/adapters/queue/bullmq'
import { eventually } from '../support/eventually'
import { redisInstalled, startRedis } from '../support/redis'
import { silentLog } from '../support/start-postgres'

const greet = job({ name: 'greet', payload: z.object({}), attempts: 1, backoffMs: 1 })

const signal = () => {
  let give!: () => void
  const given = new Promise<void>((resolve) => (give = resolve))
  return { give, given }
}

/** How many timers keep this process from ending. */
const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

const trial = () =>
  test('a queue whose Redis is away is closed all the same, once the job that runs is finished', async () => {
    const redis = await startRedis()
    const timersBefore = timers()
    const queue = await openJobQueue({ databaseUrl: '', redisUrl: redis.url, log: silentLog })
    const begun = signal()
    const mayEnd = signal()
    const order: string[] = []
    const stop = await queue.start([
      work(greet, async () => {
        begun.give()
        await mayEnd.given
        order.push('the job ended')
      }),
    ])
    await queue.enqueue(greet, {}, { id: 'event-1' })
    await begun.given
    await redis.kill()
    const closed = stop()
      .then(queue.close)
      .then(() => order.push('the queue closed'))
    expect(await queue.ping()).toBe(false)
    mayEnd.give()
    await closed
    expect(order).toEqual(['the job ended', 'the queue closed'])
    // A connection that was cut while it waited to be opened again keeps a timer until its next command would have ended.
    await eventually(() => timers() === timersBefore)
  })

if (redisInstalled()) trial()
else
  test.skip('a queue whose Redis is away is closed all the same: there is no redis-server here', () =>
    undefined)
