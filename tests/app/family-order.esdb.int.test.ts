import { startNode } from '../support/esdb-server/start-node'
import { startSchool } from '../support/school'
import { familyOrderSuite } from './family-order'

/** The same service with its events in EventStoreDB; the read models stay in Postgres. */
familyOrderSuite(async () => {
  const node = await startNode()
  const variables = { EVENTSTORE_URL: node.url() }
  const school = await startSchool({ at: '2026-09-14T05:00:00+02:00', variables })
  return {
    ...school,
    close: async () => {
      await school.close()
      node.stop()
    },
  }
})
