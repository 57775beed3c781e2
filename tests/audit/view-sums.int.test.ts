import {
  booked,
  countOfCycle,
  creditToSpend,
  owedByScreen,
  revenueOfCycle,
  viewSums,
} from '#modules/audit/checks/audit-run.job'
import type { AuditNeeds } from '#modules/audit/ports'
import type { Reader } from '#platform/database'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { inSnapshot } from '../../src/adapters/postgres/tables'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { standIn } from '../support/stand-ins'

let school: TestDatabase
beforeAll(async () => {
  school = await testDatabase()
  const { pool } = school.database
  for (const name of ['ordering', 'refunds', 'credit', 'books'])
    await pool.query('insert into platform.checkpoints values ($1, $2)', [viewsCheckpoint(name), '0000'])
  await pool.query(
    `create table audit.other_views (orders bigint not null, owed bigint not null, credit bigint not null,
       booked bigint not null)`,
  )
  await pool.query('insert into audit.other_views values (0, 0, 0, 0)')
})
afterAll(() => school.close())

/** As projectors write: views and their checkpoint in one transaction. All of them tell the number of the event. */
let written = 0
const project = async () => {
  written += 1
  const number = written
  await inTransaction('ordering', number, 'update audit.other_views set orders = $1')
  await inTransaction('refunds', number, 'update audit.other_views set owed = $1')
  await inTransaction('credit', number, 'update audit.other_views set credit = $1')
  await inTransaction('books', number, 'update audit.other_views set booked = $1')
}

const inTransaction = async (context: string, number: number, update: string) => {
  const client = await school.database.pool.connect()
  try {
    await client.query('begin')
    await client.query(update, [number])
    await client.query('update platform.checkpoints set position = $1 where name = $2', [
      String(number).padStart(4, '0'),
      viewsCheckpoint(context),
    ])
    await client.query('commit')
  } finally {
    client.release()
  }
}

const valueOf = async (at: Reader, column: 'orders' | 'owed' | 'credit' | 'booked') =>
  Number(
    (await at.query<Record<string, string>>(`select ${column} from audit.other_views`)).rows[0]?.[column],
  )

/** The read models of the siblings; `meanwhile` happens before each of them is read. */
const needs = (meanwhile: () => Promise<unknown>): AuditNeeds =>
  standIn({
    inSnapshot: (read) => inSnapshot(school.database.pool, read),
    ordering: {
      totals: standIn(async (_filter: unknown, _by: 'cycle', { at }: { at: Reader }) => {
        await meanwhile()
        return new Map([[7, { orders: 1, revenue: await valueOf(at, 'orders'), completed: 0 }]])
      }),
    },
    refunds: {
      owedInAll: async (at) => {
        await meanwhile()
        return valueOf(at, 'owed')
      },
    },
    credit: {
      creditInAll: async (at) => {
        await meanwhile()
        return { balance: await valueOf(at!, 'credit'), held: 0 }
      },
    },
    books: {
      closingFaults: async () => [],
      bookedInAll: async (at) => {
        await meanwhile()
        return new Map([['received card', await valueOf(at, 'booked')]])
      },
    },
  })

const contexts = ['ordering', 'refunds', 'credit', 'books'] as const
const probes = [revenueOfCycle(7), owedByScreen, creditToSpend, booked('received card')]

test('what moves on while the sums are read does not show: those of each context are as of its position', async () => {
  await project()
  const before = written
  const told = await viewSums(needs(project))
  expect(written).toBe(before + 4)
  expect(told.map(({ context }) => context)).toEqual(contexts)
  for (const [index, { position, sums }] of told.entries()) {
    expect(position).toBe(String(before).padStart(4, '0'))
    expect(sums.get(probes[index]!)).toBe(before)
  }
  expect(told[0]!.sums.get(countOfCycle(7))).toBe(1)
})

test('under writes without a pause every reading of a context is of one position', async () => {
  const reading = new AbortController()
  const writing = (async () => {
    while (!reading.signal.aborted) await project()
  })()
  const readings = []
  for (let round = 0; round < 10; round += 1) readings.push(await viewSums(needs(project)))
  reading.abort()
  await writing
  for (const told of readings)
    for (const [index, { position, sums }] of told.entries())
      expect(sums.get(probes[index]!)).toBe(Number(position))
})
