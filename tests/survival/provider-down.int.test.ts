import { addStudent } from '#contracts/identity'
import { listOrders, placeOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'
import { startFakeDpo, type FakeDpo } from '../payments/providers/fake-dpo'
import { sweepCardPayments } from '../support/card-sweeps'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'
import { serveAway, type Away } from './away'

let instant = new Date('2026-09-14T07:00:00+02:00')
let dpo: FakeDpo
let line: Away
let canteen: Canteen

beforeAll(async () => {
  dpo = await startFakeDpo({ now: () => instant })
  line = await serveAway(dpo.url)
  const through = (url: string) => url.replace(dpo.url, line.url)
  const { companyToken, serviceType, createUrl, verifyUrl, payUrl } = dpo.config
  canteen = await openCanteen(
    {
      DPO_COMPANY_TOKEN: companyToken,
      DPO_SERVICE_TYPE: serviceType,
      DPO_CREATE_URL: through(createUrl),
      DPO_VERIFY_URL: through(verifyUrl),
      DPO_PAY_URL: payUrl,
    },
    sweeping,
  )
})
afterAll(async () => {
  await canteen.close()
  await line.close()
  await dpo.close()
})

const setClock = (to: string) => {
  instant = new Date(to)
  canteen.setClock(to)
}
const sweep = () => sweepCardPayments(canteen)
const family = async (username: string, grade: '3' | '9' = '9') => {
  const parent = await canteen.parent(username, { email: `${username}@example.org` })
  return { parent, child: await parent.call(addStudent, { body: { name: 'Child', grade } }) }
}
const pay = async (parent: Client, child: { id: number }) => {
  const cartItems = [canteen.stewFor(child as never, 2)]
  return parent.call(createPayment, { body: { amount: 45.5, cartItems } })
}
const statuses = async () => {
  const { rows } = await canteen.infrastructure.database.pool.query<{ status: string }>(
    `select status from payments.attempts where kind = 'card' order by started_at, user_id`,
  )
  return rows.map(({ status }) => status)
}

test('the provider is away for ten minutes: nobody is told they did not pay, and the sweep settles it all', async () => {
  const paid = await family('mwila')
  const unpaid = await family('grace')
  const { TransToken } = await pay(paid.parent, paid.child)
  await pay(unpaid.parent, unpaid.child)
  await dpo.leave(TransToken, 'pay')

  line.cut()
  const asked = { params: { transactionId: TransToken } }
  expect(await paid.parent.call(verifyPayment, asked)).toMatchObject({ success: false })
  for (const minute of ['02', '04', '06', '08', '10']) {
    setClock(`2026-09-14T07:${minute}:00+02:00`)
    await sweep()
  }
  expect((await statuses()).filter((status) => !['initiated', 'processing'].includes(status))).toEqual([])
  const late = await family('chola')
  expect([502, 503]).toContain((await refused(pay(late.parent, late.child))).status)
  const free = await family('bupe', '3')
  await free.parent.call(placeOrders, { body: [canteen.porridgeFor(free.child, 2)] })

  line.restore()
  // The first may still meet a connection that was cut.
  for (const minute of ['16', '21']) {
    setClock(`2026-09-14T07:${minute}:00+02:00`)
    await sweep()
  }
  const ordered = async () => (await paid.parent.call(listOrders)) as Order[]
  await eventually(async () => (await ordered()).length > 0)
  expect(await ordered()).toMatchObject([{ dayOfWeek: 2, paymentStatus: 'confirmed' }])
  expect(await unpaid.parent.call(listOrders)).toEqual([])
  expect((await pay(late.parent, late.child)).Result).toBe('000')

  setClock('2026-09-14T08:15:00+02:00')
  await sweep()
  expect((await statuses()).join()).toBe('fulfilled,expired,create_failed,expired')
  expect((await pay(unpaid.parent, unpaid.child)).Result).toBe('000')
})
