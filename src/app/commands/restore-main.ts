import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { composeOffline, openForCommand, runMain, say } from './command'
import { restoreSchool } from '../backup/restore-school'
import { StartError } from '#platform/start-error'

const asked = (): string => {
  try {
    const { values } = parseArgs({ options: { from: { type: 'string' } } })
    if (values.from) return resolve(values.from)
  } catch {
    // Said below.
  }
  throw new StartError('Restoring takes the file to read: npm run restore -- --from school.tuckshop.gz')
}

/** `npm run restore -- --from <file>`: an archive of `npm run backup` into an empty school. */
await runMain(async () => {
  const path = asked()
  const { config, log, now, infrastructure } = await openForCommand()
  const { modules } = composeOffline(infrastructure, config, { log, now })
  const bytes = (await stat(path).catch(() => null))?.size ?? 1
  const bar = new SingleBar({ format: '{what} {bar} {percentage}%' })
  bar.start(1, 0, { what: 'Checking' })
  const { head, fingerprint } = await restoreSchool(infrastructure, config, {
    path,
    modules,
    onProgress: (what, done, total) => {
      bar.setTotal(Math.max(total ?? bytes, done))
      bar.update(done, { what: what.padEnd('Read models'.length) })
    },
  }).finally(async () => {
    bar.stop()
    await infrastructure.close()
  })
  say(
    `${head.school}, as it was at ${head.madeAt}, is restored. The archive's fingerprint is ${fingerprint}.`,
    'npm run audit tells whether everything balances.',
  )
})
