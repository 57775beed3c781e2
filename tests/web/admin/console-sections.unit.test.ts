import { featureNames } from '#contracts/identity'
import { chosenSection, sections, sectionsOf } from '../../../web/features/admin-shell/console-shell'

const held = (...allowedFeatures: (typeof featureNames)[number][]) =>
  sectionsOf({ isSuperadmin: false, allowedFeatures })

describe('the console menu', () => {
  test('has a section for every feature', () =>
    expect(sections.map(({ key }) => key).toSorted()).toEqual(featureNames.toSorted()))

  test('shows what is held, in the order of the menu', () =>
    expect(held('cycles', 'kitchen').map(({ label }) => label)).toEqual(['Kitchen View', 'Order Cycles']))

  test('superadmin holds every section', () =>
    expect(sectionsOf({ isSuperadmin: true, allowedFeatures: [] })).toHaveLength(12))

  test('opens the section of the address, else menu, else the first held', () => {
    expect(chosenSection(held('menu', 'cycles'), 'cycles')?.key).toBe('cycles')
    expect(chosenSection(held('menu', 'cycles'), null)?.key).toBe('menu')
    expect(chosenSection(held('kitchen', 'cycles'), null)?.key).toBe('kitchen')
  })

  test('a section that is not held is not opened', () => {
    expect(chosenSection(held('kitchen'), 'menu')?.key).toBe('kitchen')
    expect(chosenSection(held(), 'menu')).toBeNull()
  })
})
