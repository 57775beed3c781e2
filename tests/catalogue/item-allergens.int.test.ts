import { createMenuItem, updateMenuItem } from '#contracts/catalogue'
import { cook, soup, startCatalogueOnly } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

describe('allergens of an item', () => {
  test('are those of the list, in whatever words they were sent', async () => {
    await school.addAllergen('Mustard')
    const item = await school.create({ allergens: ['Milk and eggs', 'groundnuts', 'Contains: mustard'] })
    expect(item.allergens).toEqual(['Milk', 'Eggs', 'Peanuts', 'Mustard'])
    const none = { params: { id: item.id }, body: { ...soup, allergens: ['none'] } }
    expect((await school.server.call(cook, updateMenuItem, none)).allergens).toEqual([])
  })

  test('that the list does not have are refused until the office adds them', async () => {
    const message = `"Lupin" is not on the school's list of allergens; the nearest is`
    const refused = { status: 422, fields: { allergens: expect.stringContaining(message) } }
    const sent = { body: { ...soup, allergens: ['Milk', 'Lupin'] } }
    expect(await school.server.refused(cook, createMenuItem, sent)).toMatchObject(refused)
    const item = await school.create()
    const lupin = { params: { id: item.id }, body: { ...soup, allergens: ['Lupin'] } }
    expect(await school.server.refused(cook, updateMenuItem, lupin)).toMatchObject(refused)
    expect((await school.menu())[0]!.allergens).toEqual(['Wheat'])
    await school.addAllergen('Lupin')
    expect((await school.server.call(cook, updateMenuItem, lupin)).allergens).toEqual(['Lupin'])
  })

  test('that stand there in other words since before are shown by the names of the list', async () => {
    await school.create()
    await school.database.knex('catalogue.menu_items').update({ allergens: ['Milk;Groundnuts'] })
    expect((await school.menu())[0]!.allergens).toEqual(['Milk', 'Peanuts'])
  })

  test('stay where a change does not speak of them', async () => {
    const item = await school.create()
    const { allergens: _left, ...rest } = soup
    const changed = await school.server.call(cook, updateMenuItem, {
      params: { id: item.id },
      body: { ...rest, price: '31' },
    })
    expect(changed).toMatchObject({ price: '31.00', allergens: ['Wheat'] })
  })
})
