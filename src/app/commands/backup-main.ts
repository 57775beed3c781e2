import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { backupSchool } from '../backup/backup-school'
import { composeOffline, openForCommand, runMain, say } from './command'
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
  const { config, log, now, infrastructure } = await openForCommand()
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
