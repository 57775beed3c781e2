import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { StartError } from '#platform/failures'
import { checkArchive, restoreSchool } from '../backup/restore-school'
import { composeOffline, openForCommand, runMain, say } from './command'

const asked = (): string => {
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' } } })
    if (values.from) return resolve(values.from)
  } catch {
    // Reported below.
  }
  throw new StartError('Restoring takes the file to read: npm run restore -- --from school.tuckshop.gz')
}

/** `npm run restore -- --from <file>`: a backup into an empty school. */
await runMain(async () => {
  const path = asked()
  const bytes = (await stat(path).catch(() => null))?.size ?? 1
  const bar = new SingleBar({ format: '{what} {bar} {percentage}%' })
  bar.start(1, 0, { what: 'Checking' })
  const onProgress = (what: string, done: number, total: number | null) => {
    bar.setTotal(Math.max(total ?? bytes, done))
    bar.update(done, { what: what.padEnd('Read models'.length) })
  }
  const restored = async () => {
    // Before opening, which would create a database.
    const archive = await checkArchive(path, (done) => onProgress('Checking', done, null))
    const { config, log, now, infrastructure } = await openForCommand('restore')
    const { modules, deleteAgain } = composeOffline(infrastructure, config, { log, now })
    await restoreSchool(infrastructure, config, { archive, modules, deleteAgain, onProgress }).finally(
      infrastructure.close,
    )
    return archive
  }
  const { head, fingerprint } = await restored().finally(() => bar.stop())
  say(
    `${head.school}, as it was at ${head.madeAt}, is restored. The archive's fingerprint is ${fingerprint}.`,
    'npm run audit tells whether everything balances.',
  )
})
