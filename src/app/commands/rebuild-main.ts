import { SingleBar } from 'cli-progress'
import { composeOffline } from './compose-offline'
import { openForCommand } from './open-for-command'
import { runMain, say } from '../service/running'
import { rebuildViews } from '#platform/projections/rebuild-views'

await runMain(async () => {
  const { config, log, now, infrastructure } = await openForCommand()
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
