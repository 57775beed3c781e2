import { deleteParent } from '#contracts/parents'
import { listRefunds } from '#contracts/refunds'
import { cycleOrders } from '#contracts/cycle-orders'
import { eventually } from '../support/eventually'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { refused } from '../ordering/canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

test('a family that is forced out has its open orders cancelled, and what it paid is owed back', async () => {
  const office = canteen.superadminClient
  const { parent, userId, children } = await canteen.family('leaving', '9')
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2), canteen.stewFor(children[0]!, 3)])
  await canteen.verify([orders[0]!.id])
  const params = { id: userId }
  expect(await refused(office.call(deleteParent, { params }))).toMatchObject({
    status: 409,
    code: 'parent_has_orders',
    canForce: true,
    orderCount: 2,
  })
  await office.call(deleteParent, { params, query: { force: 'true' } })
  const { data } = await office.call(cycleOrders, { query: {} })
  expect(data.map(({ status, student }) => [status, student.name])).toEqual([
    ['cancelled', 'leaving 9'],
    ['cancelled', 'leaving 9'],
  ])
  await eventually(async () => {
    const { data: owed } = await office.call(listRefunds, { query: {} })
    return owed.length === 1 && owed[0]!.id === orders[0]!.id
  })
})
