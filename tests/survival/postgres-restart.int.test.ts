import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CartLine, type Order, listOrders, placeOrders } from '#contracts/ordering'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/adapters/embedded-postgres/embedded-postgres'
import { type Client, CallRefused } from '../../src/app/demo/client'
import { killDatabase } from '../crash/processes'
import { type Canteen, openCanteen, place } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { freshDatabaseUrl } from '../support/postgres'
import { sweeping } from '../support/school'
import { silentLog } from '../support/start-postgres'
import { serveAway } from './away'

describe('postgres restart', () => {
  let dataDir: string
  let postgres: EmbeddedPostgres
  let canteen: Canteen
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tuckshop restart '))
    postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
    canteen = await openCanteen({ DATABASE_URL: postgres.url }, sweeping)
  })
  afterAll(async () => {
    await canteen.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const codes = new Set<string>()

  /** Orders once, with one key, as often as it takes; notes how it was refused meanwhile. */
  const orderInTheEnd = (client: Client, line: CartLine, key: string): Promise<Order[]> =>
    eventually(async () => {
      try {
        const headers = { 'idempotency-key': key }
        return (await client.call(placeOrders, { body: [line], headers })).orders
      } catch (error) {
        if (error instanceof CallRefused) codes.add(`${error.status} ${error.body.code}`)
        return false
      }
    })

  test('the database is killed again and again under load: each time the service recovers by itself, and each order is there once', async () => {
    const { parent, children } = await canteen.family('mwila', '3', '3', '3', '3')
    const days = [1, 2, 3, 4].flatMap((week) => [1, 2, 3, 4, 5].map((day) => ({ week, day })))
    const lines = children.flatMap((child) =>
      days
        .filter(({ week, day }) => !(week === 2 && day === 3))
        .map(({ week, day }) => canteen.porridgeFor(child, day, { weekNumber: week })),
    )
    const placed: string[] = []
    const work = async (mine: CartLine[], who: number) => {
      for (const [index, line] of mine.entries())
        for (const { id } of await orderInTheEnd(parent, line, `key-${who}-${index}`)) placed.push(id)
    }
    const quarter = Math.ceil(lines.length / 4)
    const working = Promise.all(
      [0, 1, 2, 3].map((who) => work(lines.slice(who * quarter, (who + 1) * quarter), who)),
    )
    for (let kill = 0; kill < 3; kill += 1) {
      const before = placed.length
      // Four may have been answered at the moment of the last kill: more than those only after a recovery.
      await eventually(() => placed.length > before + 4)
      killDatabase(dataDir)
    }
    await working
    expect(new Set(placed).size).toBe(lines.length)
    // A read model that was away for long is not waited for: it comes back by itself.
    const listed = await eventually(async () => {
      const all = (await parent.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
      return all.length >= lines.length && all
    })
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(placed))
    expect(listed).toHaveLength(lines.length)
    expect([...codes].filter((code) => code !== '503 unavailable')).toEqual([])
  }, 180_000)
})

test('a service whose Postgres is away stops when it is told to', async () => {
  const { url, drop } = await freshDatabaseUrl()
  const line = await serveAway(url)
  const through = new URL(url)
  through.port = new URL(line.url).port
  const canteen = await openCanteen({ DATABASE_URL: through.href }, sweeping)
  const { parent, children } = await canteen.family('mwila', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  line.cut()
  await canteen.close()
  await line.close()
  await drop()
})
