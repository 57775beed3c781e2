import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { systemClock } from '../adapters/clock'
import { pinoLog } from '../adapters/log'
import { backupSchool } from './backup-school'
import { composeOffline } from './compose-offline'
import { readConfig } from './config'
import { openInfrastructure } from './infrastructure'
import { runMain, say } from './running'
import { StartError } from '#platform/start-error'

const asked = (): string => {
  try {
    const { values } = parseArgs({ options: { to: { type: 'string' } } })
    if (values.to) return resolve(values.to)
  } catch {
    // Said below.
  }
  throw new StartError('A backup takes the file to write: npm run backup -- --to school.tuckshop.gz')
}

/** `npm run backup -- --to <file>`: the whole school in one file, also beside a running service. */
await runMain(async () => {
  const path = asked()
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = pinoLog(config.LOG_LEVEL)
  const now = systemClock(config.CLOCK)
  const infrastructure = await openInfrastructure(config, { log, now })
  const { modules } = composeOffline(infrastructure, config, { log, now })
  const bar = new SingleBar({ format: 'Backup {bar} {value} of {total} events' })
  bar.start(1, 0)
  const { parts, fingerprint } = await backupSchool(infrastructure, config, {
    path,
    modules,
    now,
    onProgress: (done, total) => {
      bar.setTotal(total ?? done)
      bar.update(done)
    },
  }).finally(async () => {
    bar.stop()
    await infrastructure.close()
  })
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  say(`${path}: ${parts.length} parts, ${rows} rows.`, `Its fingerprint is ${fingerprint}.`)
})
