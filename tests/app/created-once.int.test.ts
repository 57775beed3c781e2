import { administratorList, createParent, inviteGuardian, listParents } from '#contracts/accounts'
import { closeDay } from '#contracts/books'
import { createMenuItem, listMenu } from '#contracts/catalogue'
import {
  addStudent,
  contact,
  createAdmin,
  saveCommunication,
  currentUser,
  listStudents,
  login,
  register,
} from '#contracts/identity'
import { kitchenPrints, notePrint } from '#contracts/kitchen'
import { duplicateItems } from '#contracts/menu-list'
import { getPrivacy } from '#contracts/privacy'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

const under = (key: string) => ({ 'idempotency-key': key })
const headers = under('an-answer-was-lost')

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
  const copies = under('the-copy')
  const copy = await office.call(duplicateItems, { body, headers: copies })
  expect(await office.call(duplicateItems, { body, headers: copies })).toEqual(copy)
  const names = (await office.call(listMenu)).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('Kapenta'))).toEqual(['Kapenta', 'Kapenta (Copy)'])
})

describe('an account whose answer was lost is not made twice', () => {
  const signedIn = (username: string, password: string) =>
    canteen.visitor().call(login, { body: { username, password } })

  test('an administrator, whose password is not compared', async () => {
    const office = canteen.superadminClient
    const make = (password: string, allowedFeatures: ['menu'] | ['kitchen'] = ['menu']) =>
      office.call(createAdmin, {
        body: { username: 'second.bursar', password, allowedFeatures },
        headers: under('bursar'),
      })
    const first = await make('three-hungry-zebras')
    expect(await make('three-hungry-zebras')).toEqual(first)
    expect(await make('another-zebra-came')).toEqual(first)
    expect(await refused(make('three-hungry-zebras', ['kitchen']))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
    const { data } = await office.call(administratorList, { query: { search: 'second.bursar' } })
    expect(data.map(({ id }) => id)).toEqual([first.id])
    await signedIn('second.bursar', 'three-hungry-zebras')
    expect(await refused(signedIn('second.bursar', 'another-zebra-came'))).toMatchObject({ status: 401 })
  })

  test('a parent by the office', async () => {
    const office = canteen.superadminClient
    const body = {
      username: 'mother.by.office',
      password: 'three-hungry-zebras',
      name: 'Mother',
      email: '',
      phone: '',
    }
    const make = () => office.call(createParent, { body, headers: under('mother') })
    const first = await make()
    expect(await make()).toEqual(first)
    expect((await office.call(listParents, { query: { search: 'mother.by.office' } })).data).toHaveLength(1)
  })

  test('who registers is signed in by the same password, and by no other', async () => {
    const { version: privacyVersion } = await canteen.visitor().call(getPrivacy)
    const account = { username: 'lost.answer', name: 'Lost', privacyVersion }
    const registering = (password: string) => {
      const client = canteen.visitor()
      return { client, asked: client.call(register, { body: { ...account, password }, headers }) }
    }
    const { id } = await registering('three-hungry-zebras').asked
    const again = registering('three-hungry-zebras')
    expect(await again.asked).toMatchObject({ id })
    expect(await again.client.call(currentUser)).toMatchObject({ id })
    const other = registering('another-zebra-came')
    expect(await refused(other.asked)).toMatchObject({ status: 409, code: 'username_taken' })
    expect(await refused(other.client.call(currentUser))).toMatchObject({ code: 'not_signed_in' })
  })
})

test('a message to the school is sent once', async () => {
  const office = canteen.superadminClient
  await office.call(saveCommunication, { body: { supportEmail: 'office@example.org', whatsappNumber: '' } })
  const { parent } = await canteen.payingFamily('tembo')
  const body = { name: 'Tembo', email: 'tembo@example.org', message: 'When does the year begin?' }
  for (const _again of [1, 2]) await parent.call(contact, { body, headers })
  const { rows } = await canteen.infrastructure.database.pool.query(
    `select count(*)::int from messaging.mail_outbox where "to" = 'office@example.org'`,
  )
  expect(rows).toEqual([{ count: 1 }])
})

test('an invitation, a closed day and a print are made once', async () => {
  const office = canteen.superadminClient
  const { parent, children } = await canteen.family('zulu', '3')
  const invite = () => parent.call(inviteGuardian, { params: { id: children[0]!.id }, body: {}, headers })
  expect(await invite()).toEqual(await invite())
  const close = () => office.call(closeDay, { body: { date: '2026-09-11' }, headers: under('close') })
  expect(await close()).toEqual(await close())
  const print = () => office.call(notePrint, { body: { date: '2026-09-15' }, headers: under('print') })
  await print()
  canteen.setClock('2026-09-14T07:01:00+02:00')
  await print()
  expect((await office.call(kitchenPrints, { query: { date: '2026-09-15' } })).data).toHaveLength(1)
})
