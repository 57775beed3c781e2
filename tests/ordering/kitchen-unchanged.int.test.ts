import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder, setAbsence, type Order } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, type Canteen } from './canteen'

let canteen: Canteen
let cook: Client
beforeAll(async () => {
  canteen = await openCanteen()
  cook = await canteen.administrator('cook', 'kitchen')
})
afterAll(() => canteen.close())

const paths = ['/api/orders/today', '/api/orders/week/1']

/** What an answer is known by to who has it; asked with it again, nothing is sent. */
const etagOf = async (path: string): Promise<string> => {
  const first = await cook.fetch(path)
  const etag = first.headers.get('etag')!
  const again = await cook.fetch(path, { headers: { 'if-none-match': etag } })
  expect([first.status, again.status, await again.text()]).toEqual([200, 304, ''])
  return etag
}

test('what has not changed is not sent again; whatever changes for the kitchen is', async () => {
  const { parent, children } = await canteen.family('mwila', '1', '2', '3')
  const office = canteen.superadminClient
  const orderFor = async (child: number, comments: string) => {
    const [order] = await place(parent, [canteen.porridgeFor(children[child]!, 1, { comments })])
    return order!
  }
  const setStatus = (order: Order, status: 'completed' | 'pending' | 'cancelled') =>
    office.call(setOrderStatus, { body: { orderIds: [order.id], status } })
  const absent = (order: Order, isAbsent: boolean) =>
    parent.call(setAbsence, { params: { id: order.id }, body: { absent: isAbsent } })

  const known = [await Promise.all(paths.map(etagOf))]
  const differs = async () => {
    const now = await Promise.all(paths.map(etagOf))
    for (const [index, etag] of now.entries()) expect(known.at(-1)![index]).not.toBe(etag)
    known.push(now)
  }
  const first = await orderFor(0, '')
  await differs()
  const second = await orderFor(1, 'warm')
  await differs()
  const third = await orderFor(2, 'warm')
  await differs()
  await parent.call(cancelOrder, { params: { id: second.id } })
  await differs()
  await setStatus(first, 'completed')
  await differs()
  await setStatus(first, 'pending')
  await differs()
  canteen.setClock('2026-09-14T09:00:00+02:00')
  await absent(third, true)
  await differs()
  await absent(third, false)
  await differs()
  await setStatus(third, 'cancelled')
  await differs()
})
