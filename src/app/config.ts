import { z } from 'zod'
import type { PasswordCost } from '#modules/identity/index'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import type { Now } from '#platform/ports'

const flag = z.enum(['on', 'off'])

const wholeNumber = (from: number, to: number, what: string) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to, {
      message: `${what} from ${from} to ${to}`,
    })
    .transform(Number)

const firstHost = (text: string) => text.replace(/,[^/?]*/, '')

const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) =>
        protocols.some((protocol) => text.startsWith(`${protocol}://`)) && URL.canParse(firstHost(text)),
      {
        message: `an address that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
      },
    )

const zone = z
  .string()
  .refine((name) => isTimeZone(name), { message: 'an IANA time zone such as Africa/Lusaka' })

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

// ISO 8601 with or without separators, with an offset: 2026-09-16T07:00+02:00, 20260916T070000Z.
const clockPattern =
  /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d)(?::?(\d\d(?:[.,]\d+)?))?(Z|[+-]\d\d(?::?\d\d)?)(?:\s+x(\d+(?:\.\d+)?))?$/

const instantOf = ([, year, month, day, hour, minute, second = '00', zone = 'Z']: RegExpExecArray) => {
  const isDay = new Date(`${year}-${month}-${day}T00:00Z`).getUTCDate() === Number(day)
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second.replace(',', '.')}${offset}`)
  return isDay && !Number.isNaN(at.getTime()) ? at : null
}

const clock = z.string().transform((text, context) => {
  const written = clockPattern.exec(text)
  const from = written && instantOf(written)
  if (from) return { from, rate: Number(written[8] ?? '1') }
  context.addIssue({
    code: 'custom',
    message: 'an ISO instant, with a rate if wanted: 2026-09-16T07:00:00+02:00 x60',
  })
  return z.NEVER
})

const text = z.string().min(1, 'some text')

// Session and link keys must resist offline guessing from one cookie.
const minKeyLength = 16

const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).optional(),
  PORT: wholeNumber(0, 65535, 'a port number').default(3000),
  HOST: text.default('127.0.0.1'),
  PUBLIC_URL: url('http', 'https').optional(),
  DATA_DIR: text.default('.data'),
  DELETIONS_FILE: text.optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  DATABASE_URL: url('postgres', 'postgresql').optional(),
  EVENTSTORE_URL: url('esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover').optional(),
  REDIS_URL: url('redis', 'rediss').optional(),
  SMTP_URL: url('smtp', 'smtps').optional(),
  SMS_URL: url('https', 'http').optional(),
  SMS_USERNAME: text.optional(),
  SMS_API_KEY: text.optional(),
  SMS_FROM: z
    .string()
    .regex(/^[\w .+-]{2,15}$/, 'the sender that the gateway has registered, 2 to 15 characters')
    .optional(),
  DPO_COMPANY_TOKEN: text.optional(),
  DPO_SERVICE_TYPE: z
    .string()
    .regex(/^\d{1,10}$/, 'the number that DPO assigned')
    .optional(),
  DPO_CREATE_URL: url('https', 'http').default('https://secure.3gdirectpay.com/API/v6/'),
  DPO_VERIFY_URL: url('https', 'http').default('https://secure.3gdirectpay.com/API/v7/'),
  DPO_PAY_URL: url('https', 'http').default('https://secure.3gdirectpay.com/payv2.php'),
  DPO_PUSH_SECRET: z
    .string()
    .regex(/^[\w-]{16,128}$/, '16 to 128 letters, digits, - or _')
    .optional(),
  MAIL_FROM: text.optional(),
  SESSION_KEYS: text.optional(),
  SUPERADMIN_PASSWORD: z.string().min(10, 'at least 10 characters').optional(),
  SCHOOL_NAME: text.default('Tuckshop'),
  MAKER_URL: url('https').optional(),
  SCHOOL_TIMEZONE: zone.default('Africa/Lusaka'),
  CUTOFF_GRACE_MINUTES: wholeNumber(0, 240, 'a number of minutes').default(15),
  WITHDRAWN_ITEMS: z.enum(['honour', 'hold']).default('honour'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: wholeNumber(0, 10, 'the number of proxies in front,').default(0),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w-]{16,128}$/, '16 to 128 letters, digits, - or _')
    .optional(),
  RATE_LIMITS: flag.default('on'),
  DEMONSTRATION: flag.default('off'),
  CLOCK: clock.optional(),
})

export const variableNames: readonly string[] = Object.keys(environment.shape)

export type Config = z.infer<typeof environment> & {
  production: boolean
  /** Sandbox, mails and demonstration answer this machine alone: whoever reached them could pay for nothing and read everybody's mails. */
  standInsAreLocal: boolean
  publicUrl: string
  mailFrom: string
  smsGateway: { url: string; username: string; apiKey: string; from: string | undefined } | null
}

/** Empty means unset (DESIGN section 2). Throws a StartError with the variable, its value and what it takes. */
export const readConfig = (variables: NodeJS.ProcessEnv): Config => {
  const set = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  )
  const read = environment.safeParse(set)
  if (!read.success) throw badVariable(read.error.issues[0]!, set)
  const config = read.data
  const production = config.NODE_ENV === 'production'
  if (production) refuseInProduction(config)
  else refuseForTheWorld(config)
  if (config.DPO_COMPANY_TOKEN && !config.DPO_SERVICE_TYPE)
    throw new StartError(
      'DPO_SERVICE_TYPE is not set: with DPO_COMPANY_TOKEN it takes the number that DPO assigned.',
    )
  return {
    ...config,
    production,
    standInsAreLocal: config.DEMONSTRATION === 'off' && config.NODE_ENV !== 'test',
    publicUrl: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    mailFrom: config.MAIL_FROM ?? 'Tuckshop <tuckshop@localhost>',
    smsGateway: smsGatewayOf(config),
  }
}

const smsGatewayOf = ({ SMS_URL, SMS_USERNAME, SMS_API_KEY, SMS_FROM }: z.infer<typeof environment>) => {
  if (!SMS_URL) return null
  if (!SMS_USERNAME || !SMS_API_KEY)
    throw new StartError(
      `${SMS_USERNAME ? 'SMS_API_KEY' : 'SMS_USERNAME'} is not set: with SMS_URL it takes what the SMS gateway gave the school.`,
    )
  return { url: SMS_URL, username: SMS_USERNAME, apiKey: SMS_API_KEY, from: SMS_FROM }
}

const secrets = new Set([
  'DATABASE_URL',
  'EVENTSTORE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'SMS_API_KEY',
  'SESSION_KEYS',
  'SUPERADMIN_PASSWORD',
  'DPO_COMPANY_TOKEN',
  'DPO_PUSH_SECRET',
  'METRICS_TOKEN',
])

const badVariable = (issue: z.core.$ZodIssue, set: Record<string, unknown>) => {
  const name = String(issue.path[0])
  const got = secrets.has(name) ? 'a value (not shown)' : JSON.stringify(set[name])
  const takes = issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message
  return new StartError(`${name} got ${got} but takes ${takes}.`)
}

const isThisMachine = (address: string) =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)

/** An https address means a real school, where stand-ins would be a security hole. */
const refuseForTheWorld = ({ NODE_ENV, PUBLIC_URL }: z.infer<typeof environment>) => {
  if (!PUBLIC_URL?.startsWith('https://') || isThisMachine(PUBLIC_URL)) return
  throw new StartError(
    `NODE_ENV is ${NODE_ENV ?? 'not set'} while PUBLIC_URL is an https address: then the sandbox may take ` +
      'card payments and /dev/mail may show everybody the mails. Set NODE_ENV=production.',
  )
}

const refuseInProduction = (config: z.infer<typeof environment>) => {
  if (config.CLOCK)
    throw new StartError('CLOCK is refused when NODE_ENV is production: the real clock counts there.')
  if (config.RATE_LIMITS === 'off')
    throw new StartError('RATE_LIMITS=off is refused when NODE_ENV is production: it takes on.')
  const keys = config.SESSION_KEYS?.split(',').map((key) => key.trim()) ?? []
  if (keys.some((key) => key.length < minKeyLength))
    throw new StartError(
      `SESSION_KEYS got a key that is empty or has fewer than ${minKeyLength} characters: in production it takes long random ones.`,
    )
  if (!config.PUBLIC_URL?.startsWith('https://'))
    throw new StartError(
      'PUBLIC_URL takes the https address that people use when NODE_ENV is production, e.g. https://lunch.school.example.',
    )
  if (!config.MAIL_FROM)
    throw new StartError(
      'MAIL_FROM is not set: in production mails need a sender that can be answered, e.g. Lunch <lunch@school.example>.',
    )
  if (!config.SMTP_URL)
    throw new StartError(
      'SMTP_URL is not set: in production mail needs a server, e.g. smtps://user:password@host.',
    )
}

export type Environment = {
  log: Log
  now: Now
  webRoot: string | null
  demo: boolean
  /** Less than production's, for tests. */
  passwordCost?: PasswordCost
  /** Time between sweep rounds; 5 s by default. */
  sweepEveryMs?: number | undefined
  /** How long an answer waits for views at most; 2 s by default. */
  viewsWaitMs?: number | undefined
  /** Called when an event store that was away turns out to be another school's. */
  onRefused?: (error: StartError) => void
}
