import type { Lock } from '#platform/ports'
import { contextsOf, type Module } from '#platform/module'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { StartError } from '#platform/failures'
import type { Infrastructure } from './infrastructure'

export const withExclusiveLock = async <Result>(
  { locks }: Pick<Infrastructure, 'locks'>,
  modules: readonly Module[],
  work: () => Promise<Result>,
): Promise<Result> => {
  const held: Lock[] = []
  try {
    for (const { name } of contextsOf(modules)) {
      const lock = await locks.tryAcquire(viewsCheckpoint(name))
      if (!lock)
        throw new StartError('The service is running on this database: stop it, and give the command again.')
      held.push(lock)
    }
    return await work()
  } finally {
    for (const lock of held) await lock.end()
  }
}
