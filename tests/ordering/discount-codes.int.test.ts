import {
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  myDiscountCode,
  updateDiscountCode,
} from '#contracts/order-reports'
import type { BodyOf } from '#contracts/endpoint'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from './canteen'

let canteen: Canteen
let office: Client
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('office', 'settings')
})
afterAll(() => canteen.close())

const create = (body: Partial<BodyOf<typeof createDiscountCode>>) =>
  office.call(createDiscountCode, {
    body: { code: 'CODE', userId: 0, discountPercentage: 10, isActive: true, ...body },
  })

test('a code is created for a user, listed newest first, switched off and deleted', async () => {
  const { parent, userId } = await canteen.family('mwila')
  const made = await create({ code: 'WELCOME', userId, discountPercentage: 12.5 })
  expect(made).toEqual({
    id: made.id,
    code: 'WELCOME',
    userId,
    user: { username: 'mwila' },
    discountPercentage: 12.5,
    isActive: true,
  })
  expect(await parent.call(myDiscountCode)).toEqual({ code: 'WELCOME', discountPercentage: 12.5 })
  const newer = await create({ code: 'NEWER', userId, isActive: false })
  const listed = await office.call(listDiscountCodes)
  expect(listed.data).toEqual([newer, made])
  expect(listed.metadata).toMatchObject({ total: 2, page: 1, pageSize: 50, totalPages: 1 })
  const found = async (search: string) => (await office.call(listDiscountCodes, { query: { search } })).data
  expect(await found('welc')).toEqual([made])
  expect(await found('MWILA')).toEqual([newer, made])
  expect(await found('nobody')).toEqual([])

  const off = await office.call(updateDiscountCode, { params: { id: made.id }, body: { isActive: false } })
  expect(off).toEqual({ ...made, isActive: false })
  expect(await refused(parent.call(myDiscountCode))).toMatchObject({ status: 404, code: 'no_discount_code' })

  for (const { id } of [made, newer])
    expect(await office.call(deleteDiscountCode, { params: { id } })).toEqual({
      message: 'Discount code deleted successfully',
    })
  expect((await office.call(listDiscountCodes)).data).toEqual([])
})

test('the best active code of a user counts', async () => {
  const { parent, userId } = await canteen.family('grace')
  await create({ code: 'TEN', userId, discountPercentage: 10 })
  const most = await create({ code: 'FORTY', userId, discountPercentage: 40 })
  await create({ code: 'TWENTY', userId, discountPercentage: 20 })
  await create({ code: 'OFF', userId, discountPercentage: 90, isActive: false })
  expect(await parent.call(myDiscountCode)).toEqual({ code: 'FORTY', discountPercentage: 40 })
  await office.call(deleteDiscountCode, { params: { id: most.id } })
  expect(await parent.call(myDiscountCode)).toEqual({ code: 'TWENTY', discountPercentage: 20 })
})

test('ten percent and active unless said otherwise', async () => {
  const { userId } = await canteen.family('chola')
  const made = await office.call(createDiscountCode, { body: { code: 'PLAIN', userId } as never })
  expect(made).toMatchObject({ discountPercentage: 10, isActive: true })
})

test('a code exists once, in whatever case', async () => {
  const { userId } = await canteen.family('kelvin')
  await create({ code: 'Lunch', userId })
  expect(await refused(create({ code: 'LUNCH', userId }))).toMatchObject({
    status: 409,
    code: 'discount_code_taken',
  })
})

test('what a code must be', async () => {
  const { userId } = await canteen.family('natasha')
  expect(await refused(create({ code: 'GHOST', userId: 999_999 }))).toMatchObject({
    status: 422,
    code: 'discount_user_not_found',
    message: 'Please select a user',
  })
  for (const wrong of [
    { code: 'AB' },
    { userId: 0 },
    { userId: 3_000_000_000 },
    { discountPercentage: 101 },
    { discountPercentage: -1 },
    { discountPercentage: 1.234 },
  ])
    expect((await refused(create({ code: 'FINE', userId, ...wrong }))).status).toBe(422)
})

test('a code that is not there is not found', async () => {
  const params = { id: 999_999 }
  const gone = { status: 404, code: 'discount_code_not_found' }
  expect(await refused(office.call(deleteDiscountCode, { params }))).toMatchObject(gone)
  expect(await refused(office.call(updateDiscountCode, { params, body: { isActive: true } }))).toMatchObject(
    gone,
  )
})

test('codes are kept by administrators with the feature settings', async () => {
  const { parent } = await canteen.family('joseph')
  const cook = await canteen.administrator('cook', 'kitchen')
  for (const client of [parent, cook])
    expect((await refused(client.call(listDiscountCodes))).status).toBe(403)
})
