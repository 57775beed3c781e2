import { inflateSync } from 'node:zlib'

/** Letters in one run, and where the first stands on its line: mm from the left and the upper edge of the page. */
type PdfRun = { text: string; x: number; y: number }

/**
 * `text` without any spaces, in the order it was drawn; `inks` are the fill colours of letters, as "r g b" of 0 to 1;
 * `size` in points.
 */
export type PdfPage = { text: string; runs: PdfRun[]; inks: string[]; size: string }

/** What each code stands for, as hex of two digits (a variable typeface's) or four: a font has codes of one length. */
type Glyphs = Map<string, string>

/** The pages of a PDF as Chromium writes it (objects in the open, streams deflated, fonts with a map to Unicode). */
export const pdfPages = (pdf: Buffer): PdfPage[] => {
  const bytes = pdf.toString('latin1')
  const objects = new Map(
    [...bytes.matchAll(/(\d+) 0 obj\n([^]*?)\nendobj/g)].map(([, id, body]) => [id!, body!]),
  )
  const wordsOf = (id: string | undefined) =>
    objects
      .get(id ?? '')!
      .split('stream\n')[0]!
      .replaceAll('\n', ' ')
  const streamOf = (id: string | undefined) => inflated(objects.get(id ?? '')!)
  const fontsOf = (page: string) =>
    new Map(
      referred(/\/Font <<(.*?)>>/.exec(page)?.[1] ?? '').map(([, name, font]) => [
        name!,
        glyphsOf(streamOf(/\/ToUnicode (\d+)/.exec(wordsOf(font))![1])),
      ]),
    )
  const pagesUnder = (id: string): string[] => {
    const kids = /\/Kids \[(.*?)\]/.exec(wordsOf(id))
    return kids ? [...kids[1]!.matchAll(/(\d+) 0 R/g)].flatMap(([, kid]) => pagesUnder(kid!)) : [wordsOf(id)]
  }
  const catalogue = [...objects.keys()].map(wordsOf).find((words) => words.includes('/Type /Catalog'))!
  return pagesUnder(/\/Pages (\d+)/.exec(catalogue)![1]!).map((page) => {
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page)!
    const size = `${Math.round(Number(width))} x ${Math.round(Number(height))}`
    const content = streamOf(/\/Contents (\d+)/.exec(page)![1])
    return { size, ...drawn(content, fontsOf(page)), runs: runsOf(content, fontsOf(page), Number(height)) }
  })
}

const referred = (words: string) => [...words.matchAll(/\/(\w+) (\d+) 0 R/g)]

const inflated = (object: string): string => {
  const length = Number(/\/Length (\d+)/.exec(object)![1])
  const start = object.indexOf('stream\n') + 'stream\n'.length
  return inflateSync(Buffer.from(object.slice(start, start + length), 'latin1')).toString('latin1')
}

const letters = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')
const hexOf = (code: number, digits: number) => code.toString(16).padStart(digits, '0').toUpperCase()

const glyphsOf = (map: string): Glyphs => {
  const glyphs: Glyphs = new Map()
  for (const [, from, to, first] of map.matchAll(/^<(\w{2,4})> <(\w{2,4})> <(\w{4})>$/gm))
    for (let code = parseInt(from!, 16); code <= parseInt(to!, 16); code += 1)
      glyphs.set(
        hexOf(code, from!.length),
        letters(hexOf(parseInt(first!, 16) + code - parseInt(from!, 16), 4)),
      )
  for (const [, code, words] of map.matchAll(/^<(\w{2,4})> <((?:\w{4})+)>$/gm))
    glyphs.set(code!, letters(words!))
  return glyphs
}

const pointMm = 25.4 / 72

/** Scaled and moved; Chromium turns nothing. */
type Placing = { scaleX: number; scaleY: number; x: number; y: number }

const placedIn = (outer: Placing, numbers: string): Placing => {
  const [scaleX = 1, , , scaleY = 1, x = 0, y = 0] = numbers.trim().split(' ').map(Number)
  return {
    scaleX: outer.scaleX * scaleX,
    scaleY: outer.scaleY * scaleY,
    x: outer.x + outer.scaleX * x,
    y: outer.y + outer.scaleY * y,
  }
}

const wordOf = (hex: string, glyphs: Glyphs | undefined) => {
  const digits = glyphs?.keys().next().value?.length ?? 4
  return hex
    .match(new RegExp(`.{${digits}}`, 'g'))!
    .map((code) => glyphs?.get(code) ?? '?')
    .join('')
}

const runsOf = (content: string, fonts: Map<string, Glyphs>, height: number): PdfRun[] => {
  const runs: PdfRun[] = []
  const outer: Placing[] = []
  let page: Placing = { scaleX: 1, scaleY: 1, x: 0, y: 0 }
  let line = page
  let font = ''
  const operators = /^(q|Q)$|^([-\d. ]+) (cm|Tm)$|^([-\d.]+) ([-\d.]+) Td\b|\/(\w+) [\d.]+ Tf|<(\w+)> Tj/gm
  for (const [, stack, numbers, act, right, down, name, shown] of content.matchAll(operators)) {
    if (stack === 'q') outer.push(page)
    if (stack === 'Q') page = outer.pop()!
    if (act === 'cm') page = placedIn(page, numbers!)
    if (act === 'Tm') line = placedIn(page, numbers!)
    if (right) line = placedIn(line, `1 0 0 1 ${right} ${down}`)
    if (name) font = name
    if (shown)
      runs.push({
        text: wordOf(shown, fonts.get(font)),
        x: line.x * pointMm,
        y: (height - line.y) * pointMm,
      })
  }
  return runs
}

const drawn = (content: string, fonts: Map<string, Glyphs>) => {
  let [font, ink, text] = ['', '0 0 0', '']
  const inks = new Set<string>()
  for (const [, fill, name, shown] of content.matchAll(/([\d. ]+) rg\b|\/(\w+) [\d.]+ Tf|<(\w+)> Tj/g)) {
    if (fill) ink = fill.trim()
    if (name) font = name
    if (!shown) continue
    inks.add(ink)
    text += wordOf(shown, fonts.get(font))
  }
  return { text: text.replaceAll(/\s/g, ''), inks: [...inks] }
}
