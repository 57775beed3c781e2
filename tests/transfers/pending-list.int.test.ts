import { setOrderStatus } from '#contracts/kitchen'
import { type Order, cancelOrder, listOrders } from '#contracts/ordering'
import { type PendingSort, pendingPayments, pendingSorts } from '#contracts/transfers'
import type { QueryOf } from '#contracts/endpoint'
import { refused } from '../ordering/canteen'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'

describe('alternative pending', () => {
  let canteen: AlternativeCanteen
  let families: Awaited<ReturnType<typeof twoFamilies>>
  const open = async () => {
    canteen = await openAlternativeCanteen({}, { inStep: true })
  }
  const close = () => canteen.close()

  const pending = (page?: number) => canteen.superadminClient.call(pendingPayments, { query: { page } })

  const twoFamilies = async (one = 'mwila', two = 'grace') => {
    canteen.setClock('2026-09-14T07:00:00+02:00')
    const mwila = await canteen.family(one, '9', '10')
    const grace = await canteen.family(two, '9')
    const first = await order(mwila.parent, [
      canteen.stewFor(mwila.children[0]!, 2),
      canteen.stewFor(mwila.children[1]!, 3),
    ])
    canteen.setClock('2026-09-14T07:10:00+02:00')
    const second = await order(grace.parent, [canteen.stewFor(grace.children[0]!, 4)])
    canteen.setClock('2026-09-14T07:20:00+02:00')
    const third = await order(mwila.parent, [canteen.stewFor(mwila.children[0]!, 5)])
    return { mwila, grace, first, second, third }
  }

  const idsOf = (orders: Order[]) => orders.map(({ id }) => id)

  describe('pending payments, looked at', () => {
    beforeAll(async () => {
      await open()
      families = await twoFamilies()
    })
    afterAll(close)

    test('orders yet to be paid for stand by parent, who waits longest first, with total and reference', async () => {
      const { mwila, grace, first, second, third } = families
      expect(await pending()).toEqual({
        data: [
          {
            parentId: mwila.userId,
            parentUsername: 'mwila',
            parentName: 'mwila',
            parentPhone: null,
            totalAmount: 136.5,
            lapsesAt: null,
            orders: [
              expect.objectContaining({ id: first.orders[0]!.id, reference: first.payment!.reference }),
              expect.objectContaining({ id: first.orders[1]!.id, reference: first.payment!.reference }),
              expect.objectContaining({ id: third.orders[0]!.id, reference: third.payment!.reference }),
            ],
          },
          {
            parentId: grace.userId,
            parentUsername: 'grace',
            parentName: 'grace',
            parentPhone: null,
            totalAmount: 45.5,
            lapsesAt: null,
            orders: [
              {
                id: second.orders[0]!.id,
                orderDate: '2026-09-14T05:10:00.000Z',
                student: { name: 'grace 9', grade: '9' },
                menuItem: { name: 'Stew' },
                weekNumber: 1,
                dayOfWeek: 4,
                amount: 45.5,
                reference: second.payment!.reference,
                payBy: 'other',
              },
            ],
          },
        ],
        pagination: { page: 1, totalGroups: 2, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
      })
      expect(first.payment!.reference).not.toBe(third.payment!.reference)
      expect(await pending(2)).toMatchObject({ data: [], pagination: { page: 2, hasPreviousPage: true } })
      const { data, pagination } = await canteen.superadminClient.call(pendingPayments, {
        query: { page: 2, limit: 1 },
      })
      expect(data.map(({ orders }) => orders.map(({ id }) => id))).toEqual([[second.orders[0]!.id]])
      expect(pagination).toMatchObject({ totalGroups: 2, totalPages: 2 })
    })

    test('with an unknown order among them marks none, and names it', async () => {
      const { mwila, first } = families
      for (const unknown of ['lunch', '118.2026-09-15.1', `${first.orders[0]!.id}1`])
        expect(await refused(canteen.verify([first.orders[0]!.id, unknown]))).toMatchObject({
          status: 404,
          code: 'order_not_found',
          orderIds: [unknown],
        })
      const orders = (await mwila.parent.call(listOrders)) as Order[]
      expect(orders.map(({ paymentStatus }) => paymentStatus)).toEqual(['pending', 'pending', 'pending'])
    })

    test('of nothing, and of too many at once, is refused', async () => {
      expect(await refused(canteen.verify([]))).toMatchObject({
        status: 422,
        message: 'Please select orders to verify',
      })
      expect(
        (await refused(canteen.verify(Array.from({ length: 1001 }, () => '1.2026-09-14.1')))).status,
      ).toBe(422)
    })

    test('alternative payments rebuilt from the events equal the live ones', async () => {
      const contexts = canteen.modules.filter(({ name }) => name === 'payments')
      const filled = ['payments.attempts']
      await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
    })
  })

  describe('pending payments, settled', () => {
    beforeAll(open)
    afterAll(close)
    let count = 0
    beforeEach(async () => {
      count += 1
      families = await twoFamilies(`mwila.${count}`, `grace.${count}`)
    })

    /** Those of the families of this test, and how many there are of all. */
    const ofThese = async (by = canteen.superadminClient) => {
      const { data, pagination } = await by.call(pendingPayments, { query: { limit: 100 } })
      const these = [families.mwila.userId, families.grace.userId]
      return { data: data.filter(({ parentId }) => these.includes(parentId)), groups: pagination.totalGroups }
    }

    test('verified, cancelled and free orders are not pending; one that was cooked is', async () => {
      const { mwila, grace, first, second, third } = families
      const before = await ofThese()
      const { children, parent } = await canteen.family('chola', '2')
      await order(parent, [canteen.porridgeFor(children[0]!, 2)])
      expect(await canteen.verify([first.orders[0]!.id])).toEqual({
        message: '1 payment verified',
        updated: 1,
      })
      await grace.parent.call(cancelOrder, { params: { id: second.orders[0]!.id } })
      await canteen.superadminClient.call(setOrderStatus, {
        body: { orderIds: idsOf(third.orders), status: 'completed' },
      })
      const { data, groups } = await ofThese()
      expect(data.map(({ parentId, totalAmount }) => [parentId, totalAmount])).toEqual([[mwila.userId, 91]])
      expect(data[0]!.orders.map(({ id }) => id)).toEqual([first.orders[1]!.id, third.orders[0]!.id])
      expect(before.groups - groups).toBe(1)
    })

    test('marks the orders paid, and again is harmless', async () => {
      const { mwila, first, third } = families
      const ids = [...idsOf(first.orders), ...idsOf(third.orders)]
      const told = { message: '3 payments verified', updated: 3 }
      expect(await canteen.verify([...ids, ids[0]!])).toEqual(told)
      expect(await canteen.verify(ids)).toEqual(told)
      const orders = (await mwila.parent.call(listOrders)) as Order[]
      expect(orders.map(({ paymentStatus }) => paymentStatus)).toEqual([
        'confirmed',
        'confirmed',
        'confirmed',
      ])
    })

    test('says which were cancelled meanwhile, and marks the others', async () => {
      const { grace, second, third } = families
      await grace.parent.call(cancelOrder, { params: { id: second.orders[0]!.id } })
      expect(await canteen.verify(idsOf([...second.orders, ...third.orders]))).toEqual({
        message: '1 payment verified, 1 could not be: This order is already cancelled',
        updated: 1,
      })
      expect(await grace.parent.call(listOrders)).toMatchObject([{ paymentStatus: 'pending' }])
    })

    test('only administrators with the feature see and verify them', async () => {
      const { mwila, first } = families
      const cook = await canteen.administrator('cook', 'kitchen', 'refunds')
      for (const client of [mwila.parent, cook]) {
        expect((await refused(client.call(pendingPayments))).status).toBe(403)
        expect((await refused(canteen.verify([first.orders[0]!.id], client))).status).toBe(403)
      }
      const clerk = await canteen.administrator('clerk', 'pending_payments')
      expect((await ofThese(clerk)).data).toHaveLength(2)
      expect(await canteen.verify([first.orders[0]!.id], clerk)).toMatchObject({ updated: 1 })
    })
  })
})

describe('pending list', () => {
  let canteen: AlternativeCanteen
  let reference: string

  /** At seven mwila's two stews, a minute apart one stew each of Zoe and of chola, none of them paid for yet. */
  beforeAll(async () => {
    canteen = await openAlternativeCanteen({}, { inStep: true })
    const mwila = await canteen.family('mwila', '9', '10')
    const zoe = await canteen.family('Zoe', '9')
    const chola = await canteen.family('chola', '9')
    await order(mwila.parent, [
      canteen.stewFor(mwila.children[0]!, 2),
      canteen.stewFor(mwila.children[1]!, 3),
    ])
    canteen.setClock('2026-09-14T07:01:00+02:00')
    const { payment } = await order(zoe.parent, [canteen.stewFor(zoe.children[0]!, 2)])
    reference = payment!.reference
    canteen.setClock('2026-09-14T07:02:00+02:00')
    await order(chola.parent, [canteen.stewFor(chola.children[0]!, 2)])
  })
  afterAll(() => canteen.close())

  const read = (query: QueryOf<typeof pendingPayments>) =>
    canteen.superadminClient.call(pendingPayments, { query })
  const parents = async (query: QueryOf<typeof pendingPayments>) =>
    (await read(query)).data.map(({ parentUsername }) => parentUsername)

  const ascending: Record<PendingSort, string[]> = {
    waiting: ['mwila', 'Zoe', 'chola'],
    parent: ['chola', 'mwila', 'Zoe'],
    amount: ['Zoe', 'chola', 'mwila'],
    orders: ['Zoe', 'chola', 'mwila'],
  }

  test.each(pendingSorts)(
    'groups are sorted by %s both ways, equal ones as they registered',
    async (sort) => {
      expect(await parents({ sort, direction: 'asc' })).toEqual(ascending[sort])
      expect(await parents({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
      expect(await parents({ sort, direction: 'asc', page: 2, limit: 2 })).toEqual(ascending[sort].slice(2))
    },
  )

  test('without an order who waits longest is first', async () => {
    expect(await parents({})).toEqual(ascending.waiting)
  })

  test('a text is found in parent, student, item and reference; a group is shown whole', async () => {
    expect(await parents({ text: 'CHO' })).toEqual(['chola'])
    const { data, pagination } = await read({ text: 'mwila 10' })
    expect(data.map(({ orders }) => orders.length)).toEqual([2])
    expect(pagination.totalGroups).toBe(1)
    expect(await parents({ text: 'stew' })).toEqual(ascending.waiting)
    expect(await parents({ text: reference.toLowerCase() })).toEqual(['Zoe'])
    expect(await parents({ text: 'nothing of it' })).toEqual([])
  })

  test.each([{ sort: 'student' }, { direction: 'up' }, { limit: 101 }, { text: 'x'.repeat(101) }])(
    'a query of %j is refused',
    async (query) => {
      expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
})
