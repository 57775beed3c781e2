import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { systemClock } from '../../adapters/clock'
import { openEventStore } from '../../adapters/event-store/esdb/event-store'
import { pinoLog } from '../../adapters/log'
import { composeOffline, logFaults, runMain, say } from './command'
import { readConfig } from '../config'
import { copySchool } from '../backup/copy-school'
import { openInfrastructure } from '../service/infrastructure'
import { StartError } from '#platform/start-error'

const asked = (): { to: string; switchOver: boolean } => {
  try {
    const { values } = parseArgs({
      options: { to: { type: 'string' }, switch: { type: 'boolean', default: false } },
    })
    if (values.to) return { to: values.to, switchOver: values.switch }
  } catch {
    // Said below.
  }
  throw new StartError(
    'Copying takes where to: npm run events:copy -- --to esdb://user:password@host:2113, with --switch when the school is to stay there.',
  )
}

/** `npm run events:copy -- --to esdb://… [--switch]`: a school's events from its database to EventStoreDB. */
await runMain(async () => {
  const { to, switchOver } = asked()
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  if (config.EVENTSTORE_URL)
    throw new StartError(
      'EVENTSTORE_URL is set, so there are no events in the database to be copied: unset it.',
    )
  const log = pinoLog(config.LOG_LEVEL)
  logFaults(log, () => Promise.resolve())
  const now = systemClock(config.CLOCK)
  const target = await openEventStore(to, log)
  const infrastructure = await openInfrastructure(config, {
    log,
    opening: 'school',
    onWaiting: say,
  }).catch(async (error: unknown) => {
    await target.close()
    throw error
  })
  const { modules } = composeOffline(infrastructure, config, { log, now })
  const bar = new SingleBar({ format: '{what} {bar} {value} of {total}' })
  bar.start(1, 0, { what: 'Copying' })
  const { lines, exitCode } = await copySchool(infrastructure, target, {
    modules,
    switchOver,
    onProgress: (what, done, total) => {
      bar.setTotal(Math.max(done, total))
      bar.update(done, { what: what.padEnd('Read models'.length) })
    },
  }).finally(async () => {
    bar.stop()
    await target.close()
    await infrastructure.close()
  })
  say(...lines)
  process.exitCode = exitCode
})
