import { openJobQueue } from '../../src/adapters/queue-bullmq'
import { freshDatabaseUrl } from '../support/postgres'
import { queueContract } from './queue-contract'
import type { Log } from '#platform/log'

queueContract('Postgres', async () => {
  const { url, drop } = await freshDatabaseUrl()
  return { open: (log: Log) => openJobQueue({ databaseUrl: url, log }), remove: drop }
})
