import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/adapters/embedded-postgres/embedded-postgres'
import { copyBinaries, installedBinaries } from '../../src/adapters/embedded-postgres/place'
import { eventually } from '../support/eventually'
import { silentLog } from '../support/start-postgres'

const root = process.getuid?.() === 0

let closed: string
let dataDir: string
/** A cluster that was made once; tests that are not about making one start on a copy. */
let made: string
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'tuckshop made '))
  const postgres = await startEmbeddedPostgres({ dataDir: made, log: silentLog, durable: false })
  await postgres.stop()
})
beforeEach(async () => {
  closed = await mkdtemp(join(tmpdir(), 'tuckshop closed '))
  await chmod(closed, 0o700)
  dataDir = join(closed, 'my data')
})
afterEach(() => rm(closed, { recursive: true, force: true }))
afterAll(() => rm(made, { recursive: true, force: true }))
const copyMade = () => cp(made, dataDir, { recursive: true })

const start = (log: Log = silentLog) => startEmbeddedPostgres({ dataDir, log, durable: false })

const query = async (url: string, statement: string): Promise<unknown[]> => {
  const client = new Client(url)
  client.on('error', () => undefined) // The server may end at any moment; what is asked then fails by itself.
  await client.connect()
  return client.query(statement).then(
    ({ rows }: { rows: unknown[] }) => client.end().then(() => rows),
    (error: unknown) => client.end().then(() => Promise.reject(error)),
  )
}

const writeLunch = (url: string) => query(url, "create table lunch as select 'nshima' as meal")
const lunchIn = async (postgres: EmbeddedPostgres) => {
  try {
    return await query(postgres.url, 'select meal from lunch')
  } finally {
    await postgres.stop()
  }
}
const kept = [{ meal: 'nshima' }]

const inCluster = (name: string) => join(dataDir, 'postgres/cluster', name)
const postmaster = async () => Number((await readFile(inCluster('postmaster.pid'), 'utf8')).split('\n')[0])

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = (pid: number): Promise<unknown> => eventually(() => !alive(pid))

const startInProcess = async (): Promise<{ child: ChildProcess; url: string }> => {
  const script = join(__dirname, 'embedded-postgres-process.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (text: Buffer) => resolve(text.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the other process ended with ${code}`)))
  })
  return { child, url }
}

const kill = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

const onLinux = process.platform === 'linux' ? test : test.skip

describe('the embedded database, below a closed directory with a space in its name', () => {
  test('keeps its data and its password from start to start', async () => {
    const first = await start()
    await writeLunch(first.url)
    await first.stop()
    const second = await start()
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
    expect(await lunchIn(second)).toEqual(kept)
  })

  test('asks for a password that only its owner can read, and listens on this machine only', async () => {
    await copyMade()
    const postgres = await start()
    const wrong = new URL(postgres.url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600)
    expect(await query(postgres.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    expect(new URL(postgres.url).port).not.toBe('5432')
    await postgres.stop()
  })

  test('survives that its service is killed', async () => {
    await copyMade()
    const { child, url } = await startInProcess()
    await writeLunch(url)
    await kill(child)
    expect(await lunchIn(await start())).toEqual(kept)
  })

  test('survives that everything is killed and another process has its number by now', async () => {
    await copyMade()
    const { child, url } = await startInProcess()
    await writeLunch(url)
    const pid = await postmaster()
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    await kill(child)
    const [, ...others] = (await readFile(inCluster('postmaster.pid'), 'utf8')).split('\n')
    await writeFile(inCluster('postmaster.pid'), [process.pid, ...others].join('\n'))
    expect(await lunchIn(await start())).toEqual(kept)
  })

  onLinux(
    'stops one that a killed service left running (found through /proc, so on Linux only)',
    async () => {
      await copyMade()
      const { child, url } = await startInProcess()
      await writeLunch(url)
      const left = await postmaster()
      const watchers = (await childrenOf(child.pid!)).filter((pid) => pid !== left)
      for (const pid of watchers) process.kill(pid, 'SIGKILL')
      await kill(child)
      expect(alive(left)).toBe(true)
      expect(await lunchIn(await start())).toEqual(kept)
      await gone(left)
    },
  )

  test('is run by one of two services that start at once; the other one is told whose it is', async () => {
    await copyMade()
    const { child, url } = await startInProcess()
    await writeLunch(url)
    const second = await start().then(String, (error: unknown) => error as StartError)
    expect(second).toBeInstanceOf(StartError)
    expect(String(second)).toContain(
      `Another process (${child.pid}) runs the database in the data directory ${dataDir}`,
    )
    const pid = await postmaster()
    await kill(child)
    await gone(pid)
    expect(await lunchIn(await start())).toEqual(kept)
  })

  test('is used by a command beside the service, and runs on when that has ended', async () => {
    await copyMade()
    const service = await start()
    await writeLunch(service.url)
    const command = await startEmbeddedPostgres({ dataDir, log: silentLog, beside: true })
    expect(command.url).toBe(service.url)
    expect(await lunchIn(command)).toEqual(kept)
    expect(await lunchIn(service)).toEqual(kept)
  })

  test('is run by a command where no service runs', async () => {
    await copyMade()
    const command = await startEmbeddedPostgres({ dataDir, log: silentLog, beside: true, durable: false })
    expect(await query(command.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await command.stop()
    await expect(query(command.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  test('is made anew when making it was cut off', async () => {
    await mkdir(join(dataDir, 'postgres/cluster.new/base'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/cluster.new/PG_VERSION'), '18')
    const postgres = await start()
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  test('says so when it ends by itself, and runs again on the same port', async () => {
    await copyMade()
    const heard: string[] = []
    const log: Log = { ...silentLog, error: (_details, message) => void heard.push(message) }
    const postgres = await start(log)
    const pid = await postmaster()
    process.kill(pid, 'SIGQUIT')
    await gone(pid)
    const answers = () =>
      query(postgres.url, 'select 1').then(
        () => true,
        () => false,
      )
    await eventually(answers)
    expect(heard).toEqual(['the embedded database ended by itself'])
    await postgres.stop()
    expect(await answers()).toBe(false)
  })

  test("lets in the service's role, which owns the database and is no superuser, and nobody else", async () => {
    await copyMade()
    const postgres = await start()
    const roles = await query(
      postgres.url,
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
        pg_get_userbyid(datdba) = current_user as owner
      from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
    expect(roles).toEqual([
      {
        rolsuper: false,
        rolcreatedb: true,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        owner: true,
      },
    ])
    const program = query(postgres.url, "copy (select 1) to program 'true'")
    await expect(program).rejects.toThrow('permission denied')
    const superuser = new URL(postgres.url)
    superuser.username = 'postgres'
    await expect(query(superuser.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
    await postgres.stop()
  })
})

const childrenOf = async (pid: number): Promise<number[]> => {
  const stats = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')),
  )
  return stats
    .filter((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid)
    .map((stat) => Number(stat.split(' ')[0]))
}

test.each(['a file/data', '/proc/x'])('a data directory in %s is refused in one sentence', async (path) => {
  await writeFile(join(closed, 'a file'), '')
  dataDir = resolve(closed, path)
  const error = await start().then(String, (failure: unknown) => failure as StartError)
  expect(error).toBeInstanceOf(StartError)
  expect(String(error)).toContain(`The data directory ${dataDir} cannot be written`)
})

test('binaries whose links are missing are made whole', async () => {
  const installed = await installedBinaries(closed)
  const bare = await copyBinaries(installed, join(closed, 'bare'))
  const links = JSON.parse(await readFile(join(bare.native, 'pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  const pathsIn = (native: string) => links.map(({ target }) => join(native, target.replace(/^native\//, '')))
  await Promise.all([...new Set(pathsIn(bare.native))].map((link) => unlink(link)))
  const whole = await copyBinaries(bare, join(closed, 'whole'))
  const found = await Promise.all(pathsIn(whole.native).map((link) => stat(link)))
  expect(found.length).toBeGreaterThan(0)
  expect(found.every((file) => file.isFile())).toBe(true)
})

const asRoot = root ? test : test.skip
asRoot(
  'root without user namespaces runs it as another user, with the data it had (runs as root only)',
  async () => {
    await copyMade()
    const before = await start()
    await writeLunch(before.url)
    await before.stop()
    const path = process.env.PATH
    const onlyShell = join(closed, 'bin')
    await mkdir(onlyShell)
    await symlink('/bin/sh', join(onlyShell, 'sh'))
    process.env.PATH = onlyShell
    const said: object[] = []
    const log: Log = { ...silentLog, warn: (details) => void said.push(details) }
    try {
      const after = await start(log)
      const pid = (await query(after.url, 'select pg_backend_pid() as pid')) as { pid: number }[]
      expect(pid).toHaveLength(1)
      expect(await lunchIn(after)).toEqual(kept)
      expect(await lunchIn(await start(log))).toEqual(kept)
      expect(said[0]).toMatchObject({ user: expect.stringMatching(/^(?:postgres|nobody)$/) })
    } finally {
      process.env.PATH = path
      const folder = await readFile(join(dataDir, 'postgres/moved-to'), 'utf8').catch(() => null)
      if (folder !== null) await rm(folder, { recursive: true })
    }
  },
)
