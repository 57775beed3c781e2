import * as fc from 'fast-check'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { beginning } from '#platform/event-store/event-store'
import { anyStory } from './machine/acts'
import { reckon } from './machine/expected-balances'
import { staleReservations } from './machine/reservations'
import { drainQueues } from './machine/rest'
import { scene } from './machine/scene'
import { tablesInMemory } from './machine/tables'
import { allTried, tries } from '../support/tries'

fc.configureGlobal({ seed: 20_261_121, numRuns: tries(100) })

test.each([
  ['appends in one transaction', false],
  ['appends one stream after another', true],
])(
  'whatever everybody does at the same time, and wherever processes die, on a store that %s: no money is lost',
  async (_store, isSplit) => {
    const ends = new Set<string>()
    const where = { kept: 0, due: 0, back: 0, credit: 0, held: 0, fee: 0, shortfall: 0 }
    await fc.assert(
      fc.asyncProperty(anyStory, fc.scheduler(), async (story, scheduler) => {
        const store = memoryEventStore()
        const ground = { store, isSplit, database: tablesInMemory(store), waitForViews: async () => {} }
        const played = scene({ ...ground, start: beginning, family: 0 }, story, scheduler)
        expect(await played.play()).toEqual([])
        const survivor = played.calmDown()
        const faults = await drainQueues(played, survivor, async () => {
          // Where appends are split, a crash may lose a release: the hold then ends by its time.
          if (!isSplit) expect(await staleReservations(played, store, beginning)).toEqual([])
        })
        expect(faults).toEqual([])
        expect(await staleReservations(played, store, beginning)).toEqual([])
        const { ends: found, reckonings } = await reckon(played, store, beginning)
        for (const end of found) ends.add(end)
        for (const one of reckonings)
          for (const name of Object.keys(where) as (keyof typeof where)[]) where[name] += one[name]
      }),
    )
    // Stories in which nothing happens would keep every promise.
    const rare = ['review', 'blocked', 'expired', 'cancelled', 'create_failed']
    expect([...ends]).toEqual(expect.arrayContaining(['fulfilled', ...(allTried ? rare : [])]))
    const { shortfall: _rare, ...usual } = where
    expect(Object.values(usual).every((amount) => amount > 0 || !allTried)).toBe(true)
  },
)
