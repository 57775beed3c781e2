import { readConfig } from '../../src/app/config'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import { startService } from '../../src/app/service/tuckshop'
import type { School } from '../support/school'
import { silentLog } from '../support/start-postgres'

/** The same service once more, as a process of its own would run it: on the same database, sharing nothing else. */
export const secondProcess = async (school: School, variables: Record<string, string>) => {
  // One in step follows the events without their locks, and would not wait for what this one has projected.
  if (!school.isWhole) throw new Error('A second process needs a whole school')
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: school.databaseUrl,
    EVENTSTORE_URL: school.eventsUrl,
    DATA_DIR: school.dataDir,
    ROLE: 'web',
    ...variables,
  })
  const environment = { log: silentLog, now: school.now }
  const infrastructure = await openInfrastructure(config, environment)
  const service = await startService(infrastructure, config, { ...environment, webRoot: null, demo: false })
  return {
    url: service.url,
    close: async () => {
      await service.stop()
      await infrastructure.close()
    },
  }
}
