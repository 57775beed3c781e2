import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config'
import { keepSuperadminPassword, pushSecret, sessionKeys } from '../../src/app/service/secrets'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tuckshop-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const config = () => readConfig({ DATA_DIR: folder })
const modeOf = async (file: string) => (await stat(file)).mode & 0o777

test('a secret is made once, whoever starts at the same time, for this user alone', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => sessionKeys(config())))
  expect(new Set(made.flat()).size).toBe(1)
  expect(made[0]![0]).toHaveLength(43)
  expect(await modeOf(join(folder, 'session-keys'))).toBe(0o600)
  expect(await sessionKeys(config())).toEqual(made[0])
  expect(await readdir(folder)).toEqual(['session-keys'])
})

test.each(['', '   \n', 'too-short'])('a secret file that holds %j is refused by its name', async (text) => {
  const file = join(folder, 'push-secret')
  await writeFile(file, text)
  await expect(pushSecret(config())).rejects.toThrow(`${file} is empty or shorter than 32 characters`)
  expect(await readFile(file, 'utf8')).toBe(text)
})

test('superadmin’s password takes the place of an earlier one, for this user alone', async () => {
  const file = await keepSuperadminPassword(folder, 'first')
  await chmod(file, 0o644)
  expect(await keepSuperadminPassword(folder, 'second')).toBe(file)
  expect(await readFile(file, 'utf8')).toBe('second\n')
  expect(await modeOf(file)).toBe(0o600)
  expect(await readdir(folder)).toEqual(['superadmin-password'])
})
