import { updateMenuItem } from '#contracts/catalogue'
import { setAbsence, cancelOrder, getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { allergenTable, kitchenBuying } from '#contracts/papers'
import { openCanteen, place, refused, type Canteen } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

describe('papers of the kitchen', () => {
  const saved = (more: object) => {
    const { id, isArchived: _archived, ...porridge } = canteen.items.porridge
    return canteen.superadminClient.call(updateMenuItem, { params: { id }, body: { ...porridge, ...more } })
  }
  const ingredients = [
    { name: 'Maize meal', unit: 'g', primary: 80, secondary: 100 },
    { name: 'Banana', unit: 'piece', primary: 0.5, secondary: 1 },
  ]

  test('the buying list counts what is eaten, with the margin of the rules', async () => {
    const cook = await canteen.administrator('cook', 'kitchen')
    const { parent, children } = await canteen.family('mutinta', '2', '3', '4')
    const lines = children.flatMap((child) => [1, 2].map((day) => canteen.porridgeFor(child, day)))
    const orders = await place(parent, lines)
    await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
    const week = { from: '2026-09-14', to: '2026-09-18' }
    expect(await cook.call(kitchenBuying, { query: week })).toMatchObject({
      ingredients: [],
      withoutIngredients: ['School porridge'],
      planned: [],
    })
    await saved({ ingredients })
    const days = [14, 15, 16, 17, 18].map((day) => `2026-09-${day}`)
    expect(await cook.call(kitchenBuying, { query: week })).toEqual({
      ...week,
      days,
      margin: 5,
      ingredients: [
        { name: 'Banana', unit: 'piece', amount: 3, perDay: [2, 2, 0, 0, 0], dishes: ['School porridge'] },
        {
          name: 'Maize meal',
          unit: 'g',
          amount: 420,
          perDay: [168, 252, 0, 0, 0],
          dishes: ['School porridge'],
        },
      ],
      withoutIngredients: [],
      planned: [],
    })
    const office = canteen.superadminClient
    const rules = await office.call(getOrderingRules)
    await office.call(saveOrderingRules, { body: { ...rules, buyingMargin: 0, absence: 'credit' } })
    canteen.setClock('2026-09-14T08:30:00+02:00')
    await parent.call(setAbsence, { params: { id: orders[2]!.id }, body: { absent: true } })
    expect((await cook.call(kitchenBuying, { query: week })).ingredients).toMatchObject([
      { name: 'Banana', perDay: [1, 2, 0, 0, 0] },
      { name: 'Maize meal', perDay: [80, 240, 0, 0, 0] },
    ])
  })

  test('a buying list is of 1 to 14 days', async () => {
    const office = canteen.superadminClient
    const asked = (from: string, to: string) => office.call(kitchenBuying, { query: { from, to } })
    expect((await asked('2026-09-14', '2026-09-27')).days).toHaveLength(9)
    for (const to of ['2026-09-28', '2026-09-13'])
      expect(await refused(asked('2026-09-14', to))).toMatchObject({
        status: 422,
        fields: { to: 'Please choose at most 14 days, from the first to the last' },
      })
    const rules = await office.call(getOrderingRules)
    const tooMuch = office.call(saveOrderingRules, { body: { ...rules, buyingMargin: 51 } })
    expect(await refused(tooMuch)).toMatchObject({
      status: 422,
      fields: { buyingMargin: expect.any(String) },
    })
  })

  test('the allergen table tells what is stated, by whom and when', async () => {
    const dietician = await canteen.administrator('dietician', 'menu')
    const table = async () => (await dietician.call(allergenTable, { query: { from: '2026-09-16' } })).dishes
    const porridge = async () => (await table()).find(({ name }) => name === 'School porridge')
    await saved({ allergens: null })
    expect(await porridge()).toMatchObject({ allergens: null, declared: { by: 'superadmin' } })
    const { id, isArchived: _archived, ...item } = canteen.items.porridge
    canteen.setClock('2026-09-14T09:00:00+02:00')
    const declared = { by: 'dietician', at: '2026-09-14T07:00:00.000Z' }
    await dietician.call(updateMenuItem, { params: { id }, body: { ...item, allergens: ['dairy'] } })
    expect(await porridge()).toMatchObject({ allergens: ['Milk'], declared })
    canteen.setClock('2026-09-14T10:00:00+02:00')
    await saved({ allergens: ['Milk'], price: '0', description: 'Warm' })
    expect(await porridge()).toMatchObject({ declared })
    expect(await dietician.call(allergenTable, { query: { from: '2026-09-16' } })).toMatchObject({
      from: '2026-09-14',
      to: '2026-09-18',
      allergens: expect.arrayContaining(['Milk', 'Eggs']),
      diets: ['halal', 'vegetarian', 'noPork', 'noBeef'],
      dishes: [
        { name: 'School porridge', type: 'primary' },
        { name: 'Stew', type: 'secondary', allergens: [] },
      ],
    })
    expect((await dietician.call(allergenTable, { query: { from: '2026-11-16' } })).dishes).toEqual([])
  })
})
