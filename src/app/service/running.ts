import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'

/* oxlint-disable no-console -- this is where the program speaks to the person who started it */

/** Runs a main; a StartError is one sentence on standard error and exit code 1, anything else its stack as well. */
export const runMain = async (main: () => Promise<void>): Promise<void> => {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  }
}

/** Stops the service once on SIGTERM or SIGINT and ends the process; a second signal ends it at once. */
export const stopOnSignal = (stop: () => Promise<void>, log: Log): void => {
  let stopping = false
  const end = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'the service did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Tells the person at the terminal. */
export const say = (...lines: string[]): void => console.log(lines.join('\n'))
