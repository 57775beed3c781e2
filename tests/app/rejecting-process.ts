import { pinoLog } from '../../src/adapters/log'
import { logFaults } from '../../src/app/commands/command'

/* A process in which a library rejects a promise that nobody has, and later something throws where nobody catches. */
logFaults(pinoLog('info'), async () => {
  process.stdout.write('stopped in order\n')
})
void Promise.reject(new Error('Failed to discover after 10 attempts.', { cause: new Error('no leader') }))
setTimeout(() => process.stdout.write('still here\n'), 50)
setTimeout(() => {
  throw new Error('nobody catches this')
}, 100)
