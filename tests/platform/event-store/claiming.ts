import { randomUUID } from 'node:crypto'
import { beginning, type EventStore } from '#platform/event-store/event-store'

/** Whose events a store holds: said once, by whoever is first. `makeStore` makes one that nobody has claimed. */
export const claimingContract = (
  name: string,
  makeStore: () => Promise<{ store: EventStore; close: () => Promise<void> }>,
): void => {
  test(`${name}: the first school to claim it has it, and claiming is no event`, async () => {
    const { store, close } = await makeStore()
    expect(await store.school()).toBeNull()
    const [one, two] = [randomUUID(), randomUUID()]
    const [first, second] = await Promise.all([store.claim(one), store.claim(two)])
    expect(first).toBe(second)
    expect([one, two]).toContain(first)
    expect(await store.claim(randomUUID())).toBe(first)
    expect(await store.school()).toBe(first)
    expect((await store.end()).position).toBe(beginning)
    await close()
  })
}
