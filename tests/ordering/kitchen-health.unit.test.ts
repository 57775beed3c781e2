import { kitchenHealth } from '#modules/ordering/kitchen/kitchen.decide'

const monday = '2026-09-14'
const eaten = (studentId: number, more: Partial<Parameters<typeof kitchenHealth>[0][number]> = {}) => ({
  studentId,
  mealDate: monday,
  student: `Child ${studentId}`,
  grade: '4' as const,
  menuItem: 'Satay',
  class: null,
  allergies: null,
  diet: 'none' as const,
  medicalNote: null,
  allergens: [],
  ...more,
})

test('where nobody has declared anything, nothing is told', () => {
  expect(kitchenHealth([eaten(1), eaten(2)])).toEqual({ allergies: null })
  expect(kitchenHealth([eaten(1, { allergies: [] })])).toEqual({ allergies: [] })
})

test('an allergy has its children, and the meals that contain it whatever the case, most children first', () => {
  const { allergies } = kitchenHealth([
    eaten(1, { allergies: ['Milk'] }),
    eaten(2, { allergies: ['Peanuts', 'Milk'], allergens: ['PEANUTS'] }),
    eaten(3, { allergies: ['peanuts'], menuItem: 'Stew' }),
    eaten(4, { allergies: ['Peanuts'], allergens: ['Peanuts'] }),
    eaten(1, { mealDate: '2026-09-15', allergies: ['Milk'], menuItem: 'Porridge', allergens: ['Milk'] }),
  ])
  expect(allergies).toEqual([
    { mealDate: monday, name: 'Peanuts', children: 3, meals: [{ menuItem: 'Satay', count: 2 }] },
    { mealDate: monday, name: 'Milk', children: 2, meals: [] },
    { mealDate: '2026-09-15', name: 'Milk', children: 1, meals: [{ menuItem: 'Porridge', count: 1 }] },
  ])
})

test('diets have all meals of their children; notes name theirs', () => {
  const { diets, medicalNotes } = kitchenHealth([
    eaten(1, { diet: 'halal' }),
    eaten(2, { diet: 'halal', menuItem: 'Stew', class: '4B', medicalNote: 'Inhaler in the bag' }),
    eaten(3, { diet: 'vegetarian' }),
  ])
  expect(diets).toEqual([
    {
      mealDate: monday,
      diet: 'halal',
      children: 2,
      meals: [
        { menuItem: 'Satay', count: 1 },
        { menuItem: 'Stew', count: 1 },
      ],
    },
    { mealDate: monday, diet: 'vegetarian', children: 1, meals: [{ menuItem: 'Satay', count: 1 }] },
  ])
  expect(medicalNotes).toEqual([
    { mealDate: monday, student: 'Child 2', grade: '4', class: '4B', medicalNote: 'Inhaler in the bag' },
  ])
})
