import { standardAllergens } from '#contracts/health'
import type { MenuItemFields } from '#contracts/catalogue'
import {
  assertDeletable,
  assertNameKept,
  copyOf,
  mealOf as mealOfForm,
  orderability,
} from '#modules/catalogue/menu-item.decide'
import { nshima, nshimaForm, nshimaItem } from './meals'

const mealOf = (form: MenuItemFields) => mealOfForm(form, [...standardAllergens, 'Mustard'])

const refusal = (code: string, more: object = {}) =>
  expect.objectContaining({ name: 'Refusal', code, ...more })

describe('the meal a form describes', () => {
  test('is what was filled in, its price in ngwee', () => {
    expect(mealOf(nshimaForm)).toEqual(nshima)
    expect(mealOf({ ...nshimaForm, price: '0' }).price).toBe(0)
  })

  test('has proteins trimmed, lowercase and once', () => {
    expect(
      mealOf({ ...nshimaForm, categories: [' Beef ', 'beef', 'Kapenta', 'KAPENTA'] }).categories,
    ).toEqual(['beef', 'kapenta'])
  })

  test('describes only proteins it offers, under their clean names', () => {
    const proteinDescriptions = { ' Beef': ' Slow-cooked\u0000 ', fish: 'From the lake', vegetarian: '  ' }
    expect(mealOf({ ...nshimaForm, proteinDescriptions }).proteinDescriptions).toEqual({
      beef: 'Slow-cooked',
    })
  })

  test('has each week and day once and in order, each side dish and allergen once', () => {
    expect(
      mealOf({
        ...nshimaForm,
        weekNumbers: [6, 1, 6],
        daysOfWeek: [5, 2, 2],
        sideDishes: ['Chips', 'chips', 'Rice'],
        allergens: ['Milk', 'milk; MUSTARD and Groundnuts'],
      }),
    ).toMatchObject({
      weekNumbers: [1, 6],
      daysOfWeek: [2, 5],
      sideDishes: ['Chips', 'Rice'],
      allergens: ['Milk', 'Mustard', 'Peanuts'],
    })
  })

  test.each([
    [{ description: '', imageUrl: '' }],
    [{ description: null, imageUrl: null }],
    [{ description: undefined, imageUrl: undefined }],
  ])('without description and picture has none: %j', (empty) => {
    expect(mealOf({ ...nshimaForm, ...empty })).toMatchObject({ description: null, imageUrl: null })
  })

  test.each([
    ['name', { name: '\u0000\u200B ' }, 'Name is required'],
    ['price', { price: '4.505' }, 'Price must be a valid positive number with up to 2 decimal places'],
    ['categories', { categories: ['\u0001'] }, 'Select at least one category'],
  ])('is refused at %s', (field, wrong, message) => {
    expect(() => mealOf({ ...nshimaForm, ...wrong })).toThrow(
      refusal('item_invalid', { message, fields: { [field]: message } }),
    )
  })
})

describe('the name lock', () => {
  const renamed = { ...nshima, name: 'Nshima and beef' }

  test('refuses a new name once the item has orders', () => {
    expect(() => assertNameKept(nshimaItem, renamed, true)).toThrow(refusal('name_locked'))
    expect(() => assertNameKept(nshimaItem, { ...nshima, name: nshima.name.toUpperCase() }, true)).toThrow(
      refusal('name_locked'),
    )
  })

  test('lets everything else change, and any name while there are no orders', () => {
    expect(() => assertNameKept(nshimaItem, { ...nshima, price: 1, type: 'secondary' }, true)).not.toThrow()
    expect(() => assertNameKept(nshimaItem, renamed, false)).not.toThrow()
  })
})

test('an item with orders cannot be deleted', () => {
  expect(() => assertDeletable(true)).toThrow(refusal('item_has_orders'))
  expect(() => assertDeletable(false)).not.toThrow()
})

describe('a copy', () => {
  test('is the same meal under a name that says so', () => {
    expect(copyOf({ ...nshimaItem, isArchived: true })).toEqual({
      ...nshima,
      name: 'Nshima with beef stew (Copy)',
    })
    expect(copyOf({ ...nshimaItem, name: 'Soup (Copy)' }).name).toBe('Soup (Copy) (Copy)')
  })

  test('of a long name still fits the form', () => {
    const { name } = copyOf({ ...nshimaItem, name: `${'x'.repeat(112)}🍲${'x'.repeat(6)}` })
    expect(name).toBe(`${'x'.repeat(112)} (Copy)`)
    expect(name.length).toBeLessThanOrEqual(120)
  })
})

describe('what can still be ordered', () => {
  const items = new Map(
    [
      nshimaItem,
      { ...nshimaItem, id: 8, name: 'Soup', isAvailable: false },
      { ...nshimaItem, id: 9, name: 'Pie', isArchived: true },
      { ...nshimaItem, id: 10, name: 'Fish', isArchived: true, isAvailable: false },
    ].map((item) => [item.id, item]),
  )

  test('all of it is valid', () => {
    expect(orderability([7, 7], items)).toEqual({ valid: true, unavailable: [], archived: [], missing: [] })
    expect(orderability([], items).valid).toBe(true)
  })

  test('names what is not, once and by reason; archived counts before unavailable', () => {
    expect(orderability([10, 7, 8, 9, 404, 8, 404], items)).toEqual({
      valid: false,
      unavailable: ['Soup'],
      archived: ['Fish', 'Pie'],
      missing: ['404'],
    })
  })

  test.each([8, 9, 404])('one bad item (%d) makes it invalid', (id) => {
    expect(orderability([7, id], items).valid).toBe(false)
  })
})
