import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import pino from 'pino'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import type { Now } from '#platform/ports'
import { systemClock } from '../../adapters/clock'
import { pinoLog } from '../../adapters/log'
import { listMails } from '../../adapters/mail'
import { type Config, readConfig } from '../config'
import { demoSignIns, fillDemoSchool } from '../demo/demo-school'
import { type Infrastructure, openInfrastructure } from '../service/infrastructure'
import { startService } from '../service/tuckshop'
import { logWarnings, runMain, say, stopOnSignal } from './command'

const requestedSize = (): 'small' | 'large' => {
  const { values } = parseArgs({ options: { size: { type: 'string', default: 'small' } }, strict: false })
  if (values.size !== 'small' && values.size !== 'large')
    throw new StartError('--size is small or large: npm run demo -- --size large')
  return values.size
}

/** Its own folder, so that a real school's data is never mixed with it. */
const demoConfig = (size: 'small' | 'large'): Config => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  if (config.production) throw new StartError('The demonstration is refused when NODE_ENV is production.')
  return {
    ...config,
    DATA_DIR: join(config.DATA_DIR, size === 'large' ? 'demo-large' : 'demo'),
    SCHOOL_NAME: process.env.SCHOOL_NAME || 'Kabulonga Demonstration School',
    SUPERADMIN_PASSWORD: demoSignIns.superadmin.password,
  }
}

const unfinishedMark = ({ DATA_DIR }: Config) => join(DATA_DIR, 'filling')

const refuseUnfinished = async (config: Config) => {
  const unfinished = await access(unfinishedMark(config)).then(
    () => true,
    () => false,
  )
  if (unfinished)
    throw new StartError(
      `Filling the demonstration school was cut off: remove the folder ${config.DATA_DIR} and run npm run demo again.`,
    )
}

const isEmpty = async ({ database }: Infrastructure) =>
  (await database.pool.query('select 1 from catalogue.menu_items limit 1')).rowCount === 0

/** Lives the school's past days on its own port with a moving clock. */
const fill = async (
  infrastructure: Infrastructure,
  config: Config,
  { log, opening, size }: { log: Log; opening: Date; size: 'small' | 'large' },
) => {
  await writeFile(unfinishedMark(config), '')
  let instant = opening
  const quiet = { ...config, PORT: 0, RATE_LIMITS: 'off' as const, ROLE: 'all' as const }
  const environment = { log, now: () => instant, webRoot: null, demo: true }
  const service = await startService(infrastructure, quiet, environment)
  const bar = new SingleBar({ format: 'Filling the school {bar} {percentage}% {what}', noTTYOutput: false })
  bar.start(1, 0, { what: '' })
  await fillDemoSchool({
    baseUrl: service.url,
    zone: config.SCHOOL_TIMEZONE,
    size,
    opening,
    setClock: (at) => (instant = at),
    mails: config.SMTP_URL ? null : () => listMails(config.DATA_DIR),
    onProgress: (done, total, what) => {
      bar.setTotal(total)
      bar.update(done, { what })
    },
  }).finally(() => bar.stop())
  await service.stop()
  await rm(unfinishedMark(config))
}

const signInLines = () =>
  Object.values(demoSignIns).map(
    ({ who, username, password }) => `  ${who.padEnd(40)} ${username.padEnd(18)} ${password}`,
  )

await runMain(async () => {
  const size = requestedSize()
  const config = demoConfig(size)
  await refuseUnfinished(config)
  const logFile = join(config.DATA_DIR, 'demo.log')
  const log = pinoLog(config.LOG_LEVEL, pino.destination({ dest: logFile, mkdir: true, sync: false }))
  logWarnings(log)
  const now: Now = systemClock(config.CLOCK)
  const infrastructure = await openInfrastructure(config, { log })
  try {
    if (await isEmpty(infrastructure)) await fill(infrastructure, config, { log, opening: now(), size })
    const webRoot = fileURLToPath(new URL('../web', import.meta.url))
    const service = await startService(infrastructure, config, { log, now, webRoot, demo: true })
    stopOnSignal(async () => {
      await service.stop()
      await infrastructure.close()
    }, log)
    say('', `Tuckshop, a demonstration, serves on ${config.publicUrl}`, '', 'Log in as', ...signInLines(), '')
    say(`Mails it sends: ${config.publicUrl}/dev/mail`, `Its log: ${logFile}`)
  } catch (error) {
    await infrastructure.close()
    throw error
  }
})
