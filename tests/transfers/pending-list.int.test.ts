import type { QueryOf } from '#contracts/endpoint'
import type { Student } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { type Order, cancelOrder, listOrders } from '#contracts/ordering'
import { type PendingSort, pendingPayments, pendingSorts } from '#contracts/transfers'
import { refused } from '../ordering/canteen'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'

let canteen: AlternativeCanteen
let shown: Awaited<ReturnType<typeof fourFamilies>>

/** No job is needed: an order stands, is paid and is cancelled within its request. */
beforeAll(async () => {
  canteen = await openAlternativeCanteen({ ROLE: 'web' })
  shown = await fourFamilies()
})
afterAll(() => canteen.close())

const at = (minute: number) => canteen.setClock(`2026-09-14T07:${String(minute).padStart(2, '0')}:00+02:00`)
const stewOf = (family: { children: Student[] }, day: number, child = 0) =>
  canteen.stewFor(family.children[child]!, day)

/** mwila's two stews at seven, then one stew each of Zoe, chola and grace, then another of mwila; none is paid for. */
const fourFamilies = async () => {
  const mwila = await canteen.family('mwila', '9', '10')
  const zoe = await canteen.family('Zoe', '9')
  const chola = await canteen.family('chola', '9')
  const grace = await canteen.family('grace', '9')
  const first = await order(mwila.parent, [stewOf(mwila, 2), stewOf(mwila, 3, 1)])
  at(1)
  const ofZoe = await order(zoe.parent, [stewOf(zoe, 2)])
  at(2)
  await order(chola.parent, [stewOf(chola, 2)])
  at(10)
  const ofGrace = await order(grace.parent, [stewOf(grace, 4)])
  at(20)
  const third = await order(mwila.parent, [stewOf(mwila, 5)])
  return { mwila, grace, first, ofZoe, ofGrace, third }
}

const idsOf = (orders: Order[]) => orders.map(({ id }) => id)
const read = (query: QueryOf<typeof pendingPayments> = {}) =>
  canteen.superadminClient.call(pendingPayments, { query })
const parents = async (query: QueryOf<typeof pendingPayments>) =>
  (await read(query)).data.map(({ parentUsername }) => parentUsername)

describe('pending list', () => {
  const ascending: Record<PendingSort, string[]> = {
    waiting: ['mwila', 'Zoe', 'chola', 'grace'],
    parent: ['chola', 'grace', 'mwila', 'Zoe'],
    amount: ['Zoe', 'chola', 'grace', 'mwila'],
    orders: ['Zoe', 'chola', 'grace', 'mwila'],
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
    expect(data.map(({ orders }) => orders.length)).toEqual([3])
    expect(pagination.totalGroups).toBe(1)
    expect(await parents({ text: 'stew' })).toEqual(ascending.waiting)
    expect(await parents({ text: shown.ofZoe.payment!.reference.toLowerCase() })).toEqual(['Zoe'])
    expect(await parents({ text: 'nothing of it' })).toEqual([])
  })

  test.each([{ sort: 'student' }, { direction: 'up' }, { limit: 101 }, { text: 'x'.repeat(101) }])(
    'a query of %j is refused',
    async (query) => {
      expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
})

describe('alternative pending', () => {
  describe('pending payments, looked at', () => {
    test('orders yet to be paid for stand by parent, who waits longest first, with total and reference', async () => {
      const { mwila, grace, first, ofGrace, third } = shown
      expect(await read()).toEqual({
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
          expect.objectContaining({ parentUsername: 'Zoe', totalAmount: 45.5 }),
          expect.objectContaining({ parentUsername: 'chola', totalAmount: 45.5 }),
          {
            parentId: grace.userId,
            parentUsername: 'grace',
            parentName: 'grace',
            parentPhone: null,
            totalAmount: 45.5,
            lapsesAt: null,
            orders: [
              {
                id: ofGrace.orders[0]!.id,
                orderDate: '2026-09-14T05:10:00.000Z',
                student: { name: 'grace 9', grade: '9' },
                menuItem: { name: 'Stew' },
                weekNumber: 1,
                dayOfWeek: 4,
                amount: 45.5,
                reference: ofGrace.payment!.reference,
                payBy: 'other',
              },
            ],
          },
        ],
        pagination: { page: 1, totalGroups: 4, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
      })
      expect(first.payment!.reference).not.toBe(third.payment!.reference)
      expect(await read({ page: 2 })).toMatchObject({
        data: [],
        pagination: { page: 2, hasPreviousPage: true },
      })
      const { data, pagination } = await read({ page: 4, limit: 1 })
      expect(data.map(({ orders }) => orders.map(({ id }) => id))).toEqual([[ofGrace.orders[0]!.id]])
      expect(pagination).toMatchObject({ totalGroups: 4, totalPages: 4 })
    })

    test('with an unknown order among them marks none, and names it', async () => {
      const { mwila, first } = shown
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
    /** A family's two stews in one checkout and a third in another. */
    const threeStews = async (username: string) => {
      const family = await canteen.family(username, '9', '10')
      const first = await order(family.parent, [stewOf(family, 2), stewOf(family, 3, 1)])
      const third = await order(family.parent, [stewOf(family, 5)])
      return { ...family, first, third }
    }
    const oneStew = async (username: string) => {
      const family = await canteen.family(username, '9')
      return { ...family, ...(await order(family.parent, [stewOf(family, 4)])) }
    }

    test('verified, cancelled and free orders are not pending; one that was cooked is', async () => {
      const { userId, first, third } = await threeStews('settled-mwila')
      const cancelled = await oneStew('settled-grace')
      const { children, parent } = await canteen.family('settled-chola', '2')
      await order(parent, [canteen.porridgeFor(children[0]!, 2)])
      expect(await canteen.verify([first.orders[0]!.id])).toEqual({
        message: '1 payment verified',
        updated: 1,
      })
      await cancelled.parent.call(cancelOrder, { params: { id: cancelled.orders[0]!.id } })
      await canteen.superadminClient.call(setOrderStatus, {
        body: { orderIds: idsOf(third.orders), status: 'completed' },
      })
      const { data, pagination } = await read({ text: 'settled' })
      expect(data.map(({ parentId, totalAmount }) => [parentId, totalAmount])).toEqual([[userId, 91]])
      expect(data[0]!.orders.map(({ id }) => id)).toEqual([first.orders[1]!.id, third.orders[0]!.id])
      expect(pagination.totalGroups).toBe(1)
    })

    test('marks the orders paid, and again is harmless', async () => {
      const { parent, first, third } = await threeStews('marked')
      const ids = [...idsOf(first.orders), ...idsOf(third.orders)]
      const told = { message: '3 payments verified', updated: 3 }
      expect(await canteen.verify([...ids, ids[0]!])).toEqual(told)
      expect(await canteen.verify(ids)).toEqual(told)
      const orders = (await parent.call(listOrders)) as Order[]
      expect(orders.map(({ paymentStatus }) => paymentStatus)).toEqual([
        'confirmed',
        'confirmed',
        'confirmed',
      ])
    })

    test('says which were cancelled meanwhile, and marks the others', async () => {
      const [cancelled, other] = [await oneStew('meanwhile'), await oneStew('other')]
      await cancelled.parent.call(cancelOrder, { params: { id: cancelled.orders[0]!.id } })
      expect(await canteen.verify(idsOf([...cancelled.orders, ...other.orders]))).toEqual({
        message: '1 payment verified, 1 could not be: This order is already cancelled',
        updated: 1,
      })
      expect(await cancelled.parent.call(listOrders)).toMatchObject([{ paymentStatus: 'pending' }])
    })

    test('only administrators with the feature see and verify them', async () => {
      const { parent, orders } = await oneStew('guarded')
      const cook = await canteen.administrator('cook', 'kitchen', 'refunds')
      for (const client of [parent, cook]) {
        expect((await refused(client.call(pendingPayments))).status).toBe(403)
        expect((await refused(canteen.verify(idsOf(orders), client))).status).toBe(403)
      }
      const clerk = await canteen.administrator('clerk', 'pending_payments')
      const { data } = await clerk.call(pendingPayments, { query: { text: 'guarded' } })
      expect(data).toHaveLength(1)
      expect(await canteen.verify(idsOf(orders), clerk)).toMatchObject({ updated: 1 })
    })
  })
})
