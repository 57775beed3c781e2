import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const web = join(__dirname, '../../web')
const theme = readFileSync(join(web, 'theme.css'), 'utf8')
const colours = new Map(
  [...theme.matchAll(/--color-([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name!, value!]),
)

const luminance = (hex: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

/** The hex of a name; one token may stand for another. */
const hexOf = (name: string): string => {
  const value =
    colours.get(name) ?? theme.match(new RegExp(`--color-${name}: var\\(--color-([\\w-]+)\\);`))?.[1]
  if (!value) throw new Error(`The theme has no colour ${name}`)
  return value.startsWith('#') ? value : hexOf(value)
}

/** The contrast of two named colours (WCAG 2.2). */
const contrast = (one: string, other: string): number => {
  const [light, dark] = [one, other].map((name) => luminance(hexOf(name))).toSorted((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

describe('letters can be read', () => {
  test.each([
    ['ink', 'page'],
    ['brand-700', 'page'],
    ['brand-800', 'page'],
    ['danger-600', 'page'],
    ['brand-100', 'brand-800'],
    ['accent-300', 'brand-800'],
    ['white', 'brand-600'],
    ['white', 'accent-700'],
    ['white', 'danger-700'],
    ['muted', 'sand-50'],
    ['muted', 'sand-200'],
    ['muted', 'brand-50'],
    ['muted', 'accent-50'],
    ['ink', 'accent-100'],
    ['sand-500', 'white'],
    ['danger-600', 'danger-50'],
    ['ink', 'surface'],
    ['muted', 'page'],
    ['muted', 'surface'],
    ['muted', 'sand-100'],
    ['white', 'brand-700'],
    ['white', 'brand-800'],
    ['white', 'accent-600'],
    ['white', 'danger-600'],
    ['white', 'sand-800'],
    ['brand-700', 'brand-50'],
    ['brand-800', 'brand-50'],
    ['accent-700', 'surface'],
    ['accent-800', 'accent-50'],
    ['accent-800', 'accent-100'],
    ['danger-600', 'surface'],
    ['danger-700', 'danger-50'],
    ['warning-700', 'warning-50'],
    ['warning-700', 'warning-100'],
    ['info-700', 'info-50'],
    ['sand-800', 'sand-100'],
    ['day-ordered-ink', 'day-ordered'],
    ['day-cart-ink', 'day-cart'],
    ['day-closed-ink', 'day-closed'],
    ['day-closed-ink', 'sand-50'],
  ])('%s on %s, at least 4.5 to 1', (letters, ground) => {
    expect(contrast(letters, ground)).toBeGreaterThanOrEqual(4.5)
  })
})

describe('what is pressed or has the focus can be seen', () => {
  test.each([
    ['sand-400', 'surface'],
    ['sand-400', 'page'],
    ['sand-400', 'white'],
    ['danger-600', 'surface'],
    ['brand-700', 'surface'],
    ['accent-500', 'page'],
    ['accent-500', 'surface'],
    ['accent-500', 'brand-800'],
    ['white', 'danger-700'],
  ])('%s on %s, at least 3 to 1', (mark, ground) => {
    expect(contrast(mark, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('a colour without a name is an error, not a contrast', () => {
  expect(() => contrast('ink', 'mustard')).toThrow('The theme has no colour mustard')
})
