import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { StartError } from '#platform/failures'
import { auditSchool } from './audit-school'
import { openForCommand, runMain, say } from './command'

const asked = (): { against: string | null } => {
  try {
    const { values } = parseArgs({ options: { against: { type: 'string' } } })
    if (values.against !== '') return { against: values.against ?? null }
  } catch {
    // Reported below.
  }
  throw new StartError('The audit takes nothing but --against and an exported file.')
}

/** `npm run audit [-- --against exported.csv]`: exit code 1 for findings. */
await runMain(async () => {
  const { against } = asked()
  const { config, log, now, infrastructure } = await openForCommand()
  const bar = new SingleBar({ format: 'Audit {bar} {value} of {total} events' })
  bar.start(1, 0)
  const outcome = await auditSchool(infrastructure, config, {
    log,
    now,
    against,
    onProgress: (done, total) => {
      bar.setTotal(total ?? done)
      bar.update(done)
    },
  }).finally(async () => {
    bar.stop()
    await infrastructure.close()
  })
  say(...outcome.lines)
  process.exitCode = outcome.exitCode
})
