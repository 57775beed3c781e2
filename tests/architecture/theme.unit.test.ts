import { readFileSync, mkdtempSync, readdirSync, writeFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileText } from '../support/repository'
import { type Scheme, contrastOf, hexOf, namesByNight, schemes } from '../support/theme-colours'

const web = join(__dirname, '../../web')

const both: Scheme[] = ['light', 'dark']
const contrast = (scheme: Scheme, one: string, other: string) =>
  contrastOf(hexOf(scheme, one), hexOf(scheme, other))

describe.each(both)('letters can be read, %s', (scheme) => {
  test.each([
    ['ink', 'page'],
    ['brand-700', 'page'],
    ['brand-800', 'page'],
    ['danger-600', 'page'],
    ['head-ink', 'head'],
    ['head-ink', 'head-raised'],
    ['head-quiet', 'head'],
    ['head-quiet', 'head-raised'],
    ['head-accent', 'head-raised'],
    ['danger-200', 'danger-700'],
    ['brand-800', 'surface'],
    ['brand-700', 'surface'],
    ['brand-700', 'brand-100'],
    ['accent-700', 'page'],
    ['accent-700', 'accent-100'],
    ['accent-600', 'surface'],
    ['ink', 'white'],
    ['ink', 'brand-50'],
    ['ink', 'danger-50'],
    ['ink', 'warning-50'],
    ['ink', 'info-50'],
    ['ink', 'sand-100'],
    ['ink', 'sand-200'],
    ['muted', 'white'],
    ['muted', 'danger-50'],
    ['muted', 'warning-50'],
    ['muted', 'info-50'],
    ['danger-700', 'surface'],
    ['danger-700', 'page'],
    ['danger-700', 'danger-100'],
    ['warning-700', 'surface'],
    ['info-700', 'surface'],
    ['sand-800', 'surface'],
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
    expect(contrast(scheme, letters, ground)).toBeGreaterThanOrEqual(4.5)
  })
})

describe.each(both)('what is pressed or has the focus can be seen, %s', (scheme) => {
  test.each([
    ['sand-400', 'surface'],
    ['sand-400', 'page'],
    ['sand-400', 'white'],
    ['danger-600', 'surface'],
    ['brand-700', 'surface'],
    ['accent-500', 'page'],
    ['accent-500', 'surface'],
    ['accent-500', 'head'],
    ['brand-700', 'sand-200'],
    ['accent-500', 'white'],
    ['white', 'danger-700'],
  ])('%s on %s, at least 3 to 1', (mark, ground) => {
    expect(contrast(scheme, mark, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('a colour without a name is an error, not a contrast', () => {
  expect(() => contrast('dark', 'ink', 'mustard')).toThrow('The theme has no colour mustard')
})

test('every colour has its value by night, but those that stand for another', () => {
  const same = [...schemes.light.keys()].filter((name) => !namesByNight.includes(name))
  expect(same).toEqual(['scrim-ink', 'day-ordered', 'day-ordered-ink', 'day-closed', 'day-closed-ink'])
  expect(namesByNight.filter((name) => !schemes.light.has(name))).toEqual([])
})

test('the bar of the browser has the colour of the head, by day and by night', () => {
  const page = readFileSync(join(__dirname, '../../web/index.html'), 'utf8')
  for (const scheme of both)
    expect(page).toContain(
      `<meta name="theme-color" content="${hexOf(scheme, 'head')}" media="(prefers-color-scheme: ${scheme})" />`,
    )
})

test('the page shown without a connection has the colours of the theme', () => {
  const page = readFileSync(join(__dirname, '../../web/public/sw.js'), 'utf8')
  const tokens = {
    page: 'page',
    ink: 'ink',
    muted: 'muted',
    button: 'brand-700',
    'on-button': 'white',
    ring: 'accent-500',
  }
  for (const scheme of both)
    for (const [part, token] of Object.entries(tokens))
      expect(page).toContain(`--${part}: ${hexOf(scheme, token)}`)
})

/** What names a colour, a size or a font outside of `web/theme.css`, and what to write in its place. */
const literals = [
  [/#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?![\w/-])/i, 'a colour of the theme, such as text-brand-700'],
  [/\b(?:rgba?|hsla?|oklch|oklab|color-mix)\(/, 'a colour of the theme'],
  [
    /\b(?:bg|text|font|fill|stroke|border|outline|ring|shadow|rounded|leading|tracking|decoration|accent|caret|from|via|to|divide|placeholder)-\[/,
    'a token of the theme',
  ],
  [/-\[[^\]]*?\d(?:px|pt)\b/, 'a step of the scale, such as mt-2'],
  [
    /\b(?:fontSize|fontFamily|lineHeight|letterSpacing)\b|font-(?:size|family):|\bfont:/,
    'text-sm, font-display and their like',
  ],
  [/\b\d+(?:\.\d+)?(?:px|pt)['"\s;]/, 'a step of the scale'],
] as const

const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line)
// How wide a picture is drawn, told to the browser for the choice of its file; nothing is drawn by it.
const pictureSizes = /\bsizes="[^"]*"/g
const importPath = /from '#\w+\/|import\('/

const literalsIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    if (isComment(line) || importPath.test(line)) return []
    const [hit] = literals.flatMap(([form, cure]) => {
      const found = form.exec(line.replaceAll(pictureSizes, ''))?.[0]
      return found ? [`${found.trim()} (write ${cure})`] : []
    })
    return hit ? [hit] : []
  })

const componentsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))

const foundIn = (folder: string): string[] =>
  componentsOf(folder).flatMap((file) =>
    literalsIn(readFileSync(join(folder, file), 'utf8')).map((word) => `${file}: ${word}`),
  )

test('no component names a colour, a size or a font of its own', () => {
  expect(componentsOf(web).length).toBeGreaterThan(100)
  expect(foundIn(web)).toEqual([])
})

test('the looks of web/ui name no colour and no font of their own', () => {
  const sheets = readdirSync(join(web, 'ui')).filter((file) => file.endsWith('.css'))
  expect(sheets).toContain('components.css')
  const colour = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(|font-family|font-size: (?!var\(|min\(var\()/i
  const found = sheets.flatMap((file) =>
    readFileSync(join(web, 'ui', file), 'utf8')
      .split('\n')
      .filter((line) => colour.test(line)),
  )
  expect(found).toEqual([])
})

test.each([
  ['<p className="text-[13px]">', 'text-['],
  ['<p className="bg-[#f3ece0]">', '#f3ece0'],
  ['<p className="mt-[7px]">', '-[7px'],
  ["<p style={{ color: '#1f5035' }}>", '#1f5035'],
  ["<p style={{ color: 'rgb(1 2 3)' }}>", 'rgb('],
  ["<p style={{ fontSize: '0.8rem' }}>", 'fontSize'],
  ["<p style={{ marginTop: '13px' }}>", "13px'"],
])('%s in a component is found, with what to write in its place', (line, word) => {
  const folder = mkdtempSync(join(tmpdir(), 'theme-'))
  writeFileSync(join(folder, 'wrong.tsx'), `export const Wrong = () => (\n  ${line}\n)\n`)
  expect(foundIn(folder)).toEqual([expect.stringMatching(/^wrong\.tsx: .+ \(write .+\)$/)])
  expect(foundIn(folder)[0]).toContain(word)
})

test.each([
  ['<Icon href="/icons.svg#alert" />'],
  ["import { login } from '#contracts/identity'"],
  ['<div className="grid-cols-[auto_1fr_auto] flex-[2]">'],
  ['// under 768px the table is a list'],
  ['<a href="#cafe-menu">'],
  ['<img sizes="220px" alt="" />'],
])('%s is none of that', (line) => {
  expect(literalsIn(line)).toEqual([])
})

describe('display font', () => {
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
    expect(readFileSync(join(letters, '../../LICENSE'), 'utf8')).toContain(
      'SIL Open Font License, Version 1.1',
    )
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
})

test('no file of the web application writes HTML itself or runs text', () => {
  const written =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => written.test(readFileSync(join(web, file), 'utf8')))).toEqual([])
})

const names: Record<string, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  safari: 'Safari',
  ios: 'iOS',
}

test('the README names the browsers that the application is built for', () => {
  const [target] = /target: \[.+\]/.exec(fileText('vite.config.ts'))!
  const builtFor = [...target.matchAll(/'([a-z]+)([\d.]+)'/g)].map(
    ([, name, version]) => `${names[name!]} ${version}`,
  )
  const [said] = /^Supported are .+ every later version/m.exec(fileText('README.md'))!
  expect(said.match(/[A-Z]\w+ \d[\d.]*/gi)).toEqual(builtFor)
})

// The compiler knows what the oldest browser has of the language, not what it has of the browser's own functions. These
// are the ones that come to hand.
const younger =
  /\bURL\.(?:canParse|parse)\(|AbortSignal\.any\(|\.checkVisibility\(|startViewTransition|requestIdleCallback|\.(?:show|toggle)Popover\(|\.requestClose\(|scheduler\.(?:yield|postTask)/

test('no script of the web application asks for what the oldest of them lacks', () => {
  const web = join(__dirname, '../../web')
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:tsx?|js)$/.test(file),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => younger.test(readFileSync(join(web, file), 'utf8')))).toEqual([])
})
