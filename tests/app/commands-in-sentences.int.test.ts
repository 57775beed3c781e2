import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { backupSchool } from '../../src/app/backup/backup-school'
import { freshDatabaseUrl } from '../support/postgres'
import { startSchool, type School } from '../support/school'

let school: School
let empty: { url: string; drop: () => Promise<void> }
let folder: string
let silent: Server
let babbling: Server
const given: Record<string, string> = {}

const listening = async (server: Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const withIn = (url: string, change: (url: URL) => void) => {
  const changed = new URL(url)
  change(changed)
  return changed.href
}

beforeAll(async () => {
  if (!existsSync('dist/server/audit-main.js')) throw new Error('There is no build: npm run build')
  school = await startSchool({ whole: true })
  empty = await freshDatabaseUrl()
  folder = await mkdtemp(join(tmpdir(), 'tuckshop commands '))
  silent = createServer(() => undefined)
  babbling = createServer((socket) => socket.on('error', () => undefined).end('garbage\n'))
  const file = (name: string) => join(folder, name)
  await mkdir(file('folder'))
  await writeFile(file('file'), 'a"b,c\n"')
  await backupSchool(
    school.infrastructure,
    { SCHOOL_NAME: 'Lusaka Test School', EVENTSTORE_URL: undefined },
    { path: file('whole.gz'), modules: school.modules, now: school.now, onProgress: () => undefined },
  )
  const whole = await readFile(file('whole.gz'))
  await writeFile(file('half.gz'), whole.subarray(0, whole.length / 2))
  const other = gunzipSync(whole).toString().replace('"version":1', '"version":99')
  await writeFile(file('version.gz'), gzipSync(other))
  Object.assign(given, {
    FOLDER: folder,
    SCHOOL: school.databaseUrl,
    EMPTY: empty.url,
    PASSWORD: withIn(empty.url, (url) => (url.password = 'wrong')),
    MISSING: withIn(empty.url, (url) => (url.pathname = '/there_is_none')),
    READABLE: withIn(school.databaseUrl, (url) =>
      url.searchParams.set('options', '-c default_transaction_read_only=on'),
    ),
    SILENT: await listening(silent),
    BABBLING: await listening(babbling),
  })
}, 120_000)
afterAll(async () => {
  await school.close()
  await empty.drop()
  silent.close()
  babbling.close()
  await rm(folder, { recursive: true, force: true })
})

const filled = (text: string) => text.replace(/\$([A-Z]+)/g, (_, name: string) => given[name]!)

/** What a command tells with these variables and arguments, of which the names in capitals stand for what is made here. */
const told = async (command: string, args: string[], variables: Record<string, string>) => {
  const environment = Object.entries(variables).map(([name, value]) => [name, filled(value)])
  const child = spawn(process.execPath, [`dist/server/${command}-main.js`, ...args.map(filled)], {
    env: { PATH: process.env['PATH'], HOME: folder, ...Object.fromEntries(environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += String(piece)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, text: text.trim() }
}

const none = { DATA_DIR: '$FOLDER/none' }
const here = { DATABASE_URL: '$SCHOOL', DATA_DIR: '$FOLDER/data' }
const onSchool = ['audit', 'rebuild', 'superadmin-reset', 'backup']
const argsOf: Record<string, string[]> = {
  backup: ['--to', '$FOLDER/new.gz'],
  restore: ['--from', '$FOLDER/whole.gz'],
}

type Case = [
  command: string,
  what: string,
  variables: Record<string, string>,
  args: string[],
  sentence: RegExp,
]

const databases: [string, string, RegExp][] = [
  ['an address that is none', 'nonsense', /^DATABASE_URL .*takes an address/],
  ['nobody there', 'postgres://a:secret@127.0.0.1:1/x', /cannot be reached: nothing answers there\.$/],
  ['an unknown host', 'postgres://a:secret@no.such.host.invalid/x', /the host is not known\.$/],
  ['another program there', 'postgres://a:secret@$BABBLING/x', /^The database at .* cannot be reached: /],
  ['a wrong password', '$PASSWORD', /the user or the password is wrong\.$/],
  ['no such database', '$MISSING', /^The database at .* cannot be reached: .*does not exist\.$/],
]

const cases: Case[] = [
  ...[...onSchool, 'restore', 'migrate'].flatMap((command) =>
    (command === 'audit' || command === 'migrate' ? databases : databases.slice(-2)).map(
      ([what, DATABASE_URL, sentence]): Case => [
        command,
        what,
        { ...none, DATABASE_URL },
        argsOf[command] ?? [],
        sentence,
      ],
    ),
  ),
  ...onSchool.flatMap((command): Case[] => [
    [
      command,
      'no school in the folder',
      none,
      argsOf[command] ?? [],
      /^There is no school in the data directory/,
    ],
    [
      command,
      'no school in the database',
      { ...none, DATABASE_URL: '$EMPTY' },
      argsOf[command] ?? [],
      /^There is no school in the database at DATABASE_URL/,
    ],
    [
      command,
      'a copy',
      { ...none, DATABASE_URL: '$READABLE' },
      argsOf[command] ?? [],
      /^The database can only be read/,
    ],
  ]),
  ...(['$SILENT', '$BABBLING', '127.0.0.1:1'] as const).map((place): Case => [
    'audit',
    `no Redis at ${place}`,
    { ...here, REDIS_URL: `redis://${place}` },
    [],
    /^The job queue at .* cannot be reached: .*\.$/,
  ]),
  ...['audit', 'superadmin-reset', 'migrate', 'restore', 'backup'].map((command): Case => [
    command,
    'an argument that it does not know',
    here,
    ['--nonsense', 'x'],
    /takes /,
  ]),
  ['rebuild', 'two contexts', here, ['ordering', 'payments'], /^Rebuilding takes one context/],
  ['rebuild', 'a context that is none', here, ['nonsense'], /^There are no read models of nonsense/],
  ...['$FOLDER/none.csv', '$FOLDER/folder', '$FOLDER/file', '$FOLDER/whole.gz'].map((path): Case => [
    'audit',
    `against ${path}`,
    here,
    ['--against', path],
    /cannot be read\.$|is not an export of the history/,
  ]),
  ...['$FOLDER/none.gz', '$FOLDER/folder', '$FOLDER/file', '$FOLDER/half.gz', '$FOLDER/version.gz'].flatMap(
    (path): Case[] => [
      ['restore', `from ${path}`, none, ['--from', path], /^The (archive|file) .*\.$/],
      ['backup', `--check ${path}`, none, ['--check', path], /^The (archive|file) .*\.$/],
    ],
  ),
  [
    'restore',
    'into a school',
    here,
    ['--from', '$FOLDER/whole.gz'],
    /^The service is running on this database/,
  ],
  [
    'restore',
    'into a file',
    { DATA_DIR: '$FOLDER/file' },
    ['--from', '$FOLDER/whole.gz'],
    /cannot be written/,
  ],
  ...[
    '$FOLDER/whole.gz',
    '$FOLDER/no/such/new.gz',
    '$FOLDER/folder',
    '/proc/new.gz',
    '$FOLDER/file/new.gz',
  ].map((path): Case => ['backup', `to ${path}`, here, ['--to', path], /^The (file|archive) .*\.$/]),
  ...['nonsense', 'http://$BABBLING', 'esdb://127.0.0.1:1'].map((address): Case => [
    'restore',
    `into an event store at ${address}`,
    { ...none, DATABASE_URL: '$EMPTY', EVENTSTORE_URL: address },
    ['--from', '$FOLDER/whole.gz'],
    /EVENTSTORE_URL .*takes |takes a user and a password/,
  ]),
  ...['127.0.0.1:1', '$BABBLING', '$SILENT', 'no.such.host.invalid:2113'].map((address): Case => [
    'restore',
    `into an event store at ${address}`,
    { ...none, DATABASE_URL: '$EMPTY', EVENTSTORE_URL: `esdb://${address}?tls=false` },
    ['--from', '$FOLDER/whole.gz'],
    /^The event store at .* cannot be (reached|used): .*\.$/,
  ]),
  [
    'start',
    'a port that is taken',
    { ...here, PORT: '$PORT', LOG_LEVEL: 'error' },
    [],
    /^Port \d+ on .* is taken/,
  ],
  ['start', 'a folder that is a file', { DATA_DIR: '$FOLDER/file' }, [], /cannot be written/],
]

const together = 3

test('whatever a person can cause is one sentence, without a stack and without a password', async () => {
  given['PORT'] = given['SILENT']!.split(':')[1]!
  const wrong: string[] = []
  const waiting = [...cases]
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const [command, what, variables, args, sentence] = one
      const { code, text } = await told(command, args, variables)
      // The progress bar's line and what was there already are no part of it, nor that another backup is waited for.
      const lines = text
        .split(/[\r\n]+/)
        .filter((line) => line.trim() !== '' && !/^(\S+ )*\S*\s*[█░]|is running, waiting$/.test(line))
      const isSentence = lines.length === 1 && sentence.test(lines[0]!)
      if (code !== 1 || !isSentence || /\n\s+at |secret|wrong@/.test(text))
        wrong.push(`${command}, ${what}: ${code} ${text}`)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  expect(wrong).toEqual([])
}, 400_000)
