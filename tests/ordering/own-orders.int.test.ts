import { convertToTeacher, listStudents } from '#contracts/identity'
import { cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

test('a parent cancels within the hour, and the day is free again', async () => {
  const { parent, children } = await canteen.family('mwila', '3')
  const lines = [canteen.porridgeFor(children[0]!, 2)]
  const [order] = await place(parent, lines)
  expect(order).toMatchObject({
    allowed: { cancel: true, cancelForMs: 3_600_000 },
    cancellableUntil: '2026-09-14T06:00:00.000Z',
  })
  canteen.setClock('2026-09-14T08:00:00+02:00')
  const cancelled = await parent.call(cancelOrder, { params: { id: order!.id } })
  expect(cancelled).toMatchObject({ id: order!.id, status: 'cancelled', allowed: { cancel: false } })
  expect(await parent.call(listOrders)).toEqual([cancelled])
  expect(await parent.call(cancelOrder, { params: { id: order!.id } })).toEqual(cancelled)

  const [next] = await place(parent, lines)
  expect(next!.id).toBe(`${order!.id.slice(0, -1)}2`)
})

test("a child's lunch of one date is ordered 30 times at most", async () => {
  const { parent, children } = await canteen.family('undecided', '3')
  const lines = [canteen.porridgeFor(children[0]!, 2)]
  for (let turn = 0; turn < 30; turn += 1) {
    const [order] = await place(parent, lines)
    await parent.call(cancelOrder, { params: { id: order!.id } })
  }
  const message = `${children[0]!.name}'s lunch of 15 September was ordered and cancelled 30 times. Ask the office.`
  expect(await refused(place(parent, lines))).toMatchObject({
    status: 409,
    code: 'lines_refused',
    message,
    lines: [{ index: 0, code: 'too_many_orders', message }],
  })
  expect(await place(parent, [canteen.porridgeFor(children[0]!, 3)])).toHaveLength(1)
})

test('a moment after the hour it is too late, and the list says so', async () => {
  const { parent, children } = await canteen.family('grace', '3')
  const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  canteen.setClock('2026-09-14T08:00:00.001+02:00')
  expect(await refused(parent.call(cancelOrder, { params: { id: order!.id } }))).toMatchObject({
    status: 409,
    code: 'cancel_window_over',
  })
  expect(await parent.call(listOrders)).toMatchObject([{ status: 'pending', allowed: { cancel: false } }])
})

test("someone else's order, one that never was and what is no id are not found", async () => {
  const { parent, children } = await canteen.family('kelvin', '3')
  const { parent: other } = await canteen.family('natasha', '3')
  const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  for (const id of [order!.id, `${order!.id.slice(0, -1)}9`, 'lunch'])
    expect(await refused(other.call(cancelOrder, { params: { id } }))).toMatchObject({
      status: 404,
      code: 'order_not_found',
    })
  expect(await other.call(listOrders)).toEqual([])
  expect(await parent.call(listOrders)).toMatchObject([{ status: 'pending' }])
})

test('the newest orders come first', async () => {
  const { parent, children } = await canteen.family('chola', '3')
  await place(parent, [canteen.porridgeFor(children[0]!, 4), canteen.porridgeFor(children[0]!, 2)])
  canteen.setClock('2026-09-14T07:10:00+02:00')
  await place(parent, [canteen.porridgeFor(children[0]!, 3)])
  const orders = (await parent.call(listOrders)) as Order[]
  expect(orders.map(({ dayOfWeek }) => dayOfWeek)).toEqual([3, 2, 4])
})

test('a teacher orders for themselves, without a side dish', async () => {
  const { parent, userId } = await canteen.family('mr-phiri')
  await parent.call(convertToTeacher)
  const teacher = await canteen.signIn('mr-phiri', 'parent-password')
  const [staff] = await teacher.call(listStudents)
  const lunch = canteen.stewFor(staff!, 2, { sideDish: 'Chips' })
  expect((await refused(place(teacher, [lunch]))).code).toBe('payment_required')
  await canteen.discount(userId, 100)
  const [order] = await place(teacher, [{ ...lunch, discountedPrice: 0 }])
  expect(order).toMatchObject({ student: { grade: 'teacher' }, sideDish: null })
  expect(await teacher.call(listOrders, { query: { unpaginated: 'true' } })).toEqual({ data: [order] })
})

test('orders are for parents and teachers', async () => {
  expect((await refused(canteen.superadminClient.call(listOrders))).status).toBe(403)
  expect((await refused(canteen.visitor().call(listOrders))).status).toBe(401)
  const cancelling = canteen.superadminClient.call(cancelOrder, { params: { id: '1.2026-09-14.1' } })
  expect((await refused(cancelling)).status).toBe(403)
})
