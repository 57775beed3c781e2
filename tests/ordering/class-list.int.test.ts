import { classList, classListSorts, type ClassListSort } from '#contracts/kitchen'
import type { QueryOf } from '#contracts/endpoint'
import { cancelOrder, type Order } from '#contracts/ordering'
import { createMenuItem } from '#contracts/catalogue'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place, refused, type Canteen } from './canteen'

const avocadoToast = {
  name: 'avocado toast',
  price: '0',
  type: 'primary' as const,
  categories: ['chicken'],
  sideDishes: ['Banana'],
  weekNumbers: [1],
  daysOfWeek: [5],
  proteinDescriptions: {},
  allergens: [],
  isAvailable: true,
}

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
    class: null,
    student: 'mwila 2',
    menuItem: 'School porridge',
    category: 'chicken',
    sideDish: 'Banana',
    comments: 'warm',
    status: 'pending',
    paymentStatus: 'confirmed',
    absent: false,
    allergies: null,
    diet: 'none',
    medicalNote: null,
  })
  expect(await listed('2026-09-16')).toHaveLength(1)
  expect(await listed('2026-09-17')).toEqual([])
})

describe('of a day', () => {
  let placed: Order[]
  beforeAll(async () => {
    const { parent, children } = await canteen.family('zulu', '3', '3', '3')
    const [first, second, third] = children
    const { id: avocado } = await canteen.superadminClient.call(createMenuItem, { body: avocadoToast })
    placed = await place(parent, [
      canteen.porridgeFor(first!, 5),
      canteen.porridgeFor(second!, 5, { menuItemId: avocado }),
      canteen.porridgeFor(third!, 5),
    ])
    const { parent: other, children: others, userId } = await canteen.family('abel', '9', '10')
    await canteen.discount(userId, 100)
    await place(
      other,
      others.map((child) => canteen.stewFor(child, 5)),
    )
  })
  const friday = '2026-09-18'
  const ask = (query: Omit<QueryOf<typeof classList>, 'date'>) =>
    cook.call(classList, { query: { date: friday, ...query } })

  const ascending: Record<ClassListSort, number[]> = { name: [0, 1, 2], meal: [1, 0, 2] }

  test.each(classListSorts)('is sorted within its classes by %s both ways, equal ones too', async (sort) => {
    const up = (await ask({ sort, direction: 'asc' })).data
    const down = (await ask({ sort, direction: 'desc' })).data
    for (const list of [up, down]) expect(list.map(({ grade }) => grade)).toEqual(['3', '3', '3', '9', '10'])
    const expected = ascending[sort].map((at) => placed[at]!.id)
    expect(up.slice(0, 3).map(({ id }) => id)).toEqual(expected)
    expect(down.slice(0, 3).map(({ id }) => id)).toEqual(expected.toReversed())
  })

  test('is narrowed to a class and to what is paid or not; every class of the day is still told', async () => {
    const ninth = await ask({ grade: '9' })
    expect(ninth.data.map(({ student }) => student)).toEqual(['abel 9'])
    expect(ninth.grades).toEqual(['3', '9', '10'])
    expect((await ask({ grade: 'teacher' })).data).toEqual([])
    expect((await ask({ paymentStatus: 'confirmed' })).data).toHaveLength(5)
    expect((await ask({ paymentStatus: 'pending' })).data).toEqual([])
  })

  test.each([{ sort: 'grade' }, { direction: 'up' }, { grade: '13' }, { paymentStatus: 'maybe' }])(
    'is refused for %j',
    async (query) => {
      expect(await refused(ask(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
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
