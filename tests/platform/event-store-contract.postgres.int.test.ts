import { testDatabase } from '../support/postgres'
import { storeProcess } from '../support/postgres-store'
import { eventStoreContract } from './event-store-contract'

eventStoreContract('Postgres', async () => {
  const { url, close } = await testDatabase()
  const [mine, other] = [await storeProcess(url), await storeProcess(url)]
  return {
    run: 'postgres',
    store: mine.store,
    another: () => Promise.resolve(other.store),
    close: async () => {
      await mine.close()
      await other.close()
      await close()
    },
  }
})
