import { unknownDiets, type MenuItemFields } from '#contracts/catalogue'
import type { Meal, MenuItem } from '#modules/catalogue/menu-item.decide'

/** A filled menu item form, as the administrator's screen sends it. */
export const nshimaForm: MenuItemFields = {
  name: 'Nshima with beef stew',
  description: 'With greens from the garden',
  price: '45.50',
  imageUrl: 'https://pictures.school.test/nshima.jpg',
  type: 'primary',
  categories: ['beef', 'vegetarian'],
  proteinDescriptions: { beef: 'Slow-cooked' },
  weekNumbers: [1, 2],
  daysOfWeek: [1, 3],
  allergens: ['Wheat'],
  diets: unknownDiets,
  sideDishes: ['Chips', 'Salad'],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
}

export const nshima: Meal = {
  name: 'Nshima with beef stew',
  description: 'With greens from the garden',
  price: 4550,
  imageUrl: 'https://pictures.school.test/nshima.jpg',
  type: 'primary',
  categories: ['beef', 'vegetarian'],
  proteinDescriptions: { beef: 'Slow-cooked' },
  weekNumbers: [1, 2],
  daysOfWeek: [1, 3],
  allergens: ['Wheat'],
  diets: unknownDiets,
  sideDishes: ['Chips', 'Salad'],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
}

export const nshimaItem: MenuItem = { ...nshima, id: 7, isArchived: false, soldOutDates: [] }
