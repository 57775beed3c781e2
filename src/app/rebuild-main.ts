import { SingleBar } from 'cli-progress'
import { systemClock } from '../adapters/clock'
import { pinoLog } from '../adapters/log'
import { composeOffline } from './compose-offline'
import { readConfig } from './config'
import { openInfrastructure } from './infrastructure'
import { runMain, say } from './running'
import { rebuildViews } from '#platform/projections/rebuild-views'

await runMain(async () => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = pinoLog(config.LOG_LEVEL)
  const now = systemClock(config.CLOCK)
  const infrastructure = await openInfrastructure(config, { log, now })
  const { modules } = composeOffline(infrastructure, config, { log, now })
  const views = modules.flatMap((module) => module.views)
  const bar = new SingleBar({ format: 'Read models {bar} {value} of {total} events' })
  let events = 0
  bar.start(1, 0)
  try {
    await rebuildViews({
      ...infrastructure,
      views,
      onProgress: (done, total) => {
        events = done
        bar.setTotal(total ?? done)
        bar.update(done)
      },
    })
  } finally {
    bar.stop()
    await infrastructure.close()
  }
  say(`${views.length} read models rebuilt from ${events} events.`)
})
