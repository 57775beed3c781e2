import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const web = join(root, 'web')
const sheet = readFileSync(join(web, 'display-font.css'), 'utf8')
const faces = [...sheet.matchAll(/@font-face \{([^}]+)\}/g)].map(([, face]) => face!)
const shipped = faces.filter((face) => face.includes('url('))

const file = /url\('([^']+)'\)/.exec(shipped[0]!)![1]!
const letters = join(root, 'node_modules', file)

test('one typeface is shipped, in one variable file of at most 30 kB under an open licence', () => {
  expect(shipped).toHaveLength(1)
  expect(file).toMatch(/latin-wght-normal\.woff2$/)
  expect(statSync(letters).size).toBeLessThanOrEqual(30_000)
  expect(readFileSync(join(letters, '../../LICENSE'), 'utf8')).toContain('SIL Open Font License, Version 1.1')
  const sheets = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  const others = sheets.filter(
    (name) => name !== 'display-font.css' && readFileSync(join(web, name), 'utf8').includes('@font-face'),
  )
  expect(others).toEqual([])
})

test('headings are there before it is, and it is asked for only where a heading wants it', () => {
  expect(shipped[0]).toContain('font-display: swap;')
  expect(readFileSync(join(web, 'index.html'), 'utf8')).not.toMatch(/rel="preload"[^>]+woff2|as="font"/)
  const theme = readFileSync(join(web, 'theme.css'), 'utf8')
  const names = faces.map((face) => /font-family: '([^']+)'/.exec(face)![1]!)
  expect(/--font-display:\s*([^;]+);/.exec(theme)![1]!.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(`^${names.map((name) => `'${name}'`).join(', ')}, `),
  )
  expect(/--font-sans:\s*([^;]+);/.exec(theme)![1]).not.toContain(names[0])
})
