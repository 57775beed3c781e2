import { once } from 'node:events'
import { kitchenChanges, kitchenToday, notePrint, type KitchenChange } from '#contracts/kitchen'
import { cancelOrder } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { startNode } from '../support/esdb-server/start-node'
import { inTheDatabase } from '../support/school-events'
import { allTried } from '../support/tries'
import { openCanteen, place, type Canteen } from './canteen'

const date = '2026-09-14'
const start = Date.parse('2026-09-14T07:00:00+02:00')

type OpenStore = () => Promise<{ variables: object; stop: () => void }>

const inPostgres: OpenStore = () => Promise.resolve({ variables: inTheDatabase, stop: () => undefined })
const inEventStoreDB: OpenStore = async () => {
  const node = await startNode()
  return { variables: { EVENTSTORE_URL: node.url() }, stop: node.stop }
}

/** Both in the nightly tier. */
const stores: [store: string, open: OpenStore][] = [
  ['Postgres', inPostgres],
  ...(allTried ? [['EventStoreDB', inEventStoreDB] satisfies [string, OpenStore]] : []),
]

const ordered = (changes: readonly KitchenChange[]) =>
  changes.filter(({ kind }) => kind === 'ordered').map(({ orderId }) => orderId)

describe.each(stores)('orders at the moment of a print, the events in %s', (_store, open) => {
  let canteen: Canteen
  let cook: Client
  let stop: () => void
  let families: Awaited<ReturnType<Canteen['family']>>[]
  beforeAll(async () => {
    const events = await open()
    stop = events.stop
    canteen = await openCanteen({ ...events.variables })
    cook = await canteen.administrator('cook', 'kitchen')
    families = []
    for (let number = 1; number <= 6; number += 1)
      families.push(await canteen.family(`family-${number}`, '1', '2', '3', '1', '2', '3', '1', '2'))
  })
  afterAll(async () => {
    await canteen.close()
    stop()
  })
  let ms = 0
  beforeEach(() => tick())

  /** The school's clock goes on with every step, so that no two have the same instant. */
  const tick = () => canteen.setClock(new Date(start + (ms += 1)))
  const list = () => cook.call(kitchenToday, { query: { page: 1, pageSize: 500 } })
  const changesOf = async (since?: string) => {
    tick()
    return cook.call(kitchenChanges, { query: { date, since } })
  }

  /** 48 orders, each begun an instant later; `reached` once so many of them were answered. */
  const orderAll = (many = 1) => {
    let left = many
    const reached = new EventTarget()
    const placed = families.flatMap(({ parent, children }) =>
      children.map(async (child) => {
        tick()
        const [order] = await place(parent, [canteen.porridgeFor(child, 1)])
        left -= 1
        if (left === 0) reached.dispatchEvent(new Event('reached'))
        return { ...order!, parent }
      }),
    )
    return { placing: Promise.all(placed), reached: once(reached, 'reached') }
  }
  type Orders = Awaited<ReturnType<typeof orderAll>['placing']>
  const cancelAll = (orders: Orders) =>
    Promise.all(orders.map(({ parent, id }) => parent.call(cancelOrder, { params: { id } })))

  test.each([1, 12, 30])('each stands on the list or on the slip: printed after answer %i', async (many) => {
    const { placing, reached } = orderAll(many)
    await reached
    tick()
    const paper = await list()
    tick()
    const at = paper.shown?.find((shown) => shown.date === date)?.at
    await cook.call(notePrint, { body: { date, at } })
    const orders = await placing
    const onList = paper.data.map(({ id }) => id)
    const onSlip = ordered((await changesOf()).changes)
    expect([...onList, ...onSlip].toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    await cancelAll(orders)
  })

  test('a print that says nothing of its list is of all that can be seen then', async () => {
    const { placing, reached } = orderAll(8)
    await reached
    tick()
    await cook.call(notePrint, { body: { date } })
    tick()
    const onList = (await list()).data.map(({ id }) => id)
    const orders = await placing
    const onSlip = ordered((await changesOf()).changes)
    expect([...new Set([...onList, ...onSlip])].toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    await cancelAll(orders)
  })

  test('who asks with the last reply’s `at` reads every change once', async () => {
    let since = (await changesOf()).at
    const read: KitchenChange[] = []
    const { placing } = orderAll()
    const all = placing.then(
      () => true,
      () => true,
    )
    for (let isLast = false; !isLast;) {
      isLast = await Promise.race([all, Promise.resolve(false)])
      const reply = await changesOf(since)
      read.push(...reply.changes)
      since = reply.at
    }
    const orders = await placing
    expect(ordered(read).toSorted()).toEqual(orders.map(({ id }) => id).toSorted())
    expect(await changesOf(since)).toMatchObject({ at: since, changes: [] })
    await cancelAll(orders)
    expect((await changesOf(since)).changes.map(({ kind }) => kind)).toEqual(orders.map(() => 'cancelled'))
  })
})
