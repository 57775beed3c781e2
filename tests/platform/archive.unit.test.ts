import { mkdtemp, readdir, readFile, rm, writeFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { check } from 'recheck'
import { readArchive } from '#platform/archive/read-archive'
import { archiveVersion, createArchive } from '#platform/archive/write-archive'
import { StartError } from '#platform/failures'
import { makeFolder } from '#platform/folder'
import { expressionFor, namesOne, withoutWords } from '#platform/names-in-texts'
import { type Retention, batchRows, maxBatches, removeOld } from '#platform/retention'
import { silentLog } from '../support/start-postgres'

describe('archive', () => {
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
})

describe('folder', () => {
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
})

const family = [
  "Chipo Ng'andu-Zulu",
  'Zoé',
  'The Mwale family',
  'zulu77',
  'chipo@example.org',
  '+260977613509',
]

test.each([
  ['Chipo is ill', '[deleted] is ill'],
  ['CHIPO NG’ANDU’s party', '[deleted] [deleted]’s party'],
  ['Chipo and Ng`andu', '[deleted] and [deleted]'],
  ['for Ngandu Zulu', 'for [deleted] [deleted]'],
  ['for Ng\u0301andu-Zulu.', 'for [deleted].'],
  ['Zoe and Zoé went', '[deleted] and [deleted] went'],
  ['mailed to Chipo@Example.org', 'mailed to [deleted]'],
  ['asked zulu77 twice', 'asked [deleted] twice'],
  ['call 0977 613-509 or +260977613509', 'call [deleted] or [deleted]'],
  ['The family of Mwale', 'The family of [deleted]'],
])('%s: what names the family is taken out, however it is written', (text, left) => {
  expect(withoutWords(text, family)).toBe(left)
})

test.each(['Zulus dance', 'Mwaleni Road is closed', 'receipt 10977613509', 'for the children', 'Café ½'])(
  '%s: what only looks like it stays as it is',
  (text) => {
    expect(withoutWords(text, family)).toBe(text)
  },
)

// Judged by the steps that a search takes: a time would fail on a busy machine.
const bySteps = {
  timeout: 120_000,
  attackTimeout: null,
  incubationTimeout: null,
  mutationTimeout: null,
  seedingTimeout: null,
  recallTimeout: -1,
}

test.each(family)('%s is looked for in linear time', async (word) => {
  const { source, flags } = expressionFor([word])!
  expect((await check(source, flags, bySteps)).status).toBe('safe')
})

test('signs of expressions in names are signs', () => {
  expect(withoutWords('a (b+) c and b', ['(b+)'])).toBe('a [deleted] c and b')
  expect(withoutWords('A.C. or ABC', ['A.C.'])).toBe('[deleted] or ABC')
  expect(withoutWords('nobody', [])).toBe('nobody')
})

test.each([
  ['BANDA RUTH MRS', true],
  ['for Ruth-Mary Banda', false],
  ['Peter Banda', false],
  ['ruth@example.org', false],
  ['Chipo', false],
])('%j names Ruth Banda, Chipo or ruth@example.org: %s', (text, is) => {
  expect(namesOne(text, ['Mrs Ruth Banda', 'Chipo', 'ruth@example.org'])).toBe(is)
})

describe('retention', () => {
  /** So many old rows, of which each call removes what it may. */
  const heap = (name: string, rows: number) => {
    const asked: number[] = []
    const retention: Retention = {
      name,
      kept: 'a day',
      remove: async (atMost) => {
        asked.push(atMost)
        const removed = Math.min(rows, atMost)
        rows -= removed
        return removed
      },
    }
    return { retention, asked, left: () => rows }
  }

  const removed = new Map<string, number>()
  const onRemoved = (name: string, rows: number) => void removed.set(name, (removed.get(name) ?? 0) + rows)
  const needs = { log: silentLog, onRemoved }
  beforeEach(() => removed.clear())

  test('no statement removes more than a thousand rows, and it ends with the first that finds fewer', async () => {
    const sessions = heap('sessions', 2 * batchRows + 1)
    await removeOld([sessions.retention], needs)
    expect([batchRows, sessions.asked]).toEqual([1000, [1000, 1000, 1000]])
    expect([sessions.left(), removed.get('sessions')]).toEqual([0, 2001])
  })

  test('one run is bounded; the next one takes what it left over', async () => {
    const knocks = heap('knocks', maxBatches * batchRows + 7)
    await removeOld([knocks.retention], needs)
    expect(knocks.left()).toBe(7)
    await removeOld([knocks.retention], needs)
    expect([knocks.left(), removed.get('knocks')]).toEqual([0, 50_007])
  })

  test('one that fails does not keep the others, and is told at the end', async () => {
    const broken: Retention = {
      name: 'broken',
      kept: 'a day',
      remove: () => Promise.reject(new Error('deadlock')),
    }
    const mails = heap('mails', 3)
    await expect(removeOld([broken, mails.retention], needs)).rejects.toThrow('some old rows')
    expect(removed).toEqual(new Map([['mails', 3]]))
  })
})
