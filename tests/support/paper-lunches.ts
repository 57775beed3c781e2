import { grades } from '#contracts/identity'
import type { ClassListEntry } from '#contracts/kitchen'

const meals = [
  { menuItem: 'Nshima & Village Chicken', category: 'chicken', sideDish: 'Rape' },
  { menuItem: 'Beef Stew', category: 'beef', sideDish: 'Rice' },
  { menuItem: 'Soup & Bread', category: 'vegetarian', sideDish: null },
]
const firstNames = ['Chipo', 'Luse', 'Mwansa', 'Thandiwe', 'Bupe']
const lastNames = ['Banda', 'Phiri', 'Chilufya', 'Mulenga', 'Zulu']

/** A lunch of a class list, the first unless told which; changed as told. */
export const paperLunch = (more: Partial<ClassListEntry> = {}, index = 0): ClassListEntry => ({
  id: `${index + 1}.2026-09-15.1`,
  grade: grades[index % grades.length]!,
  class: null,
  student: `${firstNames[index % 5]} ${lastNames[Math.floor(index / 5) % 5]} ${String(index + 1).padStart(3, '0')}`,
  ...meals[index % 3]!,
  comments: index % 5 === 0 ? `No onions, table ${index + 1}` : '',
  status: 'pending',
  paymentStatus: 'confirmed',
  absent: false,
  allergies: null,
  diet: 'none',
  medicalNote: null,
  tellApart: null,
  ...more,
})

/** As many lunches, spread evenly over 15 classes; every fifth with a remark. */
export const paperLunches = (count: number, more: (index: number) => Partial<ClassListEntry> = () => ({})) =>
  Array.from({ length: count }, (_, index) => paperLunch(more(index), index))
