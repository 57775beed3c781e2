import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

const root = join(__dirname, '../..')
const web = join(root, 'web')
const sheet = readFileSync(join(web, 'display-font.css'), 'utf8')
const faces = [...sheet.matchAll(/@font-face \{([^}]+)\}/g)].map(([, face]) => face!)
const shipped = faces.filter((face) => face.includes('url('))
const standIns = faces.filter((face) => face.includes('local('))

const file = /url\('([^']+)'\)/.exec(shipped[0]!)![1]!
const letters = join(root, 'node_modules', file)

const percent = (face: string, name: string): number =>
  Number(new RegExp(`${name}: ([\\d.]+)%`).exec(face)?.[1])

/** Ascent and descent of a WOFF2 file, in parts of the letters' size: tables `hhea` and `head`, which are kept as they are. */
const heightsOf = (path: string) => {
  const bytes = readFileSync(path)
  let at = 48
  const number = () => {
    let value = 0
    for (;;) {
      const byte = bytes[at++]!
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  const places = new Map<number, number>()
  let place = 0
  for (let table = 0; table < bytes.readUInt16BE(12); table += 1) {
    const flags = bytes[at++]!
    const tag = flags & 63
    if (tag === 63) at += 4
    places.set(tag, place)
    const length = number()
    const changed = tag === 10 || tag === 11 ? flags >> 6 !== 3 : flags >> 6 !== 0
    place += changed ? number() : length
  }
  const tables = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)))
  const [head, hhea] = [places.get(1)!, places.get(2)!]
  const size = tables.readUInt16BE(head + 18)
  return { ascent: tables.readInt16BE(hhea + 4) / size, descent: -tables.readInt16BE(hhea + 6) / size }
}

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

test('what stands in for it is as high as it, so that no line moves', () => {
  const { ascent, descent } = heightsOf(letters)
  expect(ascent + descent).toBeGreaterThan(1)
  const own = percent(shipped[0]!, 'size-adjust') / 100
  expect(standIns.length).toBeGreaterThan(1)
  for (const face of standIns) {
    const scale = percent(face, 'size-adjust') / 100
    expect((percent(face, 'ascent-override') / 100) * scale).toBeCloseTo(ascent * own, 2)
    expect((percent(face, 'descent-override') / 100) * scale).toBeCloseTo(descent * own, 2)
    expect(percent(face, 'line-gap-override')).toBe(0)
  }
})
