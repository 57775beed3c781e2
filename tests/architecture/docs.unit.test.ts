import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { anchorsOf, fileText } from '../support/repository'

const root = join(__dirname, '../..')
const { scripts } = JSON.parse(fileText('package.json')) as { scripts: Record<string, string> }

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!)

/** The files and folders of this project that a page names in code marks, those with a wildcard left out. */
const filesNamedIn = (text: string) =>
  all(text, /`((?:src|web|tests|docs|scripts|bench|migrations|ops)\/[\w./@-]+)`/g)

const anchorIsThere = (page: string, anchor: string) => anchorsOf(readFileSync(page, 'utf8')).includes(anchor)

const linkIsBroken = (page: string, link: string) => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(root, page) : join(root, dirname(page), path)
  return !existsSync(target) || (anchor !== undefined && !anchorIsThere(target, anchor))
}

/** What the page names that is not there. */
const faultsOf = (page: string, text: string): string[] => [
  ...filesNamedIn(text).filter((file) => !existsSync(join(root, file))),
  ...all(text, /npm run ([\w:]+)/g).filter((script) => scripts[script] === undefined),
  ...all(text, /\]\((?!https?:)([^)\s]+)\)/g).filter((link) => linkIsBroken(page, link)),
]

test.each(pages)('%s names files and scripts that exist, and its links lead somewhere', (page) => {
  expect(faultsOf(page, fileText(page))).toEqual([])
})

test('the pages name many files', () => {
  expect(pages.flatMap((page) => filesNamedIn(fileText(page))).length).toBeGreaterThan(200)
})

test('a file, a script and a link that lead nowhere are found out', () => {
  const wrong =
    'See `tests/abuse/no-such.int.test.ts`, `npm run fly`, [a](none.md), [b](#none), [c](#growth).'
  expect(faultsOf('docs/operations.md', wrong)).toEqual([
    'tests/abuse/no-such.int.test.ts',
    'fly',
    'none.md',
    '#none',
  ])
})
