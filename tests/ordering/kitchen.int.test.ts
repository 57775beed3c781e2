import { createCycle, deactivateCycle, listCycles, reactivateCycle } from '#contracts/cycles'
import type { Student } from '#contracts/identity'
import {
  kitchenChanges,
  kitchenToday,
  kitchenWeek,
  setOrderStatus,
  undoOrderStatus,
} from '#contracts/kitchen'
import { type Order, cancelOrder, setAbsence, listOrders } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, place, refused } from './canteen'

describe('kitchen', () => {
  let canteen: Canteen
  let cook: Client
  let historian: Client

  const week = (client: Client, number: number, query = {}) =>
    client.call(kitchenWeek, { params: { week: number }, query })
  const setStatus = (client: Client, orders: Order[], status: 'completed' | 'pending' | 'cancelled') =>
    client.call(setOrderStatus, { body: { orderIds: orders.map(({ id }) => id), status } })

  const plate = (category: string, sideDish: string, count: number, ...remarks: [string, string][]) => ({
    category,
    sideDish,
    count,
    comments: remarks.map(([text, student]) => ({ text, count: 1, students: [student] })),
  })

  /** Four children have porridge on Tuesday, one of them on Wednesday as well. */
  const orderForWeek = async (weekNumber: number, username: string) => {
    const { parent, children } = await canteen.family(username, '1', '2', '3', '4')
    const [a, b, c, d] = children
    const { porridgeFor } = canteen
    const orders = await place(parent, [
      porridgeFor(a!, 2, { weekNumber, comments: 'warm' }),
      porridgeFor(b!, 2, { weekNumber, category: 'vegetarian', sideDish: 'Bread', comments: 'no nuts' }),
      porridgeFor(c!, 2, { weekNumber, sideDish: 'Bread' }),
      porridgeFor(d!, 2, { weekNumber, comments: 'small' }),
      porridgeFor(d!, 3, { weekNumber }),
    ])
    return { parent, orders }
  }

  let ordered: { orders: Order[]; stew: Order }
  /** In week 1 a stew on Tuesday too; weeks 3 and 4 are those of the tests that change orders. */
  beforeAll(async () => {
    canteen = await openCanteen()
    cook = await canteen.administrator('cook', 'kitchen')
    historian = await canteen.administrator('historian', 'history')
    const { orders } = await orderForWeek(1, 'mwila')
    const { parent, children, userId } = await canteen.family('natasha', '9')
    await canteen.discount(userId, 100)
    const [stew] = await place(parent, [canteen.stewFor(children[0]!, 2)])
    ordered = { orders, stew: stew! }
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  describe('what the kitchen reads', () => {
    test('of one day of a week alone', async () => {
      const { totals, metadata } = await week(cook, 1, { day: 3 })
      expect(totals.map(({ dayOfWeek, total }) => [dayOfWeek, total])).toEqual([[3, 1]])
      expect(metadata.total).toBe(1)
      expect((await week(cook, 1, { day: 1 })).totals).toEqual([])
      expect(await refused(week(cook, 1, { day: 6 }))).toMatchObject({ status: 422 })
    })

    test('portions per day, item, protein and side; the remarks with the plates that they belong to', async () => {
      const { orders, stew } = ordered
      const { totals, metadata, data } = await week(cook, 1)
      expect(totals).toEqual([
        {
          weekNumber: 1,
          dayOfWeek: 2,
          mealDate: '2026-09-15',
          menuItemId: canteen.items.porridge.id,
          menuItem: 'School porridge',
          type: 'primary',
          total: 4,
          unpaid: 0,
          completed: 0,
          cancelledLate: 0,
          proteins: [
            { name: 'chicken', count: 3 },
            { name: 'vegetarian', count: 1 },
          ],
          sides: [
            { name: 'Banana', count: 2 },
            { name: 'Bread', count: 2 },
          ],
          plates: [
            plate('chicken', 'Banana', 2, ['small', 'mwila 4'], ['warm', 'mwila 1']),
            plate('chicken', 'Bread', 1),
            plate('vegetarian', 'Bread', 1, ['no nuts', 'mwila 2']),
          ],
          pendingOrderIds: orders.slice(0, 4).map(({ id }) => id),
        },
        expect.objectContaining({ dayOfWeek: 2, menuItem: 'Stew', type: 'secondary', total: 1, sides: [] }),
        expect.objectContaining({ dayOfWeek: 3, menuItem: 'School porridge', total: 1 }),
      ])
      expect(metadata).toEqual({
        total: 6,
        page: 1,
        pageSize: 100,
        totalPages: 1,
        hasNextPage: false,
        hasPreviousPage: false,
      })
      expect(data.map(({ dayOfWeek, menuItem }) => [dayOfWeek, menuItem.name])).toEqual([
        [2, 'School porridge'],
        [2, 'School porridge'],
        [2, 'School porridge'],
        [2, 'School porridge'],
        [2, 'Stew'],
        [3, 'School porridge'],
      ])
      expect(data.at(-2)).toMatchObject({ id: stew.id, category: 'beef', paymentStatus: 'confirmed' })
      expect(JSON.stringify(data)).not.toContain('mwila')
      expect((await week(cook, 2)).totals).toEqual([])
    })

    test('the raw list has pages, the totals have not', async () => {
      const { data, metadata, totals } = await week(cook, 1, { page: 2, pageSize: 4 })
      expect(data).toHaveLength(2)
      expect(metadata).toMatchObject({
        total: 6,
        page: 2,
        totalPages: 2,
        hasNextPage: false,
        hasPreviousPage: true,
      })
      expect(totals.map(({ total }) => total)).toEqual([4, 1, 1])
      expect((await week(cook, 1, { pageSize: 100_000 })).metadata.pageSize).toBe(500)
    })

    test('today is the school day, also late in the evening', async () => {
      expect(await cook.call(kitchenToday)).toMatchObject({ date: '2026-09-14', totals: [] })
      canteen.setClock('2026-09-15T23:59:00+02:00')
      expect((await cook.call(kitchenToday)).totals.map(({ mealDate }) => mealDate)).toEqual([
        '2026-09-15',
        '2026-09-15',
      ])
      canteen.setClock('2026-09-16T00:00:00+02:00')
      expect((await cook.call(kitchenToday)).totals.map(({ mealDate }) => mealDate)).toEqual(['2026-09-16'])
    })

    test('the kitchen is for administrators with that feature', async () => {
      const { parent } = await canteen.family('kelvin')
      const accountant = await canteen.administrator('accountant', 'revenue')
      for (const client of [parent, accountant]) {
        expect((await refused(client.call(kitchenToday))).status).toBe(403)
        expect((await refused(week(client, 1))).status).toBe(403)
        expect(
          (await refused(setStatus(client, [{ id: '1.2026-09-14.1' } as Order], 'completed'))).status,
        ).toBe(403)
      }
      expect((await canteen.superadminClient.call(kitchenToday)).totals).toEqual([])
    })
  })

  describe('what changes the week', () => {
    /** Some of these tests end the cycle or begin another. */
    afterEach(async () => {
      const office = canteen.superadminClient
      const active = (await office.call(listCycles)).find(({ isActive }) => isActive)
      if (active?.id === canteen.cycle.id) return
      if (active) await office.call(deactivateCycle, { params: { id: active.id } })
      await office.call(reactivateCycle, { params: { id: canteen.cycle.id } })
    })

    test('completed counts on; cancelled in time is gone; cancelled late stays in sight', async () => {
      const { parent, orders } = await orderForWeek(3, 'tembo')
      const [warm, nuts, plain, small] = orders
      await parent.call(cancelOrder, { params: { id: nuts!.id } })
      canteen.setClock('2026-09-29T08:00:00+02:00')
      expect(await setStatus(cook, [warm!], 'completed')).toEqual({
        message: '1 orders marked as complete',
        updated: 1,
        skipped: [],
        batchId: expect.any(String),
      })
      await setStatus(historian, [plain!], 'cancelled')

      const { totals, data, metadata } = await cook.call(kitchenToday)
      expect(totals[0]).toMatchObject({
        total: 2,
        completed: 1,
        cancelledLate: 1,
        proteins: [{ name: 'chicken', count: 2 }],
        sides: [{ name: 'Banana', count: 2 }],
        plates: [{ category: 'chicken', sideDish: 'Banana', count: 2 }],
        pendingOrderIds: [small!.id],
      })
      expect(metadata.total).toBe(3)
      expect(data.find(({ id }) => id === plain!.id)).toMatchObject({
        status: 'cancelled',
        cancelledLate: true,
      })
      expect(data.map(({ id }) => id)).not.toContain(nuts!.id)
    })

    test('a week beyond the cycle is refused; without a cycle weeks count from the one of today', async () => {
      for (const number of [0, 5])
        expect(await refused(week(cook, number))).toMatchObject({
          status: 422,
          code: 'week_outside_cycle',
          message: 'The active order cycle has weeks 1 to 4',
        })
      await canteen.superadminClient.call(deactivateCycle, { params: { id: canteen.cycle.id } })
      const nothing = {
        data: [],
        totals: [],
        allergies: null,
        metadata: expect.objectContaining({ total: 0, totalPages: 1 }),
        planned: [],
      }
      expect(await week(cook, 5)).toEqual(nothing)
      expect((await week(cook, 1)).totals).toHaveLength(3)
      expect((await refused(week(cook, 7))).status).toBe(422)
      canteen.setClock('2026-09-09T07:00:00+02:00')
      expect(
        (await week(cook, 2)).totals.map(({ weekNumber, dayOfWeek }) => [weekNumber, dayOfWeek]),
      ).toEqual([
        [2, 2],
        [2, 2],
        [2, 3],
      ])
    })

    test('a week shows what was ordered for its dates in an earlier cycle too', async () => {
      const office = canteen.superadminClient
      await office.call(deactivateCycle, { params: { id: canteen.cycle.id } })
      await office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] } })
      expect((await week(cook, 1)).totals.map(({ total }) => total)).toEqual([4, 1, 1])
    })

    test('on a day without school the next date that has orders or is a school day is shown', async () => {
      canteen.setClock('2026-09-19T09:00:00+02:00')
      expect(await cook.call(kitchenToday)).toMatchObject({ date: '2026-09-21', totals: [] })
      canteen.setClock('2026-09-13T09:00:00+02:00')
      await canteen.superadminClient.call(deactivateCycle, { params: { id: canteen.cycle.id } })
      const { date, totals } = await cook.call(kitchenToday)
      expect(date).toBe('2026-09-15')
      expect(totals).toHaveLength(2)
    })

    test('what was ordered for today is cooked, also when the cycle has been deactivated meanwhile', async () => {
      canteen.setClock('2026-09-15T06:00:00+02:00')
      const planned = await cook.call(kitchenToday)
      expect(planned.totals).toHaveLength(2)
      await canteen.superadminClient.call(deactivateCycle, { params: { id: canteen.cycle.id } })
      expect(await cook.call(kitchenToday)).toEqual(planned)
    })

    test('the kitchen completes; only the history does more; each order is judged by itself', async () => {
      const { orders, parent } = await orderForWeek(4, 'sakala')
      await parent.call(cancelOrder, { params: { id: orders[1]!.id } })
      canteen.setClock('2026-10-07T08:00:00+02:00')
      const result = await cook.call(setOrderStatus, {
        body: { orderIds: [...orders.map(({ id }) => id), 'lunch'], status: 'completed' },
      })
      expect(result.updated).toBe(4)
      expect(result.skipped.map(({ id, code }) => [id, code])).toEqual([
        [orders[1]!.id, 'already_cancelled'],
        ['lunch', 'order_not_found'],
      ])
      for (const status of ['pending', 'cancelled'] as const)
        expect(await refused(setStatus(cook, orders, status))).toMatchObject({
          status: 403,
          code: 'forbidden',
        })

      expect(await setStatus(historian, orders, 'pending')).toMatchObject({
        message: 'Status updated',
        updated: 5,
        skipped: [],
      })
      expect((await week(cook, 4)).totals[0]).toMatchObject({ total: 4, completed: 0 })
    })
  })
})

describe('in the kitchen', () => {
  let canteen: Canteen
  let cook: Client
  let historian: Client
  beforeAll(async () => {
    canteen = await openCanteen()
    cook = await canteen.administrator('cook', 'kitchen')
    historian = await canteen.administrator('historian', 'history')
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  describe('kitchen unchanged', () => {
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
      const { parent, children } = await canteen.family('mwape', '1', '2', '3')
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
  })

  describe('completing', () => {
    let parent: Client
    let children: Student[]
    beforeAll(async () => {
      ;({ parent, children } = await canteen.family('mwila', '1', '2'))
    })

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
  })

  test('changes oldest first, also where they were stored in another order', async () => {
    const { parent, children } = await canteen.family('moonga', '1', '2')
    const lines = children.map((child) => canteen.porridgeFor(child, 2, { weekNumber: 2 }))
    const [first, second] = [await place(parent, [lines[0]!]), await place(parent, [lines[1]!])].flat()
    await canteen.infrastructure.database.pool.query(
      `update ordering.kitchen_changes set at = at - interval '5 ms' where order_id = $1`,
      [second!.id],
    )
    const { changes } = await cook.call(kitchenChanges, { query: { date: '2026-09-22' } })
    expect(changes.map(({ orderId }) => orderId)).toEqual([second!.id, first!.id])
  })
})
