import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import { openJobQueue } from '../../src/adapters/queue/bullmq'
import { freshDatabaseUrl } from '../support/postgres'
import { queueContract } from './queue-contract'

const quiet = () => undefined
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log }

const failure = (options: { databaseUrl: string; redisUrl?: string }) =>
  openJobQueue({ ...options, log }).then(String, (error: unknown) => error as StartError)

describe('a queue whose server does not answer is one sentence without the password', () => {
  test('on Postgres', async () => {
    const error = await failure({ databaseUrl: 'postgres://tuckshop:s3cret@127.0.0.1:9/school' })
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toContain(
      'The job queue at postgres://tuckshop@127.0.0.1:9/school cannot be reached',
    )
  })

  test('on Redis', async () => {
    const error = await failure({ databaseUrl: '', redisUrl: 'redis://:s3cret@127.0.0.1:9' })
    expect(error).toBeInstanceOf(StartError)
    expect(String(error)).toContain('The job queue at redis://127.0.0.1:9 cannot be reached')
  })
})

queueContract('Postgres', async () => {
  const { url, drop } = await freshDatabaseUrl()
  return { open: (log, keep) => openJobQueue({ databaseUrl: url, log, keep }), remove: drop }
})
