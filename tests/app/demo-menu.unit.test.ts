import { demoMenu } from '../../src/app/demo/menu'

const holding = (words: RegExp) =>
  demoMenu.filter(({ name, description, sideDishes, proteinDescriptions }) =>
    words.test([name, description, ...sideDishes, ...Object.values(proteinDescriptions)].join(', ')),
  )

test.each([
  [
    'Wheat',
    /bread|burger|sandwich|wrap|spaghetti|pasta|macaroni|lasagne|noodle|spring roll|chapati|soft roll/i,
  ],
  ['Milk', /cheese|cream|garlic bread|lasagne/i],
  ['Eggs', /\begg\b|coleslaw|noodle|lasagne/i],
  ['Fish', /fish|bream/i],
  ['Soybeans', /soy/i],
])('every dish with %s in it, in a side dish or in a protein says so', (allergen, words) => {
  const dishes = holding(words)
  expect(dishes.length).toBeGreaterThan(0)
  expect(dishes.filter(({ allergens }) => !allergens?.includes(allergen)).map(({ name }) => name)).toEqual([])
})

test('a dish with a choice of proteins says what each is, and one without says nothing', () => {
  for (const { name, categories, proteinDescriptions } of demoMenu)
    expect([name, Object.keys(proteinDescriptions).toSorted()]).toEqual([
      name,
      categories.length > 1 ? categories.toSorted() : [],
    ])
})

test.each(['primary', 'secondary'] as const)('%s has a meal without meat or fish each day', (type) => {
  for (const week of [1, 2])
    for (const day of [1, 2, 3, 4, 5])
      expect(
        demoMenu.some(
          (dish) =>
            dish.type === type &&
            dish.weekNumbers.includes(week) &&
            dish.daysOfWeek.includes(day) &&
            dish.categories.includes('vegetarian'),
        ),
      ).toBe(true)
})
