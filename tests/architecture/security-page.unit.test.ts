import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(__dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

/** The files of this project that a page names in code marks. */
const filesNamedIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|web|tests|docs)\/[^`]+\.\w+|Dockerfile|package-lock\.json)`/g)].map(
    ([, file]) => file!,
  )

const missing = (files: string[]) => files.filter((file) => !existsSync(join(root, file)))

test('every file that docs/security.md names is there', () => {
  expect(missing(filesNamedIn(page))).toEqual([])
  expect(filesNamedIn(page).length).toBeGreaterThan(60)
})

test('a file that is gone is found out', () => {
  expect(missing(filesNamedIn('held by `tests/abuse/no-such.int.test.ts`'))).toHaveLength(1)
})

test('every attack of tests/abuse stands on the page', () => {
  const attacks = readdirSync(join(root, 'tests/abuse')).filter((file) => /\.(?:int|e2e)\.test\./.test(file))
  expect(attacks.filter((file) => !page.includes(`tests/abuse/${file}`))).toEqual([])
})

test('no file of the web application writes HTML itself or runs text', () => {
  const written =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/
  const files = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => written.test(readFileSync(join(root, 'web', file), 'utf8')))).toEqual([])
})
