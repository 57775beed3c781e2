import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(process.cwd(), 'scripts/comment-share.mjs')

const project = (lines: string[]): string => {
  const root = mkdtempSync(join(tmpdir(), 'comment-share-'))
  for (const folder of ['src', 'web']) {
    mkdirSync(join(root, folder))
    writeFileSync(join(root, folder, 'a.ts'), lines.join('\n'))
  }
  return root
}

const code = Array.from({ length: 97 }, (_, at) => `export const a${at} = ${at}`)

test('src and web hold few enough comments', () => {
  expect(execFileSync('node', [script], { encoding: 'utf8' })).toMatch(/^src: \d+\.\d %/)
})

test('three comment lines of a hundred pass, blank lines do not count', () => {
  const run = spawnSync('node', [script], {
    cwd: project(['// one', '', '/* two', ' three */', ...code]),
    encoding: 'utf8',
  })
  expect(run.stdout).toContain('src: 3.0 % of the lines are comments')
  expect(run.status).toBe(0)
})

test('more comments than that are refused', () => {
  const comments = Array.from({ length: 10 }, () => '/** Says nothing. */')
  const run = spawnSync('node', [script], { cwd: project([...comments, ...code]), encoding: 'utf8' })
  expect(run.stderr).toContain('delete comments that repeat a name or a type')
  expect(run.status).toBe(1)
})

test('a folder without code is no success', () => {
  const root = mkdtempSync(join(tmpdir(), 'comment-share-'))
  mkdirSync(join(root, 'src'))
  expect(spawnSync('node', [script], { cwd: root }).status).not.toBe(0)
})
