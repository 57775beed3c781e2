import type { QueryOf } from '#contracts/endpoint'
import { pendingPayments, pendingSorts, type PendingSort } from '#contracts/transfers'
import { refused } from '../ordering/canteen'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'

let canteen: AlternativeCanteen
let reference: string

/** At seven mwila's two stews, a minute apart one stew each of Zoe and of chola, none of them paid for yet. */
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  const mwila = await canteen.family('mwila', '9', '10')
  const zoe = await canteen.family('Zoe', '9')
  const chola = await canteen.family('chola', '9')
  await order(mwila.parent, [canteen.stewFor(mwila.children[0]!, 2), canteen.stewFor(mwila.children[1]!, 3)])
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

test.each(pendingSorts)('groups are sorted by %s both ways, equal ones as they registered', async (sort) => {
  expect(await parents({ sort, direction: 'asc' })).toEqual(ascending[sort])
  expect(await parents({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
  expect(await parents({ sort, direction: 'asc', page: 2, limit: 2 })).toEqual(ascending[sort].slice(2))
})

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
