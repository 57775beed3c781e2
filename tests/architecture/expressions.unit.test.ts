import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const script = join(__dirname, '../../scripts/expressions.mjs')
const run = promisify(execFile)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'expressions-'))
  for (const name of ['src', 'web', 'scripts']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'scripts/linear-expressions.txt'), '/gone/u\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const proven = () => readFileSync(join(folder, 'scripts/linear-expressions.txt'), 'utf8')
const checked = () =>
  run(process.execPath, [script], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  )

test('expressions that take linear time pass, and are not proven again', async () => {
  write('src/a.ts', 'export const isNumber = (text: string) => /^\\d+$/.test(text)')
  write('web/b.tsx', 'export const Name = () => <b>{"a, b".split(/[,;]/).length}</b>')
  expect(await checked()).toEqual({ code: 0, said: '2 expressions, 2 of them proven to take linear time\n' })
  expect(proven()).toBe('/[,;]/\n/^\\d+$/\n')
})

test.each([
  ['src/a.ts', String.raw`/^((sur)?names?|surnames?|and)+$/`],
  ['web/b.tsx', String.raw`/\s*–\s*/g`],
])('one in %s that takes longer is named: %s', async (name, expression) => {
  write(name, `export const found = ${expression}`)
  const { code, said } = await checked()
  expect([code, said]).toEqual([1, expect.stringContaining(`${name}: ${expression} `)])
  expect(proven()).not.toContain(expression)
})

test('one that is made of texts that are written is read', async () => {
  write(
    'src/a.ts',
    [
      "const words = '(?:a|b)'",
      "export const one = new RegExp(`^/(?:${['c', 'd/e+'].join('|')})?$`, 'i')",
      'export const two = new RegExp(words + String.raw`\\d${words}`)',
      "export const three = RegExp('[\\n]')",
    ].join('\n'),
  )
  expect((await checked()).said).toBe('3 expressions, 3 of them proven to take linear time\n')
  expect(proven()).toBe(
    [String.raw`/(?:a|b)\d(?:a|b)/`, String.raw`/[\n]/`, String.raw`/^\/(?:c|d\/e+)?$/i`, ''].join('\n'),
  )
})

test('one made of written texts that takes longer is named', async () => {
  write('src/a.ts', "const gap = String.raw`\\s*`\nexport const found = new RegExp(`${gap}–${gap}`, 'g')")
  expect(await checked()).toEqual({
    code: 1,
    said: expect.stringContaining(String.raw`src/a.ts: /\s*–\s*/g `),
  })
})

test('one that cannot be read needs a reason in the list, and leaves it with the program', async () => {
  write('src/a.ts', 'export const found = (word: string) => new RegExp(`^${word}$`)\nexport const a = /a/')
  const unread = 'src/a.ts: new RegExp(^…$)'
  expect(await checked()).toEqual({ code: 1, said: expect.stringContaining(`${unread} cannot be read`) })
  write(
    'scripts/linear-expressions.txt',
    `${unread} # a word is escaped\nsrc/gone.ts: new RegExp(…) # gone\n`,
  )
  expect(await checked()).toMatchObject({ code: 0 })
  expect(proven()).toBe(`/a/\n${unread} # a word is escaped\n`)
})

test('a folder without expressions is no success', async () => {
  expect(await checked()).toMatchObject({
    code: 1,
    said: expect.stringContaining('No expressions in src and web'),
  })
})
