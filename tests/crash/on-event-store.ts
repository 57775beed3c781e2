import { createRequire } from 'node:module'
import { ofItsOwn } from '../support/school-events'

// The client's generated messages are CommonJS whose names an import cannot see.
const { startNode } = createRequire(import.meta.url)(
  '../support/esdb-server/start-node',
) as typeof import('../support/esdb-server/start-node')

/** Tries something on the server at EVENTSTORE_TEST_URL, or on the small server of its protocol; says which. */
export const onEventStore = async (trial: (where: string, url: string) => Promise<void>): Promise<void> => {
  const given = process.env.EVENTSTORE_TEST_URL ?? ''
  const own = given === '' ? await startNode() : null
  try {
    await trial(own ? "with EventStoreDB's protocol" : 'with EventStoreDB', own ? own.url() : ofItsOwn(given))
  } finally {
    own?.stop()
  }
}
