import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { listMails } from '../../src/adapters/mail'
import { openCanteen, place, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { redisInstalled, startRedis, type RedisServer } from '../support/redis'

const families = ['mwila', 'grace', 'chola']

let redis: RedisServer
let canteen: Canteen

const ready = async () => {
  const answer = await canteen.visitor().fetch('/readyz')
  const { details } = (await answer.json()) as { details: { queue: boolean; database: boolean } }
  return { status: answer.status, ...details }
}
const family = async (username: string) => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  const small = await parent.call(addStudent, { body: { name: 'Small', grade: '3' } })
  const big = await parent.call(addStudent, { body: { name: 'Big', grade: '9' } })
  return { parent, small, big }
}
type Family = Awaited<ReturnType<typeof family>>

/** One free meal, and one that is paid for by card though the parent never comes back: its push and jobs tell. */
const orderAndPay = async ({ parent, small, big }: Family, day: number) => {
  await place(parent, [canteen.porridgeFor(small, day)])
  const body = { amount: 45.5, cartItems: [canteen.stewFor(big, day)] }
  const { TransToken } = await parent.call(createPayment, { body })
  await parent.fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'close', card: '4111111111111111' }),
  })
}
// An address that nobody has verified gets five mails a day at most.
const verifyAddresses = () =>
  canteen.infrastructure.database.pool.query(`update identity.users set "emailVerifiedAt" = now()`)

const settled = async () => {
  const { rows } = await canteen.infrastructure.database.pool.query<{
    status: string
    acknowledged: boolean
  }>(`select status, acknowledged from payments.attempts where kind = 'card'`)
  return rows.filter(({ status, acknowledged }) => status === 'fulfilled' && acknowledged).length
}
const everyOrder = async ({ parent }: Family) =>
  (await parent.call(listOrders, { query: { includeAll: 'true' } })) as Order[]
const mailed = async () =>
  (await listMails(canteen.dataDir)).map(({ to, subject }) => `${to}: ${subject}`).toSorted()

const trial = (remembers: boolean) => () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tuckshop redis '))
    redis = await startRedis(remembers ? folder : undefined)
    canteen = await openCanteen({ REDIS_URL: redis.url }, { sweepEveryMs: 300 })
  })
  afterAll(async () => {
    await redis.kill()
    await rm(folder, { recursive: true, force: true })
  })

  test('it is killed while families order and pay: they go on, and all of it is settled once it is back', async () => {
    const all = await Promise.all(families.map(family))
    await verifyAddresses()
    await Promise.all(all.map((one) => orderAndPay(one, 1)))
    const working = Promise.all(all.map((one) => orderAndPay(one, 2)))
    await redis.kill()
    await working
    await eventually(async () => !(await ready()).queue)
    expect(await ready()).toMatchObject({ status: 503, queue: false, database: true })
    await Promise.all(all.map((one) => orderAndPay(one, 4)))
    const newcomer = await family('bupe')
    await place(newcomer.parent, [canteen.porridgeFor(newcomer.small, 1)])

    await redis.start()
    await eventually(async () => (await ready()).status === 200)
    canteen.setClock('2026-09-14T07:05:00+02:00')
    await eventually(async () => (await settled()) === 9)
    // The orders are another context's view.
    for (const one of all) await eventually(async () => expect(await everyOrder(one)).toHaveLength(6))
    expect(await everyOrder(newcomer)).toHaveLength(1)
    // One about each address, payment and free lunch: none is lost, and none is sent twice.
    const each = 4 + 9 + 10
    await eventually(async () => {
      canteen.passMinute()
      expect((await mailed()).length).toBeGreaterThanOrEqual(each)
    })
    await eventually(async () => {
      const { waiting, active, delayed } = await canteen.infrastructure.queue.depth()
      return waiting + active + delayed === 0
    })
    const confirming = async () => (await mailed()).filter((subject) => /confirm/i.test(subject)).length
    await eventually(async () => (await confirming()) >= 4)
    expect(await confirming()).toBe(4)
    expect(await mailed()).toHaveLength(each)
  }, 180_000)

  test('a service whose Redis is away stops when it is told to', async () => {
    await redis.kill()
    await canteen.close()
  })
}

if (redisInstalled()) {
  describe('a Redis that keeps what it was told', trial(true))
  describe('a Redis that forgets', trial(false))
} else
  test.skip('Redis is killed while families order and pay: there is no redis-server here', () => undefined)
