import { SingleBar } from 'cli-progress'
import { StartError } from '#platform/failures'
import { contextsOf } from '#platform/module'
import type { ContextViews } from '#platform/projections/projector'
import { composeOffline, openForCommand, runMain, say } from './command'
import { rebuildSchool } from './rebuild-school'

const wanted = (contexts: ContextViews[], asked: string | undefined): ContextViews[] => {
  const found = contexts.filter(({ name }) => asked === undefined || name === asked)
  if (found.length > 0) return found
  const names = contexts.map(({ name }) => name).join(', ')
  throw new StartError(`There are no read models of ${asked}: name one of ${names}, or none for all of them.`)
}

await runMain(async () => {
  const [context, ...more] = process.argv.slice(2)
  if (more.length > 0)
    throw new StartError(
      'Rebuilding takes one context at most: npm run rebuild, or npm run rebuild -- payments',
    )
  const { config, log, now, infrastructure } = await openForCommand()
  const { modules } = composeOffline(infrastructure, config, { log, now })
  const contexts = wanted(contextsOf(modules), context)
  const bar = new SingleBar({ format: 'Read models {bar} {value} of {total} events' })
  let events = 0
  bar.start(1, 0)
  try {
    const onProgress = (done: number, total: number | null) => {
      events = done
      bar.setTotal(total ?? done)
      bar.update(done)
    }
    await rebuildSchool(infrastructure, config, { contexts, log, onProgress })
  } finally {
    bar.stop()
    await infrastructure.close()
  }
  const views = contexts.flatMap((context) => context.views)
  say(`${views.length} read models rebuilt from ${events} events.`)
})
