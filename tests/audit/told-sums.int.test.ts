import { inSnapshot } from '../../src/adapters/postgres/snapshot'
import { countOfCycle, owedByScreen, revenueOfCycle } from '#modules/audit/ledger-totals'
import { toldSums } from '#modules/audit/ledger-totals.rows'
import type { TotalsNeeds } from '#modules/audit/ledger-totals.rows'
import type { Reader } from '#platform/database'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { testDatabase } from '../support/postgres'
import type { TestDatabase } from '../support/postgres'

let school: TestDatabase
beforeAll(async () => {
  school = await testDatabase()
  const { pool } = school.database
  await pool.query(`insert into platform.checkpoints values ('${viewsCheckpoint}', '0000')`)
  await pool.query('create table audit.other_views (total bigint not null)')
  await pool.query('insert into audit.other_views values (0)')
  await pool.query(
    `insert into audit.ledger_orders (id, attempt_id, line, cycle_id, slot, price, paid, status, changed_at)
     values ('7.11.1.2.1', gen_random_uuid(), 0, 7, '7.11.1.2', 0, 'confirmed', 'completed', now())`,
  )
})
afterAll(() => school.close())

/** As a projector writes: every view and the checkpoint in one transaction. All of them tell the number of the event. */
let written = 0
const project = async () => {
  written += 1
  const number = written
  const client = await school.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('update audit.ledger_orders set price = $1', [number])
    await client.query('update audit.other_views set total = $1', [number])
    await client.query('update platform.checkpoints set position = $1 where name = $2', [
      String(number).padStart(4, '0'),
      viewsCheckpoint,
    ])
    await client.query('commit')
  } finally {
    client.release()
  }
}

const totalOf = async (at: Reader) =>
  Number((await at.query<{ total: string }>('select total from audit.other_views')).rows[0]?.total)

/** The read models of the siblings; `meanwhile` happens before each of them is read. */
const needs = (meanwhile: () => Promise<unknown>): TotalsNeeds => ({
  inSnapshot: (read) => inSnapshot(school.database.pool, read),
  orderTotals: async (cycleIds, at) => {
    await meanwhile()
    const revenue = await totalOf(at)
    return new Map(cycleIds.map((id) => [id, { orders: 1, revenue }]))
  },
  owedInAll: async (at) => {
    await meanwhile()
    return totalOf(at)
  },
})

test('what moves on while the sums are read does not show: all are as of one position, read once', async () => {
  await project()
  const before = written
  const { position, sums } = await toldSums(needs(project))
  expect(written).toBe(before + 2)
  expect(position).toBe(String(before).padStart(4, '0'))
  expect(sums.get('orders of cycle 7, completed, paid confirmed, price')).toBe(before)
  expect(sums.get(revenueOfCycle(7))).toBe(before)
  expect(sums.get(countOfCycle(7))).toBe(1)
  expect(sums.get(owedByScreen)).toBe(before)
})

test('under writes without a pause every reading is of one position', async () => {
  const writing = (async () => {
    for (let round = 0; round < 200; round += 1) await project()
  })()
  const readings = []
  for (let round = 0; round < 20; round += 1) readings.push(await toldSums(needs(project)))
  await writing
  for (const { position, sums } of readings) {
    const told = [
      sums.get('orders of cycle 7, completed, paid confirmed, price'),
      sums.get(revenueOfCycle(7)),
      sums.get(owedByScreen),
    ]
    expect(told).toEqual([Number(position), Number(position), Number(position)])
  }
})
