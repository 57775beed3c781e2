import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const folder = join(root, 'docs/spec-coverage')

type Citation = { page: string; file: string; title: string }

/** What each page cites, as "`tests/….test.ts` › the title of a test". */
const citationsIn = (page: string, text: string): Citation[] =>
  [...text.matchAll(/`(tests\/[^`]+)` › (.+)/g)].map(([, file, title]) => ({
    page,
    file: file!,
    title: title!.trim(),
  }))

const sources = new Map<string, string | null>()
const sourceOf = (file: string) => {
  if (!sources.has(file)) {
    const path = join(root, file)
    sources.set(file, existsSync(path) ? readFileSync(path, 'utf8') : null)
  }
  return sources.get(file) ?? null
}

/** A title as it stands in the source: in quotes, an apostrophe perhaps escaped. */
const isTitledIn = (source: string, title: string) =>
  [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``].some((quoted) =>
    source.includes(quoted),
  )

const faultOf = ({ page, file, title }: Citation): string[] => {
  const source = sourceOf(file)
  if (source === null) return [`${page}: ${file} does not exist`]
  return isTitledIn(source, title) ? [] : [`${page}: ${file} has no test "${title}"`]
}

const untickedIn = (page: string, text: string) =>
  [...text.matchAll(/^\s*- \[ \] .*/gm)].map(([line]) => `${page}: ${line.trim()}`)

/** A ticked sentence must say what proves it, on its own line or on those below. */
const unprovenIn = (page: string, text: string) =>
  text
    .split(/^(?=- )/m)
    .filter((entry) => entry.startsWith('- [x]') && !entry.includes('› '))
    .map((entry) => `${page}: nothing proves ${entry.split('\n')[0]}`)

const pages = readdirSync(folder).map((page) => [page, readFileSync(join(folder, page), 'utf8')] as const)

test.each(pages)('%s cites tests that exist, and leaves nothing unticked or unproven', (page, text) => {
  expect(citationsIn(page, text).flatMap(faultOf)).toEqual([])
  expect([...untickedIn(page, text), ...unprovenIn(page, text)]).toEqual([])
})

test('the specification is covered by hundreds of citations', () => {
  expect(pages.flatMap(([page, text]) => citationsIn(page, text)).length).toBeGreaterThan(250)
})

test('a page that cites nothing, nobody or the wrong test is found out', () => {
  const wrong = [
    '- [x] "a sentence" → `tests/no-such.unit.test.ts` › anything',
    '- [x] "another" → `tests/architecture/walls.unit.test.ts` › no such test',
    '- [x] "a third"',
    '- [ ] "a fourth"',
  ].join('\n')
  expect([
    ...citationsIn('page', wrong).flatMap(faultOf),
    ...unprovenIn('page', wrong),
    ...untickedIn('page', wrong),
  ]).toEqual([
    'page: tests/no-such.unit.test.ts does not exist',
    'page: tests/architecture/walls.unit.test.ts has no test "no such test"',
    'page: nothing proves - [x] "a third"',
    'page: - [ ] "a fourth"',
  ])
})
