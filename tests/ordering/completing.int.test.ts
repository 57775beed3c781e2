import type { Student } from '#contracts/identity'
import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import { listOrders, type Order } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
let cook: Client
let historian: Client
let parent: Client
let children: Student[]
beforeAll(async () => {
  canteen = await openCanteen()
  cook = await canteen.administrator('cook', 'kitchen')
  historian = await canteen.administrator('historian', 'history')
  ;({ parent, children } = await canteen.family('mwila', '1', '2'))
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const porridge = (day: number) =>
  place(
    parent,
    children.map((child) => canteen.porridgeFor(child, day)),
  )
const set = (by: Client, orders: readonly Order[], status: 'completed' | 'pending' | 'cancelled') =>
  by.call(setOrderStatus, { body: { orderIds: orders.map(({ id }) => id), status } })
const undo = (by: Client, batchId: string) => by.call(undoOrderStatus, { body: { batchId } })
const statuses = async (orders: readonly Order[]) => {
  const listed = (await parent.call(listOrders)) as Order[]
  return orders.map(({ id }) => listed.find((one) => one.id === id)!.status)
}

test('whoever completed lunches undoes it for ten minutes; asked again it is the same', async () => {
  const orders = await porridge(1)
  const { batchId, updated } = await set(cook, orders, 'completed')
  expect(updated).toBe(2)
  expect(await statuses(orders)).toEqual(['completed', 'completed'])
  expect(await refused(undo(historian, batchId))).toMatchObject({ status: 403, code: 'not_your_batch' })
  canteen.setClock('2026-09-14T07:10:00+02:00')
  expect(await undo(cook, batchId)).toEqual({ restored: 2, skipped: [] })
  expect(await undo(cook, batchId)).toEqual({ restored: 2, skipped: [] })
  expect(await statuses(orders)).toEqual(['pending', 'pending'])
  canteen.setClock('2026-09-14T07:10:00.001+02:00')
  expect(await refused(undo(cook, batchId))).toMatchObject({ status: 409, code: 'too_late' })
  const unknown = '0199c0de-0000-7000-8000-0000000000b1'
  expect(await refused(undo(cook, unknown))).toMatchObject({ status: 404, code: 'batch_not_found' })
})

test('what was completed before, and what has changed since, stays as it is', async () => {
  canteen.setClock('2026-09-15T07:00:00+02:00')
  const [first, second] = (await porridge(2)) as [Order, Order]
  await set(cook, [first], 'completed')
  const { batchId } = await set(cook, [first, second], 'completed')
  expect(await undo(cook, batchId)).toEqual({ restored: 1, skipped: [] })
  expect(await statuses([first, second])).toEqual(['completed', 'pending'])
  const again = await set(cook, [second], 'completed')
  await set(historian, [second], 'cancelled')
  expect(await undo(cook, again.batchId)).toEqual({
    restored: 0,
    skipped: [{ id: second.id, code: 'changed_since', message: 'This order has changed since' }],
  })
})

test('the kitchen completes no lunch before its day; the history may', async () => {
  const orders = await porridge(3)
  expect(await set(cook, orders, 'completed')).toMatchObject({
    updated: 0,
    skipped: orders.map(({ id }) => ({
      id,
      code: 'day_not_come',
      message: 'Lunches of Wednesday, 16 September 2026 can be completed on that day',
    })),
  })
  expect(await set(historian, orders, 'completed')).toMatchObject({ updated: 2, skipped: [] })
  const { batchId } = await set(historian, orders, 'cancelled')
  expect(await undo(historian, batchId)).toEqual({ restored: 0, skipped: [] })
  expect(await statuses(orders)).toEqual(['cancelled', 'cancelled'])
})

test('orders that were cancelled by mistake are pending again', async () => {
  const orders = await porridge(4)
  const { batchId } = await set(historian, orders, 'cancelled')
  expect(await undo(historian, batchId)).toEqual({ restored: 2, skipped: [] })
  expect(await statuses(orders)).toEqual(['pending', 'pending'])
})
