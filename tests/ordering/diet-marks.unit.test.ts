import { dietMark, diet as diets } from '#contracts/health'

const offers = (...proteins: string[]) => ({ name: 'Plate of the day', proteins })

test.each([
  ['vegetarian', offers('beef', 'chicken', 'vegetarian'), 'Check: vegetarian – beef, chicken'],
  ['vegetarian', offers('Fried Fish'), 'Check: vegetarian – fish'],
  ['no_pork', offers('pork chops', 'beef'), 'Check: no pork – pork'],
  ['no_pork', offers('sausages'), 'Check: no pork – sausage'],
  ['no_beef', offers('beef', 'chicken'), 'Check: no beef – beef'],
  ['halal', offers('chicken', 'fish'), 'Check: halal – chicken'],
  ['halal', offers('bacon'), 'Check: halal – bacon'],
] as const)('%s: what is to be looked at is named', (diet, meal, mark) => {
  expect(dietMark(diet, meal)).toBe(mark)
})

test('the protein that was chosen counts alone', () => {
  const meal = offers('beef', 'vegetarian')
  expect(dietMark('vegetarian', { ...meal, protein: 'vegetarian' })).toBeNull()
  expect(dietMark('vegetarian', { ...meal, protein: 'beef' })).toBe('Check: vegetarian – beef')
})

test('where no protein tells what it is, the name does', () => {
  expect(dietMark('no_pork', { name: 'Bacon Roll', proteins: ['standard'] })).toBe('Check: no pork – bacon')
  expect(dietMark('no_pork', { name: 'Bacon Roll', proteins: ['chicken'] })).toBeNull()
})

test('words are whole words', () => {
  expect(dietMark('no_pork', { name: 'Hamper', proteins: ['champignons'] })).toBeNull()
})

test('without a diet nothing is marked, and no mark says that something is safe', () => {
  expect(dietMark('none', offers('pork'))).toBeNull()
  const marks = diets.options.flatMap(
    (diet) => dietMark(diet, offers('pork', 'beef', 'fish', 'chicken')) ?? [],
  )
  expect(marks.every((mark) => mark.startsWith('Check: '))).toBe(true)
})
