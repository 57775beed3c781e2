import { appendingContract } from './event-store/appending'
import { conflictContract } from './event-store/conflicts'
import { sizeContract } from './event-store/sizes'
import { benchOf, type StoreUnderTest } from './event-store/store-under-test'
import { subscriptionContract } from './event-store/subscribing'

/** What every event store promises (DESIGN section 3). Answers the tools to write a store's own specs with. */
export const eventStoreContract = (name: string, makeStore: () => Promise<StoreUnderTest>): void => {
  describe(`event store contract: ${name}`, () => {
    let under: StoreUnderTest
    beforeAll(async () => {
      under = await makeStore()
    })
    afterAll(() => under.close())

    const bench = benchOf(() => under)
    appendingContract(bench)
    conflictContract(bench)
    sizeContract(bench)
    subscriptionContract(bench)
  })
}
