import {
  codeSorts,
  createDiscountCode,
  listDiscountCodes,
  type CodeSort,
  type DiscountCode,
} from '#contracts/order-reports'
import type { QueryOf } from '#contracts/endpoint'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from './canteen'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('office', 'settings')
  const { userId: zita } = await canteen.family('zita')
  const { userId: abel } = await canteen.family('Abel')
  const made: Omit<DiscountCode, 'id' | 'user'>[] = [
    { code: 'summer', userId: zita, discountPercentage: 9.5, isActive: true },
    { code: 'AUTUMN', userId: abel, discountPercentage: 10, isActive: false },
    { code: 'Winter', userId: zita, discountPercentage: 10, isActive: true },
    { code: 'SPRING', userId: abel, discountPercentage: 100, isActive: true },
  ]
  for (const body of made) await office.call(createDiscountCode, { body })
})
afterAll(() => canteen.close())

const list = (query: QueryOf<typeof listDiscountCodes>) => office.call(listDiscountCodes, { query })
const codes = async (query: QueryOf<typeof listDiscountCodes>) =>
  (await list(query)).data.map(({ code }) => code)

// All are made at the same moment of the school's clock, so "created" is told by the second key alone.
const ascending: Record<CodeSort, string[]> = {
  created: ['summer', 'AUTUMN', 'Winter', 'SPRING'],
  code: ['AUTUMN', 'SPRING', 'summer', 'Winter'],
  user: ['AUTUMN', 'SPRING', 'summer', 'Winter'],
  discount: ['summer', 'AUTUMN', 'Winter', 'SPRING'],
  active: ['AUTUMN', 'summer', 'Winter', 'SPRING'],
}

test.each(codeSorts)('codes are sorted by %s both ways, equal ones as they were made', async (sort) => {
  expect(await codes({ sort, direction: 'asc' })).toEqual(ascending[sort])
  expect(await codes({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
})

test('without an order the newest are first', async () => {
  expect(await codes({})).toEqual(ascending.created.toReversed())
})

test('codes that are switched on or off are found, with a search as without', async () => {
  expect(await codes({ active: false })).toEqual(['AUTUMN'])
  expect(await codes({ active: true, sort: 'code', direction: 'asc' })).toEqual([
    'SPRING',
    'summer',
    'Winter',
  ])
  expect(await codes({ active: true, search: 'ABEL' })).toEqual(['SPRING'])
  expect((await list({ active: true, search: 'ABEL' })).metadata.total).toBe(1)
})

test.each([{ sort: 'id' }, { direction: 'newest' }, { active: 'on' }])(
  'a query of %j is refused',
  async (query) => {
    expect(await refused(list(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
  },
)
