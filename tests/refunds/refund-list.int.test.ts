import type { QueryOf } from '#contracts/endpoint'
import { cancelOrder } from '#contracts/ordering'
import { completeRefund, listRefunds, refundSorts, type RefundSort } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'

let canteen: AlternativeCanteen
let bursar: Client
const ids: Record<string, string> = {}

const at = (minute: number) => canteen.setClock(`2026-09-14T07:${String(minute).padStart(2, '0')}:00+02:00`)

/** A stew ordered at this minute and paid for, with this discount in percent. */
const stewOf = async (username: string, minute: number, discount: number) => {
  at(minute)
  const { parent, children, userId } = await canteen.family(username, '9')
  if (discount > 0) await canteen.discount(userId, discount)
  const { orders } = await order(parent, [
    canteen.stewFor(children[0]!, 2, {
      discountedPrice: (45.5 * (100 - discount)) / 100,
      discountPercentage: discount,
    }),
  ])
  await canteen.verify([orders[0]!.id])
  ids[username] = orders[0]!.id
  return { parent, id: orders[0]!.id }
}

type Query = QueryOf<typeof listRefunds>
const read = (query: Query = {}) => bursar.call(listRefunds, { query })
const students = async (query: Query = {}) =>
  (await read(query)).data.map(({ student }) => student.name.split(' ')[0])

/** Ordered by zita, Abel and mary in this order, cancelled by mary, Abel and zita; Abel paid half, mary has it back. */
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  bursar = await canteen.administrator('bursar', 'refunds')
  const families = [await stewOf('zita', 0, 0), await stewOf('Abel', 1, 50), await stewOf('mary', 2, 0)]
  for (const [place, { parent, id }] of families.toReversed().entries()) {
    at(10 + place)
    await parent.call(cancelOrder, { params: { id } })
    await eventually(
      async () => (await read({ status: 'all' })).data.some((refund) => refund.id === id),
      20_000,
    )
  }
  await bursar.call(completeRefund, { params: { id: ids.mary! } })
})
afterAll(() => canteen.close())

const ascending: Record<RefundSort, string[]> = {
  due: ['mary', 'Abel', 'zita'],
  date: ['zita', 'Abel', 'mary'],
  student: ['Abel', 'mary', 'zita'],
  item: ['zita', 'Abel', 'mary'],
  amount: ['Abel', 'zita', 'mary'],
  status: ['zita', 'Abel', 'mary'],
}

test.each(refundSorts)('refunds are sorted by %s both ways, equal ones by their ids', async (sort) => {
  const status = 'all'
  expect(await students({ status, sort, direction: 'asc' })).toEqual(ascending[sort])
  expect(await students({ status, sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
  expect(await students({ status, sort, direction: 'asc', page: 2, limit: 2 })).toEqual(
    ascending[sort].slice(2),
  )
})

test('without an order what is owed longest is first', async () => {
  expect(await students()).toEqual(['Abel', 'zita'])
})

test('what was paid back is listed on request, and cannot be paid back again', async () => {
  const { data, metadata } = await read({ status: 'refunded' })
  expect(data).toMatchObject([
    { id: ids.mary, status: 'refunded', amount: 45.5, allowed: { complete: false } },
  ])
  expect(metadata.total).toBe(1)
  expect((await read({ status: 'cancelled' })).data.every(({ allowed }) => allowed.complete)).toBe(true)
})

test('each says whose it is, how it was paid for, and our reference of the payment', async () => {
  const { data } = await read({ text: 'abel' })
  expect(data).toMatchObject([
    {
      parent: { username: 'Abel', name: expect.any(String) },
      payBy: 'other',
      reference: expect.stringMatching(/^LP-/),
    },
  ])
})

test('a text is found in student, item and id', async () => {
  expect(await students({ text: 'ABEL' })).toEqual(['Abel'])
  expect(await students({ text: 'stew' })).toEqual(['Abel', 'zita'])
  expect(await students({ text: ids.zita! })).toEqual(['zita'])
  expect(await students({ text: 'mary' })).toEqual([])
  expect(await students({ text: 'mary', status: 'all' })).toEqual(['mary'])
})

test.each([{ sort: 'id' }, { direction: 'up' }, { limit: 101 }, { status: 'pending' }])(
  'a query of %j is refused',
  async (query) => {
    expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
  },
)
