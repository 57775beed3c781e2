import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { StartError } from '#platform/failures'
import { makeFolder } from '#platform/folder'
import { systemClock } from '../../adapters/clock'
import { pinoLog } from '../../adapters/log'
import { backupSchool, pruneArchives } from '../backup/backup-school'
import { readConfig } from '../config'
import { checkBackup } from './audit-school'
import { composeOffline, openForCommand, runMain, say } from './command'

type Asked = { check: string } | { check: null; to: string | null; keep: number | null }

const asked = (): Asked => {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { to: text, keep: text, check: text } })
    const { to = null, keep = null, check } = values
    if (check && to === null && keep === null) return { check: resolve(check) }
    const isNumber = keep === null || /^[1-9]\d{0,3}$/.test(keep)
    if (check === undefined && to !== '' && isNumber && (to !== null || keep !== null))
      return { check: null, to: to === null ? null : resolve(to), keep: keep === null ? null : Number(keep) }
  } catch {
    // Reported below.
  }
  throw new StartError(
    'A backup takes the file to write, or how many to keep: npm run backup -- --to school.tuckshop.gz, npm run backup -- --keep 14 (into DATA_DIR/backups), or npm run backup -- --check school.tuckshop.gz',
  )
}

const check = async (path: string) => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const bar = new SingleBar({ format: '{what} {bar} {value}' })
  bar.start(1, 0, { what: 'Checking' })
  const { archive, lines, exitCode } = await checkBackup(path, config, {
    log: pinoLog(config.LOG_LEVEL),
    now: systemClock(config.CLOCK),
    onProgress: (what, done, total) => {
      bar.setTotal(total ?? done)
      bar.update(done, { what: what.padEnd('Read models'.length) })
    },
  }).finally(() => bar.stop())
  const { head, rows, fingerprint } = archive
  say(
    ...lines,
    `${path} restores: ${head.school} as it was at ${head.madeAt}, ${rows} rows. Its fingerprint is ${fingerprint}.`,
  )
  process.exitCode = exitCode
}

const backUp = async (to: string | null, keep: number | null) => {
  const { config, log, now, infrastructure } = await openForCommand()
  const { modules } = composeOffline(infrastructure, config, { log, now })
  const name = `school-${now().toISOString().slice(0, 19).replaceAll(':', '')}.tuckshop.gz`
  const path = to ?? resolve(config.DATA_DIR, 'backups', name)
  const bar = new SingleBar({ format: 'Backup {bar} {value} of {total} events' })
  bar.start(1, 0)
  const onProgress = (done: number, total: number | null) => {
    bar.setTotal(total ?? done)
    bar.update(done)
  }
  const write = async () => {
    if (to === null) await makeFolder(dirname(path), 0o700)
    return backupSchool(infrastructure, config, { path, modules, now, onProgress })
  }
  const { parts, fingerprint } = await write().finally(async () => {
    bar.stop()
    await infrastructure.close()
  })
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  say(`${path}: ${parts.length} parts, ${rows} rows.`, `Its fingerprint is ${fingerprint}.`)
  if (keep === null) return
  const removed = await pruneArchives(dirname(path), config.SCHOOL_NAME, keep)
  if (removed.length > 0) say(`${removed.length} older archives were removed, the latest ${keep} kept.`)
}

/** `npm run backup -- --to <file> [--keep 14]` or `--check <file>`; also beside a running service. */
await runMain(async () => {
  const wanted = asked()
  if (wanted.check === null) await backUp(wanted.to, wanted.keep)
  else await check(wanted.check)
})
