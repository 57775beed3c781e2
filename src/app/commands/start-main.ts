import { fileURLToPath } from 'node:url'
import { systemClock } from '../../adapters/clock'
import { pinoLog } from '../../adapters/log'
import { readConfig } from '../config'
import { runMain, say, stopOnSignal } from './command'
import { startTuckshop } from '../service/tuckshop'

await runMain(async () => {
  const config = readConfig(process.env)
  const log = pinoLog(config.LOG_LEVEL)
  const webRoot = fileURLToPath(new URL('../web', import.meta.url))
  const service = await startTuckshop(config, { log, now: systemClock(config.CLOCK), webRoot, demo: false })
  stopOnSignal(service.stop, log)
  if (service.superadminPasswordFile)
    say('', `The first sign-in is superadmin; the password is in ${service.superadminPasswordFile}`, '')
  say(`Tuckshop serves on ${config.publicUrl}`)
})
