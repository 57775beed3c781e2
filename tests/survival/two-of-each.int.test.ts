import { addStudent } from '#contracts/identity'
import { listOrders, placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { contextsOf } from '#platform/module'
import { listMails } from '../../src/adapters/mail'
import { readConfig } from '../../src/app/config'
import { signIn } from '../../src/app/demo/client'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import { startService } from '../../src/app/service/tuckshop'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { everyEvent } from '../support/every-event'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { silentLog } from '../support/start-postgres'

let canteen: Canteen
const others: { url: string; close: () => Promise<void> }[] = []

/** One more process's worth of the service on the canteen's database. */
const startAnother = async (ROLE: 'web' | 'worker') => {
  const { databaseUrl, eventsUrl, dataDir, now } = canteen
  const config = readConfig({
    ROLE,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    EVENTSTORE_URL: eventsUrl,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    PUBLIC_URL: canteen.url,
  })
  const infrastructure = await openInfrastructure(config, { log: silentLog })
  const environment = { log: silentLog, now, webRoot: null, demo: false }
  const service = await startService(infrastructure, config, environment)
  const close = async () => {
    await service.stop()
    await infrastructure.close()
  }
  others.push({ url: service.url, close })
  return service.url
}

beforeAll(async () => {
  canteen = await openCanteen({ ROLE: 'web' }, { whole: true })
})
afterAll(async () => {
  for (const { close } of others) await close()
  await canteen.close()
})

const rows = async <Row>(text: string) =>
  (await canteen.infrastructure.database.pool.query(text)).rows as Row[]

test('two web processes and two workers on one database: every event counts once, every job is done once', async () => {
  const [otherWeb] = await Promise.all([startAnother('web'), startAnother('worker'), startAnother('worker')])
  const families = await Promise.all(
    ['mwila', 'grace', 'chola', 'bupe'].map(async (username) => {
      const here = await canteen.parent(username, { email: `${username}@example.org` })
      const there = await signIn(otherWeb, username, 'parent-password')
      const small = await here.call(addStudent, { body: { name: `${username} small`, grade: '3' } })
      const big = await there.call(addStudent, { body: { name: `${username} big`, grade: '9' } })
      return { here, there, small, big }
    }),
  )
  // An address that nobody has verified gets five mails a day at most.
  await rows(`update identity.users set "emailVerifiedAt" = now()`)
  await Promise.all(
    families.map(async ({ here, there, small, big }) => {
      for (const day of [1, 2, 3, 4]) {
        const [web, otherOne] = day % 2 === 0 ? [here, there] : [there, here]
        const { orders } = await web.call(placeOrders, { body: [canteen.porridgeFor(small, day)] })
        const seen = (await otherOne.call(listOrders)) as { id: string }[]
        expect(seen.map(({ id }) => id)).toContain(orders[0]!.id)
      }
      const body = { amount: 45.5, cartItems: [canteen.stewFor(big, 2)] }
      const { TransToken } = await there.call(createPayment, { body })
      await here.fetch(`/sandbox/pay/${TransToken}`, {
        method: 'POST',
        body: new URLSearchParams({ outcome: 'close', card: '4111111111111111' }),
      })
    }),
  )
  // The push reaches one process, which settles and acknowledges it; another mails the parent.
  await eventually(async () => {
    const [done] = await rows<{ count: number }>(
      `select count(*)::int as count from payments.attempts where status = 'fulfilled' and kind = 'card' and acknowledged`,
    )
    return done!.count === 4
  })
  // Each family has one mail about its address, one about its payment and one about each of its free lunches.
  const mailed = async () => (await listMails(canteen.dataDir)).map(({ to, text }) => `${to}: ${text}`)
  await eventually(async () => (await mailed()).length >= 24)
  const { depth } = canteen.infrastructure.queue
  await eventually(async () => {
    const { waiting, active, delayed } = await depth()
    return waiting + active + delayed === 0
  })
  expect(await mailed()).toHaveLength(24)
  expect(new Set(await mailed()).size).toBe(24)
  const once = ['payments.payment-verified.v1', 'payments.payment-acknowledged.v1']
  const told = (await everyEvent(canteen.infrastructure.eventStore))
    .filter(({ type }) => once.includes(type))
    .map(({ type, data }) => `${type} ${(data as { attemptId: string }).attemptId}`)
  expect(told).toHaveLength(8)
  expect(new Set(told).size).toBe(8)
  const filled = ['ordering.orders', 'payments.attempts', 'audit.entries']
  const contexts = contextsOf(canteen.modules)
  await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
}, 240_000)

test('a worker and a web process that stop leave their work to the other two', async () => {
  for (const { close } of others.splice(0, 2)) await close()
  const { parent, children } = await canteen.family('thandiwe', '3')
  await parent.call(placeOrders, { body: [canteen.porridgeFor(children[0]!, 2)] })
  // An answer waits 2 s at most for the read models, and on a busy machine the others may need longer to take over.
  await eventually(async () => expect(await parent.call(listOrders)).toHaveLength(1))
})
