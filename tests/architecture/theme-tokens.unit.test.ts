import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const web = join(__dirname, '../../web')

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
