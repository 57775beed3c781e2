import { dishDrawings } from '../../src/app/demo/drawings/dishes'
import { demoMenu } from '../../src/app/demo/menu'

test('every dish of the demonstration has a drawing of its own, and every drawing a dish', () => {
  expect(Object.keys(dishDrawings).toSorted()).toEqual(demoMenu.map(({ name }) => name).toSorted())
  const drawn = Object.values(dishDrawings).map((draw) => draw())
  expect(new Set(drawn).size).toBe(demoMenu.length)
  for (const svg of drawn) expect(svg).not.toMatch(/NaN|undefined/)
})

test('a drawing is the same each time', () =>
  expect(dishDrawings['Nshima Plate']!()).toBe(dishDrawings['Nshima Plate']!()))
