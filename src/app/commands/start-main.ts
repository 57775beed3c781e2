import { fileURLToPath } from 'node:url'
import type { StartError } from '#platform/failures'
import { systemClock } from '../../adapters/clock'
import { pinoLog } from '../../adapters/log'
import { readConfig } from '../config'
import { startTuckshop, type Tuckshop } from '../service/tuckshop'
import { endInOrder, logFaults, runMain, say, stopOnSignal } from './command'

await runMain(async () => {
  const config = readConfig(process.env)
  const log = pinoLog(config.LOG_LEVEL)
  const webRoot = fileURLToPath(new URL('../web', import.meta.url))
  let service: Tuckshop | null = null
  const stop = async () => service?.stop()
  const onRefused = (error: StartError) => {
    log.error({ err: error }, error.message)
    endInOrder(stop, log)
  }
  logFaults(log, stop)
  const environment = { log, now: systemClock(config.CLOCK), webRoot, demo: false, onRefused }
  service = await startTuckshop(config, environment)
  stopOnSignal(stop, log)
  if (service.superadminPasswordFile)
    say('', `The first login is superadmin; the password is in ${service.superadminPasswordFile}`, '')
  say(`Tuckshop serves on ${config.publicUrl}`)
})
