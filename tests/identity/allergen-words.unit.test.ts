import { allergenNames, allergensMet, readAllergens } from '#contracts/allergens'
import { standardAllergens } from '#contracts/health'

const list = [...standardAllergens, 'Mustard', 'Celery']
const read = (...texts: string[]) => readAllergens(texts, list)

test.each([
  ['Milk;Wheat', ['Milk', 'Wheat']],
  ['Milk and eggs', ['Milk', 'Eggs']],
  ['milk AND Eggs', ['Milk', 'Eggs']],
  ['Milk & Eggs', ['Milk', 'Eggs']],
  ['Milk, Eggs and Tree Nuts', ['Milk', 'Eggs', 'Tree Nuts']],
  ['Milk/Wheat|Sesame', ['Milk', 'Wheat', 'Sesame']],
  ['- Milk\n- Wheat\r\n', ['Milk', 'Wheat']],
  ['Milk；Wheat', ['Milk', 'Wheat']],
  ['Groundnuts', ['Peanuts']],
  ['ground-nut', ['Peanuts']],
  ['Peanut', ['Peanuts']],
  ['egg', ['Eggs']],
  ['dairy', ['Milk']],
  ['LACTOSE', ['Milk']],
  ["Cow's milk", ['Milk']],
  ['gluten', ['Wheat']],
  ['Cereals containing gluten', ['Wheat']],
  ['soya', ['Soybeans']],
  ['Soy beans', ['Soybeans']],
  ['shrimps', ['Shellfish']],
  ['crustaceans, molluscs', ['Shellfish']],
  ['sesame seeds', ['Sesame']],
  ['treenuts', ['Tree Nuts']],
  ['TREE  NUT', ['Tree Nuts']],
  ['Tree Nuts (almonds, cashews)', ['Tree Nuts']],
  ['Nuts', ['Tree Nuts', 'Peanuts']],
  ['seafood', ['Fish', 'Shellfish']],
  ['Contains: Milk', ['Milk']],
  ['Contains:\nMilk', ['Milk']],
  ['contains milk and wheat', ['Milk', 'Wheat']],
  ['Allergens: Milk; may contain traces of peanuts', ['Milk', 'Peanuts']],
  ['Allergy advice: contains eggs', ['Eggs']],
  ['Mílk\u200B', ['Milk']],
  ['mustard.', ['Mustard']],
  ['Milk*, **Wheat**', ['Milk', 'Wheat']],
  ['• Milk • Eggs', ['Milk', 'Eggs']],
  ['Milk + eggs', ['Milk', 'Eggs']],
  ['Milk · Eggs', ['Milk', 'Eggs']],
  ['contains nuts or peanuts', ['Tree Nuts', 'Peanuts']],
  ['Milk and/or eggs', ['Milk', 'Eggs']],
  ['Contains milk and eggs. May contain peanuts.', ['Milk', 'Eggs', 'Peanuts']],
  ['Milk¦Eggs', ['Milk', 'Eggs']],
])('%j says %j', (text, names) => {
  expect(read(text)).toEqual({ names, problem: null })
})

test.each(['none', 'None.', ' NONE ', 'n/a', 'N/A', 'n / a', 'N.A.', '-', '–', '', '  ', 'Contains: none'])(
  '%j says that there is none',
  (text) => {
    expect(read(text)).toEqual({ names: [], problem: null })
  },
)

test.each([
  ['Penuts', 'Penuts', 'Peanuts'],
  ['Milk, Eegs', 'Eegs', 'Eggs'],
  ['Milk Wheat', 'Milk Wheat', 'Wheat'],
  ['Mustrad', 'Mustrad', 'Mustard'],
  ['groundnutz', 'groundnutz', 'Peanuts'],
  ['Contains', 'Contains', expect.any(String)],
  ['no milk', 'no milk', 'Milk'],
  ['gluten-free', 'gluten-free', expect.any(String)],
  ['Does not contain: eggs', 'Does not contain: eggs', expect.any(String)],
  ['#N/A', '#N/A', expect.any(String)],
  ['Lupin', 'Lupin', expect.any(String)],
  ['?', '?', expect.any(String)],
  ['✓', '✓', expect.any(String)],
  ['Milk; ??', '??', expect.any(String)],
])('%j is refused, with the nearest allergen', (text, word, name) => {
  const { problem } = read(text)
  const [, told, near] = /^"(.*)" is not on the school's list of allergens; the nearest is (.*)$/.exec(
    problem!,
  )!
  expect([told, near]).toEqual([word, name])
  expect(list).toContain(near)
})

test.each([['none, Milk'], ['Milk; n/a'], ['Milk/-'], ['Milk (none)']])('%j is refused as both', (text) => {
  expect(read(text).problem).toMatch(/^".*" stands beside Milk: write one or the other$/)
})

test('each entry of a list is read, and none beside another is refused there too', () => {
  expect(read('Milk', 'egg; soya', 'MILK')).toEqual({ names: ['Milk', 'Eggs', 'Soybeans'], problem: null })
  expect(read('None', 'Milk').problem).not.toBeNull()
})

test('a word of the list itself is read before its words are', () => {
  expect(readAllergens(['Royal jelly'], [...list, 'Royal Jelly'])).toEqual({
    names: ['Royal Jelly'],
    problem: null,
  })
})

test('a long text of nonsense is told in few words', () => {
  const { problem } = read(Array.from({ length: 40 }, (_, index) => `zzz${index}`).join(';'))
  expect(problem!.match(/the nearest is/g)).toHaveLength(5)
})

test.each([
  [['Milk'], ['Milk;Wheat'], ['Milk']],
  [['Wheat'], ['Contains: gluten'], ['gluten']],
  [['Peanuts'], ['Groundnuts'], ['Groundnuts']],
  [['Eggs'], ['Milk and eggs'], ['eggs']],
  [['peanut'], ['Peanuts', 'Milk'], ['Peanuts']],
  [['Mustard;Celery'], ['celery'], ['celery']],
  [['Milk'], ['none'], []],
  [['Milk'], ['coconut milk'], []],
])(
  'of somebody allergic to %j a meal with %j meets %j, however it was stored',
  (allergies, allergens, met) => {
    expect(allergensMet(allergies, allergens)).toEqual(met)
  },
)

test('what stands in other words since before is shown under the names of the list', () => {
  expect(allergenNames(['Milk;gluten', 'Contains: groundnuts', 'Royal jelly', 'none'])).toEqual([
    'Milk',
    'Wheat',
    'Peanuts',
    'Royal jelly',
  ])
})
