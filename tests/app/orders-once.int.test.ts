import { closeDays, undoClosure } from '#contracts/closures'
import { setOrderStatus, undoOrderStatus } from '#contracts/kitchen'
import {
  cancelOrders,
  substituteOrders,
  cancelOrder,
  changeOrder,
  moveOrder,
  placeOrders,
  setAbsence,
} from '#contracts/ordering'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { order } from '../payments/alternative-canteen'
import { of, expectOnce, newName, type Acts } from './asked-once'

const toClose = (date: string) => ({ dates: [date], reason: 'Strike', remedy: 'credit' as const })

describe('of what is done with orders', () => {
  let canteen: Canteen
  beforeAll(async () => {
    canteen = await openCanteen()
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const porridge = async (...days: [number, number]) => {
    const { parent, children } = await canteen.payingFamily(newName(), '3')
    const lines = days.map((day) => canteen.porridgeFor(children[0]!, day))
    const { orders } = await order(parent, lines)
    const [one, two] = orders.map(({ id }) => id) as [string, string]
    return { parent, one, two, child: children[0]! }
  }
  const change = () => ({
    menuItemId: canteen.items.porridge.id,
    category: 'vegetarian',
    sideDish: 'Bread',
    comments: '',
    discountedPrice: 0,
  })

  const acts: Acts<Canteen> = [
    [
      'placing orders',
      async () => {
        const { parent, child } = await porridge(2, 3)
        return of(
          parent,
          placeOrders,
          { body: [canteen.porridgeFor(child, 4)] },
          { body: [canteen.porridgeFor(child, 5)] },
        )
      },
    ],
    [
      'cancelling an order',
      async () => {
        const { parent, one, two } = await porridge(2, 3)
        return of(parent, cancelOrder, { params: { id: one } }, { params: { id: two } })
      },
    ],
    [
      'changing an order',
      async () => {
        const { parent, one, two } = await porridge(2, 3)
        const body = change()
        return of(parent, changeOrder, { params: { id: one }, body }, { params: { id: two }, body })
      },
    ],
    [
      'moving an order to another day',
      async () => {
        const { parent, one } = await porridge(2, 3)
        const [thursday, friday] = [{ date: '2026-09-17' }, { date: '2026-09-18' }]
        const params = { id: one }
        return of(parent, moveOrder, { params, body: thursday }, { params, body: friday })
      },
    ],
    [
      'saying that a child is ill',
      async () => {
        const { parent, one } = await porridge(1, 2)
        canteen.setClock('2026-09-14T08:30:00+02:00')
        const params = { id: one }
        return of(parent, setAbsence, { params, body: { absent: true } }, { params, body: { absent: false } })
      },
    ],
    [
      'cancelling orders in one act',
      async () => {
        const { one, two } = await porridge(2, 3)
        const why = { reason: 'The oven broke', remedy: 'refund' }
        const client = canteen.superadminClient
        return of(
          client,
          cancelOrders,
          { body: { orderIds: [one], ...why } },
          { body: { orderIds: [two], ...why } },
        )
      },
    ],
    [
      'giving orders another meal in one act',
      async () => {
        const { one, two } = await porridge(2, 3)
        const meal = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
        const client = canteen.superadminClient
        return of(
          client,
          substituteOrders,
          { body: { orderIds: [one], ...meal } },
          { body: { orderIds: [two], ...meal } },
        )
      },
    ],
    [
      'setting the status of orders',
      async () => {
        const { one, two } = await porridge(2, 3)
        const status = 'completed'
        const client = canteen.superadminClient
        return of(
          client,
          setOrderStatus,
          { body: { orderIds: [one], status } },
          { body: { orderIds: [two], status } },
        )
      },
    ],
    [
      'undoing a status',
      async () => {
        const { one, two } = await porridge(2, 3)
        const client = canteen.superadminClient
        const [done, other] = await Promise.all(
          [one, two].map((id) =>
            client.call(setOrderStatus, { body: { orderIds: [id], status: 'completed' } }),
          ),
        )
        return of(
          client,
          undoOrderStatus,
          { body: { batchId: done!.batchId } },
          { body: { batchId: other!.batchId } },
        )
      },
    ],
    [
      'closing a day',
      async () => {
        const params = { id: canteen.cycle.id }
        const client = canteen.superadminClient
        return of(
          client,
          closeDays,
          { params, body: toClose('2026-10-01') },
          { params, body: toClose('2026-10-02') },
        )
      },
    ],
    [
      'undoing a closure',
      async () => {
        const client = canteen.superadminClient
        const closed = async (date: string) => {
          const { id } = await client.call(closeDays, {
            params: { id: canteen.cycle.id },
            body: toClose(date),
          })
          return { params: { id } }
        }
        return of(client, undoClosure, await closed('2026-10-08'), await closed('2026-10-09'))
      },
    ],
  ]
  test.each(acts)('%s', async (_what, prepare) => expectOnce(canteen, await prepare(canteen)))

  test('a call repeated late does not undo what came after it', async () => {
    const { one } = await porridge(2, 3)
    const client = canteen.superadminClient
    const complete = {
      body: { orderIds: [one], status: 'completed' as const },
      headers: { 'idempotency-key': 'late' },
    }
    const done = await client.call(setOrderStatus, complete)
    expect(await client.call(undoOrderStatus, { body: { batchId: done.batchId } })).toMatchObject({
      restored: 1,
    })
    expect(await client.call(setOrderStatus, complete)).toEqual(done)
    expect(await client.call(undoOrderStatus, { body: { batchId: done.batchId } })).toMatchObject({
      restored: 1,
    })
    const again = await client.call(setOrderStatus, { body: complete.body })
    expect(again).toMatchObject({ updated: 1 })
  })
})
