import { addStudent } from '#contracts/identity'
import { cancelOrder, listOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { contextsOf } from '#platform/module'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { sweeping } from '../support/school'
import { silentLog } from '../support/start-postgres'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({}, sweeping)
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const sweep = () => canteen.sweep()
const family = async (username: string) => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
  const pay = (day: number) =>
    parent.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(child, day)] } })
  const verify = (transactionId: string) => parent.call(verifyPayment, { params: { transactionId } })
  return { parent, child, pay, verify }
}

test('an hour forward and back: what was placed is there once and can still be cancelled', async () => {
  const { parent, children } = await canteen.family('mwila', '3')
  const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')
  canteen.setClock('2026-09-14T08:30:00+02:00')
  await sweep()
  const cancel = () => parent.call(cancelOrder, { params: { id: order!.id } })
  expect(await refused(cancel())).toMatchObject({ code: 'cancel_window_over' })
  canteen.setClock('2026-09-14T06:00:00+02:00')
  await sweep()
  expect(await place(parent, [canteen.porridgeFor(children[0]!, 2)], 'key')).toMatchObject([
    { id: order!.id },
  ])
  expect(await cancel()).toMatchObject({ status: 'cancelled' })
  expect(await parent.call(listOrders, { query: { includeAll: 'true' } })).toHaveLength(1)
})

test('a payment that a jump forward let run out is honoured when the money locks up', async () => {
  const { parent, pay, verify } = await family('grace')
  const { TransToken } = await pay(3)
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'slow', card: '4111111111111111' }),
  })
  canteen.setClock('2026-09-13T07:00:00+02:00')
  await sweep()
  expect(await verify(TransToken)).toMatchObject({ success: false })
  canteen.setClock('2026-09-14T12:00:00+02:00')
  await sweep()
  canteen.setClock('2026-09-14T07:30:00+02:00')
  await sweep()
  expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 3, paymentStatus: 'confirmed' }])
})

test('a checkout nobody paid gives its day back, though the clock went back meanwhile', async () => {
  const { parent, pay } = await family('chola')
  await pay(4)
  canteen.setClock('2026-09-14T05:00:00+02:00')
  await sweep()
  canteen.setClock('2026-09-14T07:50:00+02:00')
  await sweep()
  const { rows } = await canteen.infrastructure.database.pool.query(
    `select status from payments.attempts where user_id =
       (select id from identity.users where username = 'chola')`,
  )
  expect(rows).toEqual([{ status: 'expired' }])
  expect((await pay(4)).Result).toBe('000')
  expect(await parent.call(listOrders)).toEqual([])
})

test('nobody is signed out by a jump of an hour either way', async () => {
  const { parent } = await family('bupe')
  for (const to of ['08:00', '06:00', '07:00']) {
    canteen.setClock(`2026-09-14T${to}:00+02:00`)
    expect(await parent.call(listOrders)).toEqual([])
  }
})

test('after all these jumps the books balance and the read models are what the events tell', async () => {
  const { infrastructure } = canteen
  const config = readConfig({ DATABASE_URL: canteen.databaseUrl, DATA_DIR: canteen.dataDir })
  const quietly = { log: silentLog, now: canteen.now, against: null, onProgress: () => undefined }
  expect(await auditSchool(infrastructure, config, quietly)).toMatchObject({ exitCode: 0 })
  const filled = ['ordering.orders', 'payments.attempts', 'audit.entries']
  const contexts = contextsOf(canteen.modules)
  await expectRebuildEqualsLive({ ...infrastructure, contexts, filled })
})
