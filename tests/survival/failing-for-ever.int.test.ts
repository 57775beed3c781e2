import { z } from 'zod'
import { listOrders } from '#contracts/ordering'
import { job } from '#platform/jobs/job'
import { openCanteen, place, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'

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
