import { testDatabase } from '../support/postgres'
import { storeProcess } from '../support/postgres-store'
import { claimingContract } from './event-store/claiming'
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

claimingContract('Postgres', async () => {
  const { url, close } = await testDatabase()
  const { store, close: end } = await storeProcess(url)
  return { store, close: () => end().then(close) }
})
