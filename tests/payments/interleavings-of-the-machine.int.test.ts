import * as fc from 'fast-check'
import {
  checkoutsThatHold,
  checkoutsThatSpent,
  entriesOfOrders,
  ordersCharged,
  ordersGivenCredit,
} from '#modules/credit/credit.view'
import { orderIdsWhere, type OrderFilter } from '#modules/ordering/orders/orders-where.rows'
import { ordersOwed, partsPaidBack } from '#modules/refunds/refunds.rows'
import { ordersWithUnsettledChanges, refundsNotGiven } from '#modules/refunds/settle-credit.reactor'
import { beginning } from '#platform/event-store/event-store'
import { checkpointOf, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector, viewTables } from '#platform/projections/projector'
import { type StoreProcess, freshDatabaseUrl, storeProcess } from '../support/postgres'
import { anyStory } from './machine/acts'
import { reckon, staleReservations, drainQueues } from './machine/expected-balances'
import { scene } from './machine/scene'
import { eventsAfter, machineViews } from './machine/tables'

fc.configureGlobal({ seed: 20_261_122, numRuns: 12 })

let database: { url: string; drop: () => Promise<void> }
let own: StoreProcess

beforeAll(async () => {
  database = await freshDatabaseUrl()
  own = await storeProcess(database.url)
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

/** Brings the tables up to date, one at a time: nobody else projects here. */
const projecting = ({ store, database: { pool } }: Pick<StoreProcess, 'store' | 'database'>) => {
  const project = batchProjector(viewTables(pool), { name: 'machine', views: machineViews })
  let last: Promise<unknown> = Promise.resolve()
  const catchUp = async () => {
    const from = await checkpointOf(pool, viewsCheckpoint('machine'))
    const events = await eventsAfter(store, from ?? beginning)
    if (events.length > 0) await project(events, from ?? beginning)
  }
  return () => {
    const next = last.then(catchUp)
    last = next.catch(() => undefined)
    return next
  }
}

test.each([
  ['in one transaction', false],
  ['one stream after another', true],
])('the same stories over Postgres, its streams and its tables, appended %s', async (_how, isSplit) => {
  const ends = new Set<string>()
  let family = isSplit ? 100 : 0
  await fc.assert(
    fc.asyncProperty(anyStory, fc.scheduler(), async (story, scheduler) => {
      family += 1
      const { store } = own
      const start = (await store.end()).position
      const catchUp = projecting(own)
      const { pool, knex, reads } = own.database
      const database = {
        knex,
        pool,
        reads,
        orderIdsWhere: (filter: OrderFilter) => orderIdsWhere(pool, filter),
        ordersOwed: ordersOwed(knex),
        partsPaidBack: (ids: readonly string[]) => partsPaidBack(knex, ids),
        entriesOfOrders: (ids: readonly string[]) => entriesOfOrders(pool, ids),
        checkoutsThatHold: checkoutsThatHold(knex),
        checkoutsThatSpent: checkoutsThatSpent(knex),
        ordersCharged: ordersCharged(knex),
        ordersWithUnsettledChanges: () => ordersWithUnsettledChanges(knex)(new Date(0)),
        ordersGivenCredit: ordersGivenCredit(knex),
        refundsNotGiven: refundsNotGiven(knex),
      }
      const ground = { store, isSplit, database, viewsInclude: catchUp, start, family }
      const played = scene(ground, story, scheduler)
      expect(await played.play()).toEqual([])
      const survivor = played.calmDown()
      const swept = { ...survivor, sweeps: [{ name: 'views', run: catchUp }, ...survivor.sweeps] }
      expect(await drainQueues(played, swept, async () => {})).toEqual([])
      expect(await staleReservations(played, store, start)).toEqual([])
      for (const end of (await reckon(played, store, start)).ends) ends.add(end)
    }),
  )
  expect([...ends]).toEqual(expect.arrayContaining(['fulfilled', 'review', 'expired']))
})
