import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { systemClock } from '../adapters/clock'
import { pinoLog } from '../adapters/log'
import { auditSchool } from './audit-school'
import { readConfig } from './config'
import { openInfrastructure } from './infrastructure'
import { runMain, say } from './running'
import { StartError } from '#platform/start-error'

const asked = (): { against: string | null } => {
  try {
    const { values } = parseArgs({ options: { against: { type: 'string' } } })
    return { against: values.against ?? null }
  } catch {
    throw new StartError('The audit takes nothing but --against and an exported file.')
  }
}

/** `npm run audit [-- --against exported.csv]`: what does not balance, in words; exit code 1 when anything is wrong. */
await runMain(async () => {
  const { against } = asked()
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = pinoLog(config.LOG_LEVEL)
  const now = systemClock(config.CLOCK)
  const infrastructure = await openInfrastructure(config, { log, now })
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
