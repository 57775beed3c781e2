import { classList } from '#contracts/class-list'
import { cancelOrder } from '#contracts/ordering'
import type { Client } from '../../src/app/scenes/client'
import { openCanteen, place, refused } from './canteen'
import type { Canteen } from './canteen'

let canteen: Canteen
let cook: Client
beforeAll(async () => {
  canteen = await openCanteen()
  cook = await canteen.administrator('cook', 'kitchen')
})
afterAll(() => canteen.close())

const listed = async (date: string) => (await cook.call(classList, { query: { date } })).data

test('names who gets what on a day, by grade from the smallest and by name; what was cancelled is not on it', async () => {
  const { parent, children } = await canteen.family('mwila', '2', 'ELC', '4', '2')
  const [second, small, fourth, alsoSecond] = children
  const [, , last] = await place(parent, [
    canteen.porridgeFor(second!, 2, { comments: 'warm' }),
    canteen.porridgeFor(small!, 2),
    canteen.porridgeFor(fourth!, 2),
    canteen.porridgeFor(alsoSecond!, 2),
    canteen.porridgeFor(second!, 3),
  ])
  await parent.call(cancelOrder, { params: { id: last!.id } })
  const list = await listed('2026-09-15')
  expect(list.map(({ grade, student }) => [grade, student])).toEqual([
    ['ELC', 'mwila ELC'],
    ['2', 'mwila 2'],
    ['2', 'mwila 2'],
  ])
  expect(list[1]).toEqual({
    id: expect.any(String),
    grade: '2',
    student: 'mwila 2',
    menuItem: 'School porridge',
    category: 'chicken',
    sideDish: 'Banana',
    comments: 'warm',
    status: 'pending',
    paymentStatus: 'confirmed',
  })
  expect(await listed('2026-09-16')).toHaveLength(1)
  expect(await listed('2026-09-17')).toEqual([])
})

test.each(['2026-02-31', '16 September', ''])('"%s" is no day', async (date) => {
  expect(await refused(listed(date))).toMatchObject({ status: 422, code: 'validation_failed' })
})

test('only the kitchen reads it', async () => {
  const office = await canteen.administrator('office', 'menu')
  expect(await refused(office.call(classList, { query: { date: '2026-09-15' } }))).toMatchObject({
    status: 403,
  })
})
