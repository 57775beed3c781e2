import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '#platform/folder'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tuckshop-folder-'))
})
afterEach(() => rm(folder, { recursive: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('folders are made with those above them, whoever else makes them', async () => {
  const path = join(folder, 'one', 'two', 'three')
  await Promise.all([makeFolder(path, 0o700), makeFolder(path, 0o700), makeFolder(path, 0o700)])
  expect(await modeOf(path)).toBe(0o700)
  expect(await modeOf(join(folder, 'one'))).toBe(0o700)
})

test('a file in the way, and a place where nothing can be made, are errors with the path', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST', path: file })
  await expect(makeFolder(join(file, 'below'))).rejects.toMatchObject({
    code: 'ENOTDIR',
    path: join(file, 'below'),
  })
  await expect(makeFolder('/proc/x/postgres')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/x' })
})
