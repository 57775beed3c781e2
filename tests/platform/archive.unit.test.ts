import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { archiveVersion, createArchive } from '#platform/archive/write-archive'
import { readArchive } from '#platform/archive/read-archive'
import { StartError } from '#platform/failures'

const head = {
  version: archiveVersion,
  madeAt: '2026-11-21T08:00:00.000Z',
  schoolId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  school: 'Lusaka Test School',
  migrations: ['0001'],
}
const dishes = Array.from({ length: 1_234 }, (_, id) =>
  JSON.stringify({ id, name: `Soup\u2028& bread ${id}` }),
)

let folder: string
let path: string
let bytes: Buffer
let lines: string[]
let fingerprint: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tuckshop archive '))
  path = join(folder, 'school.gz')
  const writing = await createArchive(path, head)
  await writing.add('dishes', dishes.slice(0, 600))
  await writing.add('dishes', dishes.slice(600))
  await writing.add('nobody', [])
  await writing.add('cycles', ['{"id":1}'])
  fingerprint = (await writing.finish()).fingerprint
  bytes = await readFile(path)
  lines = gunzipSync(bytes).toString().split('\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const read = async (from: string) => {
  const rows = new Map<string, string[]>()
  const reading = readArchive(from)
  for (let step = await reading.next(); ; step = await reading.next()) {
    if (step.done) return { rows, ...step.value }
    const { part, rows: batch } = step.value
    rows.set(part, [...(rows.get(part) ?? []), ...batch])
  }
}

test('what was written is read again, part by part and row by row', async () => {
  const { rows, ...rest } = await read(path)
  expect([...rows]).toEqual([
    ['dishes', dishes],
    ['nobody', []],
    ['cycles', ['{"id":1}']],
  ])
  expect(rest).toMatchObject({ head, fingerprint, parts: [{ rows: 1_234 }, { rows: 0 }, { rows: 1 }] })
})

test('it has its name only when it is whole', async () => {
  const other = join(folder, 'other.gz')
  const writing = await createArchive(other, head)
  await writing.add('dishes', dishes)
  expect(await readdir(folder)).not.toContain('other.gz')
  await writing.discard()
  expect((await readdir(folder)).filter((name) => name.startsWith('other'))).toEqual([])
})

const refused = async (content: Buffer, words: RegExp) => {
  const other = join(folder, 'changed.gz')
  await writeFile(other, content)
  const reading = read(other)
  await expect(reading).rejects.toThrow(StartError)
  await expect(reading).rejects.toThrow(words)
}
const edited = (change: (lines: string[]) => string[]) => {
  const changed = change([...lines]).join('\n')
  expect(changed).not.toBe(lines.join('\n'))
  return gzipSync(changed)
}
const at = (start: string) => lines.findIndex((line) => line.startsWith(start))

test.each<[string, () => Buffer, RegExp]>([
  ['half of it', () => bytes.subarray(0, bytes.length / 2), /is cut short: its end is missing\.$/],
  ['all but its last bytes', () => bytes.subarray(0, -4), /is cut short: its end is missing\.$/],
  ['no last line', () => edited((all) => all.slice(0, -2)), /is cut short: its last line has no end\.$/],
  [
    'no manifest',
    () => edited((all) => [...all.slice(0, -2), '']),
    /is cut short: its manifest is missing\.$/,
  ],
  ['nothing', () => Buffer.alloc(0), /is cut short|is no archive/],
])('cut off: %s', (_what, content, words) => refused(content(), words))

test('a bit that was turned', async () => {
  const turned = Buffer.from(bytes)
  turned[Math.floor(turned.length / 2)]! ^= 1
  await refused(turned, /is damaged|is cut short|is not as it was made/)
})

test.each<[string, (lines: string[]) => string[], RegExp]>([
  ['a row changed', (all) => all.with(5, '{"id":3,"name":"Cake"}'), /its part dishes was changed\.$/],
  ['a row taken out', (all) => all.toSpliced(5, 1), /its part dishes has 1233 rows instead of 1234\.$/],
  [
    'a row put in',
    (all) => all.toSpliced(5, 0, '{"id":9}'),
    /its part dishes has 1235 rows instead of 1234\.$/,
  ],
  [
    'two rows changed round',
    (all) => all.with(4, all[5]!).with(5, all[4]!),
    /its part dishes was changed\.$/,
  ],
  ['a row outside all parts', (all) => all.toSpliced(1, 0, '{}'), /it has rows outside its parts\.$/],
  [
    'a part less',
    (all) => all.toSpliced(at('["part","nobody"]'), 1),
    /its part nobody is missing or in another place\.$/,
  ],
  [
    'a part more',
    (all) => all.toSpliced(at('["manifest"'), 0, '["part","more"]'),
    /it has parts that its manifest does not know\.$/,
  ],
  [
    'a mark of another kind',
    (all) => all.toSpliced(1, 0, '["chapter"]'),
    /one of its marks cannot be understood\.$/,
  ],
  [
    'another school',
    (all) => all.with(0, all[0]!.replace('Lusaka', 'Ndola')),
    /its first line was changed\.$/,
  ],
  [
    'a first line without a date',
    (all) => all.with(0, '["tuckshop archive",{"version":1}]'),
    /its first line cannot be understood\.$/,
  ],
  [
    'something behind the end',
    (all) => [...all.slice(0, -1), '{}', ''],
    /there is something behind its end\.$/,
  ],
  [
    'a newer format',
    (all) => all.with(0, all[0]!.replace('"version":1', '"version":2')),
    /by a newer Tuckshop \(version 2 of the format\)/,
  ],
])('changed: %s', (_what, change, words) => refused(edited(change), words))

test('what is no archive, and what is not there', async () => {
  await refused(gzipSync('id,name\n1,Mwila\n'), /is no archive of npm run backup\.$/)
  await refused(
    Buffer.from('a text of some length that nobody has compressed'),
    /is damaged, or is no archive/,
  )
  await expect(read(join(folder, 'nowhere'))).rejects.toThrow(/cannot be read \(ENOENT\)\.$/)
})
