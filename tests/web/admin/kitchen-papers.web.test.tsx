import { screen } from '@testing-library/react'
import { unknownDiets } from '#contracts/catalogue'
import { getCycleLength, listCycles } from '#contracts/cycles'
import { kitchenToday } from '#contracts/kitchen'
import { allergenTable, kitchenBuying } from '#contracts/papers'
import { type FakeServer, fakeServer } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

afterEach(forgetToasts)

describe('papers of the kitchen', () => {
  let server: FakeServer
  beforeEach(() => {
    server = fakeServer()
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(listCycles, [])
    server.on(kitchenToday, {
      date: '2026-09-15',
      data: [],
      metadata: onePage,
      totals: [],
      allergies: null,
      planned: [],
    })
    server.on(kitchenBuying, {
      from: '2026-09-15',
      to: '2026-09-18',
      days: ['2026-09-15', '2026-09-16'],
      margin: 5,
      ingredients: [
        { name: 'Rice', unit: 'g', amount: 12_600, perDay: [850, 11_750], dishes: ['Rice bowl', 'Stew'] },
        { name: 'Egg', unit: 'piece', amount: 12, perDay: [12, 0], dishes: ['Rice bowl'] },
      ],
      withoutIngredients: ['Soup'],
      planned: [{ date: '2026-09-16', meals: 14 }],
    })
  })

  const rows = () =>
    screen
      .getAllByRole<HTMLTableRowElement>('row')
      .map(({ cells }) => Array.from(cells, ({ textContent }) => textContent))

  test('the buying list is opened from the cooking list, in kg from 1,000 g on', async () => {
    const user = openConsole('/', adminWith('kitchen'))
    await user.click(await screen.findByRole('button', { name: 'Buying list' }))
    expect(shownAddress()).toBe('/?buying=2026-09-15')
    expect(await screen.findByRole('table')).toBeInTheDocument()
    expect(rows().slice(1)).toEqual([
      ['Rice', '12.6 kg', '850 g', '11.75 kg', 'Rice bowl, Stew'],
      ['Egg', '12', '12', '–', 'Rice bowl'],
    ])
    expect(
      screen.getByText('With 5 % more than ordered. Not counted: about 14 meals by plans.'),
    ).toBeInTheDocument()
    expect(screen.getByText('Soup')).toBeInTheDocument()
    expect(server.asked(kitchenBuying)[0]?.query).toEqual({ from: '2026-09-15', to: '2026-09-18' })
    await user.click(screen.getByRole('button', { name: 'Kitchen View' }))
    expect(shownAddress()).toBe('/')
  })

  test('the allergen table says Contains, –, or not stated, and who said so', async () => {
    const dish = { type: 'primary' as const, diets: { ...unknownDiets, noPork: 'no' as const } }
    server.on(allergenTable, {
      from: '2026-09-14',
      to: '2026-09-18',
      allergens: ['Milk'],
      diets: ['noPork', 'noBeef'],
      dishes: [
        {
          ...dish,
          id: 1,
          name: 'Pie',
          allergens: ['Milk'],
          declared: { by: 'cook', at: '2026-09-01T07:00:00.000Z' },
        },
        { ...dish, id: 2, name: 'Soup', allergens: [], declared: null },
        { ...dish, id: 3, name: 'Stew', allergens: null, declared: null },
      ],
    })
    openConsole('/papers/allergens?from=2026-09-16', adminWith('menu'))
    expect(await screen.findByRole('heading', { name: /^Allergens, / })).toBeInTheDocument()
    expect(rows()).toEqual([
      ['Dish', 'Milk', 'Pork', 'Beef', 'Stated by'],
      ['Pie', 'Contains', 'Contains', 'not stated', 'cook, 1 September'],
      ['Soup', '–', 'Contains', 'not stated', 'not stated'],
      ['Stew', 'not stated', 'Contains', 'not stated', 'not stated'],
    ])
    expect(server.asked(allergenTable)[0]?.query).toEqual({ from: '2026-09-16' })
  })
})
