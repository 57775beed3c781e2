import type { QueryOf } from '#contracts/endpoint'
import { createPayment } from '#contracts/payments'
import { liveOrders, liveSorts, type LiveSort } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'

type Query = QueryOf<typeof liveOrders>

let canteen: Canteen
let office: Client

const pay = (client: Client, cartItems: ReturnType<Canteen['stewFor']>[]) =>
  client.call(createPayment, { body: { amount: cartItems.length * 45.5, cartItems } })

/** At seven zita's stew by card, then a minute apart Abel's two stews by card, Abel's free porridge, mary's stew by card. */
beforeAll(async () => {
  // No sweep: it would ask the provider about the oldest payments and change their status.
  canteen = await openCanteen({}, { sweepEveryMs: 3_600_000 })
  office = await canteen.administrator('office', 'live_orders')
  const zita = await canteen.payingFamily('zita', '9')
  const abel = await canteen.payingFamily('Abel', '9', '1')
  const mary = await canteen.payingFamily('mary', '9')
  // All within the minute before the sweep first asks about them, which would change their status.
  const second = (at: number) => canteen.setClock(`2026-09-14T07:00:0${at}+02:00`)
  await pay(zita.parent, [canteen.stewFor(zita.children[0]!, 2)])
  second(1)
  await pay(abel.parent, [canteen.stewFor(abel.children[0]!, 2), canteen.stewFor(abel.children[0]!, 3)])
  second(2)
  await place(abel.parent, [canteen.porridgeFor(abel.children[1]!, 2)])
  second(3)
  await pay(mary.parent, [canteen.stewFor(mary.children[0]!, 2)])
})
afterAll(() => canteen.close())

const read = (query: Query = {}) => office.call(liveOrders, { query })
const begun = ['zita :00', 'Abel :01', 'Abel :02', 'mary :03'] as const
const names = async (query: Query = {}) =>
  (await read(query)).data.map(({ username, createdAt }) => `${username} :${createdAt.slice(17, 19)}`)

const [zita, twoStews, porridge, mary] = begun
const ascending: Record<Exclude<LiveSort, 'transactionId'>, string[]> = {
  time: [zita, twoStews, porridge, mary],
  parent: [twoStews, porridge, mary, zita],
  student: [porridge, twoStews, mary, zita],
  items: [porridge, zita, twoStews, mary],
  amount: [porridge, zita, mary, twoStews],
  status: [porridge, zita, twoStews, mary],
}

test.each(Object.entries(ascending))(
  'attempts are sorted by %s both ways, equal ones as they were begun',
  async (key, expected) => {
    const sort = key as LiveSort
    expect(await names({ sort, direction: 'asc' })).toEqual(expected)
    expect(await names({ sort, direction: 'desc' })).toEqual(expected.toReversed())
  },
)

test('by transaction id those without one come first', async () => {
  const { data } = await read({ sort: 'transactionId', direction: 'asc' })
  const ids = data.map(({ transactionId }) => transactionId ?? '')
  expect(ids[0]).toBe('')
  expect(ids).toEqual(ids.toSorted())
  expect(await names({ sort: 'transactionId', direction: 'desc' })).toEqual(
    data.map(({ username, createdAt }) => `${username} :${createdAt.slice(17, 19)}`).toReversed(),
  )
})

test('without an order the newest are first', async () => {
  expect(await names()).toEqual(begun.toReversed())
})

test.each(liveSorts)('sorted by %s a page goes on where the one before ended', async (sort) => {
  const all = await names({ sort, direction: 'asc' })
  const pages = [1, 2, 3].map((page) => names({ sort, direction: 'asc', page, limit: 2 }))
  expect(await Promise.all(pages)).toEqual([all.slice(0, 2), all.slice(2), []])
  expect((await read({ sort, page: 2, limit: 3 })).pagination).toEqual({
    page: 2,
    totalOrders: 4,
    totalPages: 2,
    hasPreviousPage: true,
    hasNextPage: false,
  })
})

test('what is filtered is sorted alike', async () => {
  expect(await names({ parent: 'ABEL', sort: 'amount', direction: 'asc' })).toEqual([porridge, twoStews])
  expect(await names({ items: 'stew', sort: 'parent', direction: 'desc' })).toEqual([zita, mary, twoStews])
  expect((await read({ items: 'stew', sort: 'parent' })).pagination.totalOrders).toBe(3)
  expect(await names({ parent: 'nobody', sort: 'parent' })).toEqual([])
})

test.each([{ sort: 'week' }, { direction: 'up' }, { limit: 0 }, { limit: 101 }, { page: 'two' }])(
  'a query of %j is refused',
  async (query) => {
    expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
  },
)
