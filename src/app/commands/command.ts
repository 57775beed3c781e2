import { EventStoreUnavailable } from '#platform/event-store/event-store'
import { isOutage, StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import type { Now } from '#platform/ports'
import { systemClock } from '../../adapters/clock'
import { pinoLog } from '../../adapters/log'
import { compose } from '../compose'
import { readConfig, type Config } from '../config'
import { openInfrastructure, type Infrastructure } from '../service/infrastructure'
import type { Opening } from '../service/school-id'

/* oxlint-disable no-console -- this is where the program speaks to the person who started it */

export const runMain = async (main: () => Promise<void>): Promise<void> => {
  try {
    await main()
  } catch (error) {
    console.error(inOneSentence(error) ?? error)
    process.exit(1)
  }
}

const diskTroubles: Record<string, string> = {
  ENOSPC: 'there is no room left on the disk',
  EDQUOT: 'this user may not use more of the disk',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'the disk can only be read',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk has a fault',
}

const databaseTroubles: Record<string, string> = {
  '53100': 'The database has no room left on its disk: make some and begin again.',
  '42501': "The database's user has no right to the school's tables: give the address that the service has.",
  '25006': 'The database can only be read: give the address of the one that can be written.',
}

/** Missing table, column, function or schema: read models can be rebuilt, others were removed. */
const isLacking = new Set(['42P01', '42703', '42883', '3F000'])

const lacking = ({ message }: Error): string => {
  const what = /((?:relation|column|function|schema) [^ ]+) does not exist/.exec(message)?.[1]
  return `The database lacks what the school needs (${what ?? 'see its log'}): restore a backup, or give the address of the school.`
}

/** A sentence with the path for what a person can fix; null for a fault of the program. */
export const inOneSentence = (error: unknown): string | null => {
  if (error instanceof StartError) return error.message
  const { code = '', path } = error as NodeJS.ErrnoException
  if (path !== undefined && code in diskTroubles)
    return `The file ${path} cannot be used (${code}): ${diskTroubles[code]}.`
  if (error instanceof EventStoreUnavailable)
    return 'The event store does not answer any more: begin again once it does.'
  if (code in databaseTroubles) return databaseTroubles[code]!
  if (isLacking.has(code)) return lacking(error as Error)
  if (isOutage(error)) return 'The database does not answer any more: begin again once it does.'
  return null
}

/** Stops once on SIGTERM or SIGINT; a second signal ends the process at once. */
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

/** Logs unhandled rejections of libraries and goes on; an uncaught exception stops the service in order with exit code 1. */
export const logFaults = (log: Log, stop: () => Promise<void>): void => {
  process.on('unhandledRejection', (err) => log.error({ err }, 'a rejection that nobody waits for'))
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'a fault that nobody caught: the process ends')
    endInOrder(stop, log)
  })
}

/** Warnings of Node and of libraries go to the log instead of the terminal. */
export const logWarnings = (log: Log, emitter: NodeJS.EventEmitter = process): void => {
  emitter.removeAllListeners('warning')
  emitter.on('warning', (err: Error) => log.warn({ err }, 'a warning of Node or a library'))
  console.warn = (...said: unknown[]) => log.warn({ said: said.map(String) }, 'a warning of a library')
}

/** Exit code 1 after `stop` ends or takes too long. */
export const endInOrder = (stop: () => Promise<void>, log: Log): void => {
  setTimeout(() => process.exit(1), maxStopMs).unref()
  stop()
    .catch((err: unknown) => log.error({ err }, 'the service did not stop cleanly'))
    .finally(() => process.exit(1))
}

const maxStopMs = 10_000

export const refuseArguments = (sentence: string): void => {
  if (process.argv.length > 2) throw new StartError(`${sentence}.`)
}

export const say = (...lines: string[]): void => console.log(lines.join('\n'))

/** Opens the school by environment variables. The caller closes `infrastructure`. Throws StartError, also without a school. */
export const openForCommand = async (opening: Opening = 'school') => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = pinoLog(config.LOG_LEVEL)
  logFaults(log, () => Promise.resolve())
  const now = systemClock(config.CLOCK)
  const infrastructure = await openInfrastructure(config, { log, opening, onWaiting: say })
  return { config, log, now, infrastructure }
}

export const composeOffline = (
  infrastructure: Infrastructure,
  config: Config,
  { log, now }: { log: Log; now: Now },
): ReturnType<typeof compose> =>
  compose({
    ...infrastructure,
    config,
    log,
    now,
    demo: false,
    sessionKeys: [],
    pushSecret: '',
    ownUrl: () => config.publicUrl,
    rateLimits: 'off',
    viewsInclude: async () => undefined,
    failing: async () => [],
  })
