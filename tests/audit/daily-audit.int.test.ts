import { chainJournal, chainName } from '#modules/audit/chain/chain.commands'
import { dailyAuditJob, dailyAuditSweep, dailyAuditWork, lastRun } from '#modules/audit/checks/audit-run.job'
import { checkoutStarted, ordersCreated } from '#modules/payments/published'
import type { Reader } from '#platform/database'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { checkpointOf } from '#platform/projections/checkpoint'
import { inSnapshot } from '../../src/adapters/postgres/tables'
import { heardLog } from '../support/captured-log'
import { eventually } from '../support/eventually'
import { type StoreProcess, freshDatabaseUrl, storeProcess } from '../support/postgres'
import { newEvents } from '../support/recorded-events'
import { startSchool, sweeping } from '../support/school'
import { standIn } from '../support/stand-ins'
import { attemptId, sample } from './sample-events'

let school: StoreProcess
let drop: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshDatabaseUrl()
  drop = fresh.drop
  school = await storeProcess(fresh.url)
})
afterAll(async () => {
  await school.close()
  await drop()
})
beforeEach(() =>
  school.database.pool.query(`
    begin; alter table audit.runs disable trigger user; alter table audit.chain disable trigger user;
    delete from audit.runs; delete from audit.chain; delete from platform.events; delete from platform.checkpoints;
    alter table audit.runs enable trigger user; alter table audit.chain enable trigger user; commit`),
)

// One o'clock at night in Lusaka; in London it is still the day before.
const now = () => new Date('2026-09-15T23:00:00.000Z')
const needs = () => ({
  database: school.database,
  eventStore: school.store,
  inSnapshot: <Result>(read: (at: Reader) => Promise<Result>) => inSnapshot(school.database.pool, read),
  maintenanceRunning: () => Promise.resolve(null),
  withMaintenanceLock: <Result>(work: () => Promise<Result>) => work(),
  openedEvents: (events: RecordedEvent[]) => Promise.resolve(events),
  queue: { enqueue: async () => {} },
  identity: {
    usernamesOf: async () => new Map<number, string>(),
    studentNamesOf: async () => new Map<number, string>(),
    usersNamed: async () => [],
  },
  ordering: {
    totals: async () => new Map<number, { orders: number; revenue: number; completed: number }>(),
  },
  catalogue: { itemsByIds: async () => new Map<number, { name: string }>() },
  books: {
    closingFaults: async () => [],
    bookedInAll: async () => new Map(),
  },
  reasonsOf: async () => new Map(),
  refunds: { owedInAll: async () => 0 },
  credit: { creditInAll: async () => ({ balance: 0, held: 0 }) },
  now,
  zone: 'Africa/Lusaka',
  log: heardLog(),
})
const auditOn = async (day: string, at = now()) => {
  const all = { ...needs(), now: () => at }
  await dailyAuditWork(standIn(all)).handle({ day }, { jobId: `audit-${day}`, attempt: 1 })
  return all.log.lines
}
const audits = () => {
  const asked: unknown[] = []
  const queue = {
    enqueue: (...job: unknown[]) => {
      asked.push(job)
      return Promise.resolve()
    },
  }
  return { asked, sweep: dailyAuditSweep(standIn({ ...needs(), queue })) }
}

test('an audit is asked for once a day of school time, until it is done', async () => {
  const { asked, sweep } = audits()
  const job = [dailyAuditJob, { day: '2026-09-16' }, { id: 'audit-2026-09-16' }]
  await sweep.run()
  await sweep.run()
  expect(asked).toEqual([job, job])
  await auditOn('2026-09-16')
  await sweep.run()
  await sweep.run()
  expect(asked).toHaveLength(2)
})

test("yesterday's audit does not count", async () => {
  await auditOn('2026-09-15')
  const { asked, sweep } = audits()
  await sweep.run()
  expect(asked).toHaveLength(1)
})

test("the worker's timer has each day audited, by the school's clock", async () => {
  const served = await startSchool({ at: '2026-09-16T07:00:00+02:00', ...sweeping })
  const isAudited = async (day: string) => (await lastRun(served.infrastructure.database.knex))?.day === day
  await eventually(() => isAudited('2026-09-16'))
  served.setClock('2026-09-17T00:30:00+02:00')
  await eventually(() => isAudited('2026-09-17'))
  await served.close()
})

test('a good result is kept, and where the chain ends stands in the log', async () => {
  const lines = await auditOn('2026-09-16')
  expect(await lastRun(school.database.knex)).toEqual({
    day: '2026-09-16',
    endedAt: now(),
    findings: 0,
    unbalanced: 0,
  })
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'audited: everything balances',
      details: { day: '2026-09-16', events: 0, findings: [], chainEnd: { number: 0, hash: '0'.repeat(64) } },
    },
  ])
})

test('a bad one is an error that names what is wrong', async () => {
  await school.store.append([
    {
      stream: 'x',
      expectedRevision: -1,
      events: newEvents('x', sample(checkoutStarted.type), sample(ordersCreated.type)),
    },
  ])
  const [line] = await auditOn('2026-09-16', new Date('2026-09-16T09:00:00.000Z'))
  expect(line).toMatchObject({ level: 'error', message: expect.stringMatching(/^audited: \d found wrong$/) })
  expect(String(line!.details.findings)).toContain(attemptId)
  expect(String(line!.details.findings)).toContain('2 events are not chained, the first of')
  expect((await lastRun(school.database.knex))?.findings).toBeGreaterThan(1)
})

test('a clock that leaps over hours is no alarm while a worker chains what is new', async () => {
  await school.store.append([
    { stream: 'x', expectedRevision: -1, events: newEvents('x', sample(checkoutStarted.type)) },
  ])
  const events = (await school.store.read(['x'])).get('x')!
  const chain = chainJournal(school.database.pool)
  const from = await checkpointOf(school.database.pool, chainName)
  const leapt = new Date('2026-09-18T09:00:00.000Z')
  const timer = setTimeout(() => void chain.write(events, from), 100)
  const [line] = await auditOn('2026-09-18', leapt)
  clearTimeout(timer)
  expect(String(line!.details.findings)).not.toContain('not chained')
})
