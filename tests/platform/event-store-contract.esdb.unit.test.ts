import { randomUUID } from 'node:crypto'
import { noStream } from '#platform/event-store/event-store'
import { openEventStore } from '../../src/adapters/event-store/esdb/event-store'
import { heardLog } from '../support/captured-log'
import { startNode } from '../support/esdb-server/start-node'
import { counted, newEvents } from '../support/recorded-events'
import { ofItsOwn } from '../support/school-events'
import { claimingContract, eventStoreContract } from './event-store-contract'

const given = process.env.EVENTSTORE_TEST_URL ?? ''

// An append is a call per stream, and there are thousands.
const twoStores = async (url: string, run: string) => {
  const open = () => openEventStore(url, heardLog(), { streams: [`${run}-`] })
  const [store, other] = [await open(), await open()]
  const close = async () => {
    await store.close()
    await other.close()
  }
  return { run, store, another: () => Promise.resolve(other), close }
}

const inThisProcess = async () => {
  const node = await startNode()
  const stores = await twoStores(node.url(), 'esdb')
  const close = async () => {
    await stores.close()
    node.stop()
  }
  return { ...stores, close }
}

/** Streams of this run alone, in a server that may hold others and whose end they begin at. */
const onRealServer = async () => {
  const run = `contract${randomUUID()}`
  const stores = await twoStores(given, run)
  for (const store of [stores.store, await stores.another()]) {
    const stream = `${run}-start${store === stores.store ? 1 : 2}`
    await store.append([
      { stream, expectedRevision: noStream, events: newEvents(stream, counted({ number: 0 })) },
    ])
  }
  return stores
}

if (given !== '') {
  eventStoreContract('EventStoreDB at EVENTSTORE_TEST_URL', onRealServer)
  claimingContract('EventStoreDB at EVENTSTORE_TEST_URL', async () => {
    const store = await openEventStore(ofItsOwn(given), heardLog())
    return { store, close: store.close }
  })
} else {
  eventStoreContract('EventStoreDB, a small one in this process', inThisProcess)
  test.skip('the event store contract on a real EventStoreDB: EVENTSTORE_TEST_URL is not set', () =>
    undefined)
  claimingContract('EventStoreDB, a small one in this process', async () => {
    const node = await startNode()
    const store = await openEventStore(node.url(), heardLog())
    const close = async () => {
      await store.close()
      node.stop()
    }
    return { store, close }
  })
}
