import { Redis } from 'ioredis'
import { openJobQueue } from '../../src/adapters/queue/bullmq'
import { givenRedis, redisInstalled, startRedis, type RedisServer } from '../support/redis'
import { queueContract } from './queue-contract'

if (givenRedis === '' && !redisInstalled())
  test.skip('the job queue on Redis: there is no redis-server here and REDIS_TEST_URL is not set', () =>
    undefined)
else {
  let url = givenRedis
  let own: RedisServer | undefined
  beforeAll(async () => {
    if (givenRedis !== '') return
    own = await startRedis()
    url = own.url
  })
  afterAll(() => own?.kill())

  queueContract('Redis', async () => {
    const redis = new Redis(url)
    await redis.flushdb()
    const remove = async () => void (await redis.quit())
    return { open: (log, keep) => openJobQueue({ databaseUrl: '', redisUrl: url, log, keep }), remove }
  })
}
