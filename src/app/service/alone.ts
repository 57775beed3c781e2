import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { StartError } from '#platform/start-error'
import type { Infrastructure } from './infrastructure'

/** Does something while no service follows the events of this database, and none can begin to. */
export const alone = async <Result>(
  { locks }: Pick<Infrastructure, 'locks'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  const lock = await locks.tryAcquire(viewsCheckpoint)
  if (!lock)
    throw new StartError('The service is running on this database: stop it, and give the command again.')
  return work().finally(lock.end)
}
