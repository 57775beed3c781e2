import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { claimingContract, eventStoreContract } from './event-store-contract'

eventStoreContract('memory', async () => {
  const store = memoryEventStore()
  return { run: 'memory', store, another: () => Promise.resolve(store), close: store.close }
})

claimingContract('memory', async () => {
  const store = memoryEventStore()
  return { store, close: store.close }
})
