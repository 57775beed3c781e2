import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { listOrders } from '#contracts/ordering'
import { noStream } from '#platform/event-store/event-store'
import { job } from '#platform/jobs/job'
import { contextsOf } from '#platform/module'
import { openDatabase } from '../../src/adapters/postgres/database'
import { auditSchool } from '../../src/app/commands/audit-school'
import { rebuildSchool } from '../../src/app/commands/rebuild-school'
import { readConfig } from '../../src/app/config'
import { openCanteen, place, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { freshDatabaseUrl } from '../support/postgres'
import { startSchool } from '../support/school'
import { silentLog } from '../support/start-postgres'

let canteen: Canteen
beforeEach(async () => {
  canteen = await openCanteen({}, { sweepEveryMs: 200 })
})
afterEach(() => canteen.close())

const sql = (text: string) => canteen.infrastructure.database.pool.query(text)
const readiness = async () => {
  const answer = await canteen.visitor().fetch('/readyz')
  return { status: answer.status, ...((await answer.json()) as { ready: boolean; details: Details }) }
}
type Details = { failing: { what: string; name: string; reason: string }[] }
const failingNamed = (name: string) =>
  eventually(async () => {
    const { details } = await readiness()
    return details.failing.find((one) => one.name === name) ?? false
  })

const familyCanOrder = async (username: string) => {
  const { parent, children } = await canteen.family(username, '3')
  const placed = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  expect(await parent.call(listOrders)).toMatchObject(placed.map(({ id }) => ({ id })))
}

test('all is well: nothing is named', async () => {
  await eventually(async () => (await readiness()).status === 200)
  expect(await readiness()).toMatchObject({ status: 200, ready: true, details: { failing: [] } })
})

test('a context whose read models fail for ever is named, and the others go on', async () => {
  await sql('alter table audit.entries rename to mislaid')
  const { parent, children } = await canteen.family('mwila', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  expect(await failingNamed('audit')).toMatchObject({
    what: 'read models',
    // Its kind, and nothing that was said: that may hold names.
    reason: 'database error 42P01; see the log',
  })
  await familyCanOrder('grace')
  expect((await readiness()).status).toBe(200)
})

test('a job that fails for ever is named, and the others are done', async () => {
  const unheardOf = job({ name: 'feed-the-cat', payload: z.object({}), attempts: 1, backoffMs: 1 })
  await canteen.infrastructure.queue.enqueue(unheardOf, {}, { id: 'cat-1' })
  expect(await failingNamed('feed-the-cat')).toMatchObject({
    what: 'job',
    reason: '1 failed for good within a day; see the log',
  })
  await familyCanOrder('chola')
  await eventually(async () => {
    const { waiting, active } = await canteen.infrastructure.queue.depth()
    return waiting + active === 0
  })
  expect((await readiness()).status).toBe(200)
})

test('a sweep that fails for ever is named, and the others run', async () => {
  await sql('alter table payments.checks rename to mislaid')
  expect(await failingNamed('check-card-payments')).toMatchObject({ what: 'sweep' })
  await familyCanOrder('bupe')
  await sql('alter table payments.mislaid rename to checks')
  await eventually(async () => (await readiness()).details.failing.length === 0)
})

test('an event that nobody can take in is named by readiness, rebuild and audit', async () => {
  const { infrastructure, modules, now } = canteen
  const stream = 'paymentAttempt-01890000-0000-7000-8000-000000000001'
  const at = now().toISOString()
  const metadata = { actor: 'system', correlationId: stream, causationId: stream, at, schemaVersion: 1 }
  const poison = { id: randomUUID(), type: 'payments.checkout-started.v1', data: { lines: 7 }, metadata }
  await infrastructure.eventStore.append([{ stream, expectedRevision: noStream, events: [poison] }])
  const named = `event 0 of stream ${stream} (payments.checkout-started.v1) cannot be taken in`
  expect(await failingNamed('payments')).toMatchObject({ reason: `${named}; see the log` })
  await expect(
    rebuildSchool(infrastructure, canteen.config, {
      contexts: contextsOf(modules),
      log: silentLog,
      onProgress: () => undefined,
    }),
  ).rejects.toThrow(named)
  const audit = { log: silentLog, now, against: null, onProgress: () => undefined }
  await expect(auditSchool(infrastructure, readConfig({}), audit)).rejects.toThrow(named)
  expect((await readiness()).status).toBe(200)
})

test('a table of the read models that is missing at the start is told at once, by audit too, and made again', async () => {
  const { url, drop } = await freshDatabaseUrl()
  const lost = await openDatabase(url)
  await lost.pool.query('drop table ordering.orders')
  await lost.close()
  const school = await startSchool({ variables: { DATABASE_URL: url }, whole: true })
  const answer = await fetch(`${school.url}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({
    details: {
      readModelsWhole: false,
      failing: [{ what: 'read models', name: 'ordering', reason: 'the table ordering.orders is missing' }],
    },
  })
  const options = { log: silentLog, now: school.now, onProgress: () => undefined }
  await expect(
    auditSchool(school.infrastructure, school.config, { ...options, against: null }),
  ).rejects.toThrow(
    'The read models cannot be audited, for ordering.orders is missing: npm run rebuild makes it again.',
  )
  await rebuildSchool(school.infrastructure, school.config, {
    ...options,
    contexts: contextsOf(school.modules),
  })
  await eventually(async () => (await fetch(`${school.url}/readyz`)).status === 200)
  await school.close()
  await drop()
})
