import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choosePlace } from '../../src/adapters/embedded-postgres/place'
import { clusterOf, serve } from '../../src/adapters/embedded-postgres/server'
import { silentLog } from './start-postgres'

const binariesOf = (version: number) => `/usr/lib/postgresql/${version}`

/** Whether Debian's package of that Postgres is on this machine. */
export const hasPostgres = (version: number): boolean =>
  existsSync(join(binariesOf(version), 'bin', 'initdb'))

/** A server of that version in a directory of its own, with a role that is no superuser and two databases of its own. */
export const startPostgresOf = async (version: number) => {
  const home = await mkdtemp(join(tmpdir(), 'tuckshop postgres '))
  const place = await choosePlace(home, silentLog)
  place.binaries = { native: binariesOf(version), version: String(version) }
  const [command, ...args] = [...place.prefix, join(binariesOf(version), 'bin', 'initdb')]
  const cluster = clusterOf(place.folder)
  const options = [
    `--pgdata=${cluster}`,
    '--username=postgres',
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
  ]
  const child = spawn(command as string, [...args, ...options, '--locale=C'], {
    ...place.account,
    stdio: 'ignore',
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`initdb of Postgres ${version} ended with ${String(code)}`)
  const server = await serve(place, false, silentLog)
  return {
    urlOf: (user: string, database: string) => `postgres://${user}@127.0.0.1:${server.port}/${database}`,
    stop: async () => {
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
