import { systemClock } from '../../adapters/clock'
import { pinoLog } from '../../adapters/log'
import { readConfig } from '../config'
import { openInfrastructure } from '../service/infrastructure'

/**
 * What a command on the school's data works with, by the variables of the environment; it logs warnings alone unless
 * LOG_LEVEL says otherwise. Whoever opens it closes `infrastructure`. Throws StartError.
 */
export const openForCommand = async () => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = pinoLog(config.LOG_LEVEL)
  const now = systemClock(config.CLOCK)
  return { config, log, now, infrastructure: await openInfrastructure(config, { log, now }) }
}
