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

test('a folder without expressions is no success', async () => {
  expect(await checked()).toMatchObject({
    code: 1,
    said: expect.stringContaining('No expressions in src and web'),
  })
})
