import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const page = readFileSync(join(root, 'docs/survival.md'), 'utf8')

/** The files of this project that a page names in code marks. */
const filesNamedIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|tests|docs)\/[^`\s]+\.\w+)`/g)].map(([, file]) => file!)

const missing = (files: string[]) => files.filter((file) => !existsSync(join(root, file)))

test('every file that docs/survival.md names is there', () => {
  expect(missing(filesNamedIn(page))).toEqual([])
  expect(filesNamedIn(page).length).toBeGreaterThan(15)
})

test('a file that is gone is found out', () => {
  expect(missing(filesNamedIn('held by `tests/survival/no-such.int.test.ts`'))).toHaveLength(1)
})

test('everything that is tried under tests/survival and tests/crash stands on the page', () => {
  const tried = ['survival', 'crash'].flatMap((room) =>
    readdirSync(join(root, 'tests', room))
      .filter((file) => file.includes('.test.'))
      .map((file) => `tests/${room}/${file}`),
  )
  expect(tried.length).toBeGreaterThan(7)
  expect(tried.filter((file) => !page.includes(`\`${file}\``))).toEqual([])
})

test('every race stands on the page, and no other', () => {
  const [, races = ''] = page.split('## Races')
  const rows = races.split('## ')[0]!.match(/^\| (?!Race |---)/gm) ?? []
  const file = readFileSync(join(root, 'tests/ordering/races.int.test.ts'), 'utf8')
  // The last test of the file is no race: it looks at what they left.
  expect(rows).toHaveLength((file.match(/^test\(/gm) ?? []).length - 1)
})

test('the commands it gives are there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  expect(named).toContain('test:crash')
})
