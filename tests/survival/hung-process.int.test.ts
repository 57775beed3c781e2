import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listOrders } from '#contracts/ordering'
import { contextsOf } from '#platform/module'
import { openCanteen, place, type Canteen } from '../ordering/canteen'
import { freePort, launch, ready, type Program } from '../crash/program'
import { eventually } from '../support/eventually'
import { freshDatabaseUrl } from '../support/postgres'
import { inTheDatabase } from '../support/school-events'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'

let canteen: Canteen
let database: Awaited<ReturnType<typeof freshDatabaseUrl>>
let dataDir: string
let other: { program: Program; url: string }

/** The built program on the same database: it is there first, so it projects, reacts and sweeps. */
const startOther = async () => {
  const port = await freePort()
  const variables = { DATABASE_URL: database.url, CLOCK: '2026-09-14T07:00:00+02:00' }
  const there = { dataDir, port, variables }
  const program = launch(there, new Date())
  other = { program, url: `http://127.0.0.1:${port}` }
  await ready(program, there)
}

type Readiness = {
  ready: boolean
  details: { readModels: Record<string, { active: boolean; lagMs: number }> }
}
const readiness = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as Readiness
const lags = ({ details }: Readiness) => Object.values(details.readModels).map(({ lagMs }) => lagMs)

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tuckshop hung '))
  database = await freshDatabaseUrl()
  await startOther()
  canteen = await openCanteen({ DATABASE_URL: database.url, ...inTheDatabase })
})
afterAll(async () => {
  other.program.child.kill('SIGKILL')
  await other.program.gone
  await canteen.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const follows = (all: Readiness) => Object.values(all.details.readModels).some(({ active }) => active)

test('a process that hangs is relieved, what it did not show is shown by another, and awake it does no harm', async () => {
  const { parent, children } = await canteen.family('mwila', '3')
  const first = await place(parent, [canteen.porridgeFor(children[0]!, 1)])
  expect(follows(await readiness(canteen.url))).toBe(false)
  other.program.child.kill('SIGSTOP')
  // The answer goes out once the order can be seen.
  const second = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  const seen = await parent.call(listOrders, { query: { includeAll: 'true' } })
  expect(seen).toHaveLength(first.length + second.length)
  await eventually(async () => {
    const told = await readiness(canteen.url)
    return told.ready && Math.max(...lags(told)) === 0
  })
  expect(follows(await readiness(canteen.url))).toBe(true)
  // Its sweeps are run by this process too: what nobody answered for is held by living sessions alone.
  await eventually(async () => {
    const { rows } = await canteen.infrastructure.database.pool.query<{ silent: number }>(
      `select count(*)::int as silent from pg_stat_activity where application_name = 'tuckshop locks'
       and datname = current_database() and state_change < clock_timestamp() - interval '10 s'`,
    )
    return rows[0]!.silent === 0
  })

  other.program.child.kill('SIGCONT')
  await place(parent, [canteen.porridgeFor(children[0]!, 4)])
  await eventually(async () => (await readiness(other.url)).ready)
  const { infrastructure, modules } = canteen
  await expectRebuildEqualsLive({
    ...infrastructure,
    contexts: contextsOf(modules),
    filled: ['ordering.orders'],
  })
})
