import { setOrderStatus } from '#contracts/kitchen'
import { listOrders, type Order, cancelOrders } from '#contracts/ordering'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { writtenTo } from '../support/outbox'

let canteen: AlternativeCanteen

beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const statuses = async (parent: AlternativeCanteen['superadminClient']) =>
  ((await parent.call(listOrders)) as Order[]).map(({ status }) => status).toSorted()

test('of two administrators who cancel the same orders at once one counts, and the family gets one mail', async () => {
  const one = await canteen.administrator('one', 'history')
  const other = await canteen.administrator('other', 'history')
  const { parent, children, userId } = await canteen.payingFamily('chanda', '9')
  const { orders } = await order(
    parent,
    [2, 3, 4].map((day) => canteen.stewFor(children[0]!, day)),
  )
  const orderIds = orders.map(({ id }) => id)
  await canteen.verify(orderIds)
  const answers = await Promise.all(
    ([one, other] as const).map((who, index) =>
      who.call(cancelOrders, {
        body: { orderIds, reason: 'The oven broke', remedy: index === 0 ? 'credit' : 'refund' },
        headers: { 'idempotency-key': `act-${index}` },
      }),
    ),
  )
  expect(answers.map(({ cancelled }) => cancelled).toSorted()).toEqual([0, 3])
  const late = answers.find(({ cancelled }) => cancelled === 0)!
  expect(late).toMatchObject({ owed: 0, families: 0, notTold: 0 })
  expect(late.skipped).toHaveLength(3)
  expect(new Set(late.skipped.map(({ code }) => code))).toEqual(new Set(['already_cancelled']))
  expect(await statuses(parent)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  const { pool } = canteen.infrastructure.database
  expect(await writtenTo(pool, userId, 'Meals of yours are cancelled')).toBe(1)
})

test('orders that were completed are skipped', async () => {
  const { parent, children } = await canteen.payingFamily('mulenga', '9')
  const { orders } = await order(
    parent,
    [2, 3].map((day) => canteen.stewFor(children[0]!, day)),
  )
  const [eaten, waiting] = orders.map(({ id }) => id)
  await canteen.verify([eaten!, waiting!])
  canteen.setClock('2026-09-15T12:30:00+02:00')
  await canteen.superadminClient.call(setOrderStatus, { body: { orderIds: [eaten!], status: 'completed' } })
  const answer = await canteen.superadminClient.call(cancelOrders, {
    body: { orderIds: [eaten!, waiting!], reason: 'The oven broke', remedy: 'refund' },
  })
  expect(answer).toMatchObject({
    cancelled: 1,
    owed: 45.5,
    skipped: [{ orderId: eaten, code: 'already_completed', message: 'This order is already completed' }],
  })
  expect(await statuses(parent)).toEqual(['cancelled', 'completed'])
})
