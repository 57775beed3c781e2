import { readdirSync, readFileSync } from 'node:fs'
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

/** The contrast of two named colours (WCAG 2.2). */
const contrast = (one: string, other: string): number => {
  const [light, dark] = [one, other].map((name) => luminance(colours.get(name)!)).toSorted((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

describe('letters can be read', () => {
  test.each([
    ['ink', 'page'],
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
  ])('%s on %s, at least 4.5 to 1', (letters, ground) => {
    expect(contrast(letters, ground)).toBeGreaterThanOrEqual(4.5)
  })
})

/** What names a colour, a size of letters or a font outside of the theme. */
const literal =
  /#[\da-f]{3,8}\b(?!['"\w-]*\/)|\brgba?\(|\bhsla?\(|\b(?:bg|text|border|font|fill|stroke)-\[|fontFamily|fontSize/i

const literalsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && !/#(?:contracts|kernel)\//.test(line))
    .flatMap((line) => literal.exec(line)?.[0] ?? [])

const components = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.tsx'),
)

test('no component names a colour, a size of letters or a font of its own', () => {
  expect(components.length).toBeGreaterThan(100)
  const found = components.flatMap((file) =>
    literalsIn(readFileSync(join(web, file), 'utf8')).map((word) => `${file}: ${word}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['<p className="text-[13px]">', 'text-['],
  ['<p className="bg-[#fff]">', 'bg-['],
  ["style={{ color: '#1f5035' }}", '#1f5035'],
  ["style={{ color: 'rgb(1 2 3)' }}", 'rgb('],
  ["style={{ fontSize: '13px' }}", 'fontSize'],
])('%s would be found', (line, word) => {
  expect(literalsIn(line)).toEqual([word])
})
