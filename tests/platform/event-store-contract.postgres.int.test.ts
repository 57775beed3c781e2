import { testDatabase, storeProcess } from '../support/postgres'
import { claimingContract, eventStoreContract } from './event-store-contract'

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
