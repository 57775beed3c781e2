import { createMenuItem, updateMenuItem } from '#contracts/catalogue'
import { listConflicts } from '#contracts/order-reports'
import { saveHealth, mealMarks } from '#contracts/health'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

/** A family with an address, whose child is allergic to this, in the family's words. */
const allergic = async (username: string, allergies: string[]) => {
  const family = await canteen.payingFamily(username, '4')
  const child = family.children[0]!
  const body = { allergies, diet: 'none' as const, medicalNote: '', noteConsent: false }
  await family.parent.call(saveHealth, { params: { id: child.id }, body })
  return { ...family, child }
}
const cooked = async (name: string, allergens: string[]) => {
  const { id: _id, isArchived: _isArchived, ...form } = { ...canteen.items.porridge, name, allergens }
  const { id } = await canteen.superadminClient.call(createMenuItem, { body: form })
  return { id, form }
}
/** As files from before left it. */
const stored = (id: number, allergens: string[]) =>
  canteen.infrastructure.database.knex('catalogue.menu_items').where({ id }).update({ allergens })
const looks = async (userId: number) => {
  const sweeps = canteen.modules.flatMap((module) => module.sweeps)
  await sweeps.find(({ name }) => name === 'tell-of-conflicts')!.run()
  return canteen.infrastructure.database
    .knex('identity.mail_outbox')
    .where({ userId })
    .whereLike('subject', '%look')
    .pluck('subject')
}

test.each([
  ['Groundnuts', ['peanut'], ['Groundnuts']],
  ['Milk;Wheat', ['gluten'], ['Wheat']],
  ['Contains: Milk and eggs', ['Dairy'], ['Milk']],
  ['Nuts', ['Peanuts'], ['Nuts']],
])('an item with %j stored is refused to a child with %j', async (allergens, allergies, met) => {
  const { id } = await cooked(`Porridge with ${allergens}`, [])
  await stored(id, [allergens])
  const { parent, child } = await allergic(`family-${id}`, allergies)
  const line = canteen.porridgeFor(child, 3, { menuItemId: id })
  expect(await refused(place(parent, [line]))).toMatchObject({
    code: 'lines_refused',
    lines: [{ index: 0, code: 'allergen_conflict', allergens: met }],
  })
})

test('the same allergen in another word is listed, and told to the family once', async () => {
  const { id, form } = await cooked('Plain porridge', [])
  const { parent, userId, child } = await allergic('mwansa', ['groundnuts'])
  await place(parent, [canteen.porridgeFor(child, 4, { menuItemId: id })])
  const listed = async () => (await canteen.superadminClient.call(listConflicts)).data
  expect(await listed()).toEqual([])
  await stored(id, ['Groundnuts; Wheat'])
  expect(await listed()).toMatchObject([{ menuItem: 'Plain porridge', allergens: ['Groundnuts'] }])
  expect(await looks(userId)).toHaveLength(1)
  await canteen.superadminClient.call(updateMenuItem, {
    params: { id },
    body: { ...form, allergens: ['Peanuts', 'Milk'] },
  })
  expect(await listed()).toMatchObject([{ menuItem: 'Plain porridge', allergens: ['Peanuts'] }])
  expect(await looks(userId)).toHaveLength(1)
  const { students } = await parent.call(mealMarks)
  expect(students).toMatchObject([{ studentId: child.id, allergies: ['Peanuts'] }])
})
