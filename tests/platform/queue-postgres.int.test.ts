import { openJobQueue } from '../../src/adapters/queue/bullmq'
import { freshDatabaseUrl } from '../support/postgres'
import { queueContract } from './queue-contract'

queueContract('Postgres', async () => {
  const { url, drop } = await freshDatabaseUrl()
  return { open: (log, keep) => openJobQueue({ databaseUrl: url, log, keep }), remove: drop }
})
