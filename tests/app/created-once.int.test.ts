import { createMenuItem, duplicateItems, listMenu } from '#contracts/catalogue'
import { addStudent, listStudents } from '#contracts/identity'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const headers = { 'idempotency-key': 'an-answer-was-lost' }

test('a child whose answer was lost is not added twice, and another one under the key is refused', async () => {
  const { parent } = await canteen.family('mwila')
  const add = (name: string) => parent.call(addStudent, { body: { name, grade: '3' }, headers })
  const first = await add('Chipo')
  expect(await add('Chipo')).toEqual(first)
  expect(await parent.call(listStudents)).toEqual([first])
  expect(await refused(add('Luse'))).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
})

test('a dish whose answer was lost is not made twice, nor is its copy', async () => {
  const office = canteen.superadminClient
  const { id: _id, ...stew } = canteen.items.stew
  const make = () => office.call(createMenuItem, { body: { ...stew, name: 'Kapenta' }, headers })
  const first = await make()
  expect(await make()).toEqual(first)
  const body = { itemIds: [first.id] }
  const copies = { 'idempotency-key': 'the-copy' }
  const copy = await office.call(duplicateItems, { body, headers: copies })
  expect(await office.call(duplicateItems, { body, headers: copies })).toEqual(copy)
  const names = (await office.call(listMenu)).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('Kapenta'))).toEqual(['Kapenta', 'Kapenta (Copy)'])
})
