import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreUnavailable } from '#platform/event-store/event-store'
import { StartError } from '#platform/failures'
import { systemClock } from '../../src/adapters/clock'
import { inOneSentence } from '../../src/app/commands/command'
import { readConfig } from '../../src/app/config'
import { keepSuperadminPassword, pushSecret, sessionKeys } from '../../src/app/service/secrets'

const refusal = (variables: Record<string, string>) => {
  try {
    readConfig(variables)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as StartError).message
  }
  throw new Error('The configuration was accepted')
}

describe('configuration', () => {
  test('nothing set is the embedded service on port 3000', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: '.data',
      ROLE: 'all',
      SCHOOL_TIMEZONE: 'Africa/Lusaka',
      CUTOFF_GRACE_MINUTES: 15,
      WITHDRAWN_ITEMS: 'honour',
      publicUrl: 'http://localhost:3000',
      production: false,
    })
  })

  test('an empty variable counts as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 })
    expect(readConfig({ DATABASE_URL: '' }).DATABASE_URL).toBeUndefined()
  })

  test.each([
    [{ PORT: 'eighty' }, 'PORT got "eighty" but takes a port number from 0 to 65535.'],
    [{ ROLE: 'boss' }, 'ROLE got "boss" but takes one of all, web, worker.'],
    [
      { SCHOOL_TIMEZONE: 'Mars/Base' },
      'SCHOOL_TIMEZONE got "Mars/Base" but takes an IANA time zone such as Africa/Lusaka.',
    ],
    [
      { CLOCK: 'noon' },
      'CLOCK got "noon" but takes an ISO instant, with a rate if wanted: 2026-09-16T07:00:00+02:00 x60.',
    ],
    [
      { CLOCK: '2026-13-16T07:00:00Z' },
      'CLOCK got "2026-13-16T07:00:00Z" but takes an ISO instant, with a rate if wanted: 2026-09-16T07:00:00+02:00 x60.',
    ],
    [
      { CLOCK: '2026-02-30T07:00:00Z' },
      'CLOCK got "2026-02-30T07:00:00Z" but takes an ISO instant, with a rate if wanted: 2026-09-16T07:00:00+02:00 x60.',
    ],
    [{ WITHDRAWN_ITEMS: 'yes' }, 'WITHDRAWN_ITEMS got "yes" but takes one of honour, hold.'],
    [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS got "maybe" but takes one of on, off.'],
    [
      { EVENTSTORE_URL: 'http://host' },
      'EVENTSTORE_URL got a value (not shown) but takes an address that starts with esdb:// or esdb+discover:// or kurrentdb:// or kurrentdb+discover://.',
    ],
  ])('%j is refused in one sentence', (variables, sentence) => {
    expect(refusal(variables)).toBe(sentence)
  })

  test.each([
    [{}, true],
    [{ PUBLIC_URL: 'http://192.168.1.7:3000' }, true],
    [{ NODE_ENV: 'development' }, true],
    [{ DEMONSTRATION: 'on' }, false],
    [{ NODE_ENV: 'test' }, false],
  ])('with %j stand-ins answer this machine alone: %s', (variables, isLocal) => {
    expect(readConfig(variables).standInsAreLocal).toBe(isLocal)
  })

  test('an event store may be a cluster of several hosts', () => {
    const EVENTSTORE_URL = 'esdb://till:secret@one:2113,two:2113,three:2113?tls=true'
    expect(readConfig({ EVENTSTORE_URL }).EVENTSTORE_URL).toBe(EVENTSTORE_URL)
  })

  test('a port out of range names the variable', () => {
    expect(refusal({ PORT: '70000' })).toBe('PORT got "70000" but takes a port number from 0 to 65535.')
  })

  test('a secret is never repeated in a refusal', () => {
    expect(refusal({ DATABASE_URL: 'mysql://root:hunter2@db' })).not.toContain('hunter2')
  })

  test.each([
    [{ CLOCK: '2026-09-16T07:00:00Z' }, /^CLOCK is refused/],
    [{ RATE_LIMITS: 'off' }, /^RATE_LIMITS=off is refused/],
    [
      { SESSION_KEYS: 'a-long-key-of-the-school, short' },
      /^SESSION_KEYS got a key that is empty or has fewer than 16/,
    ],
    [{ SESSION_KEYS: 'a-long-key-of-the-school,' }, /^SESSION_KEYS got a key that is empty/],
    [{ PUBLIC_URL: '' }, /^PUBLIC_URL takes the https address/],
    [{ PUBLIC_URL: 'http://lunch.school.example' }, /^PUBLIC_URL takes the https address/],
    [{ MAIL_FROM: '' }, /^MAIL_FROM is not set/],
    [{}, /^SMTP_URL is not set/],
  ])('production refuses %j', (variables, sentence) => {
    const whole = {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://lunch.school.example',
      MAIL_FROM: 'Lunch <lunch@school.example>',
    }
    expect(refusal({ ...whole, ...variables })).toMatch(sentence)
  })

  const forTheWorld = { PUBLIC_URL: 'https://lunch.school.example' }
  const real = { SMTP_URL: 'smtp://mail', DPO_COMPANY_TOKEN: 'token', DPO_SERVICE_TYPE: '1' }

  test.each([
    [{}, /^NODE_ENV is not set while PUBLIC_URL is an https address: .*sandbox.*\/dev\/mail/],
    [{ NODE_ENV: '' }, /^NODE_ENV is not set while/],
    [{ NODE_ENV: 'development' }, /^NODE_ENV is development while/],
    [{ RATE_LIMITS: 'off', ...real }, /^NODE_ENV is not set while/],
    [{ CLOCK: '2026-09-16T07:00:00Z', ...real }, /^NODE_ENV is not set while/],
    [{ SESSION_KEYS: 'short', ...real }, /^NODE_ENV is not set while/],
  ])('an https address with %j is refused by the name of NODE_ENV', (variables, sentence) => {
    expect(refusal({ ...forTheWorld, ...variables })).toMatch(sentence)
  })

  test('a mistyped NODE_ENV is refused, so that nobody takes it for production', () => {
    const sentence = 'NODE_ENV got "Production" but takes one of production, development, test.'
    expect(refusal({ ...forTheWorld, NODE_ENV: 'Production' })).toBe(sentence)
  })

  test.each(['https://localhost', 'https://127.0.0.1:8443', 'https://[::1]', 'http://lunch.local'])(
    'the trial at %s needs no NODE_ENV',
    (PUBLIC_URL) => {
      expect(readConfig({ PUBLIC_URL })).toMatchObject({ production: false, publicUrl: PUBLIC_URL })
    },
  )

  test.each([
    '2026-09-16T05:00Z',
    '2026-09-16T05:00:00Z',
    '2026-09-16T05:00:00.000Z',
    '2026-09-16T07:00:00,0+02:00',
    '2026-09-16T07:00+0200',
    '2026-09-16T07:00:00.000000+02',
    '20260916T070000+0200',
    '20260916T0500Z',
  ])('a clock may start at %s', (text) => {
    expect(readConfig({ CLOCK: text }).CLOCK).toEqual({ from: new Date('2026-09-16T05:00:00Z'), rate: 1 })
  })

  test('a clock may start elsewhere and run faster', () => {
    const { CLOCK } = readConfig({ CLOCK: '2026-09-16T07:00:00+02:00 x60' })
    expect(CLOCK).toEqual({ from: new Date('2026-09-16T05:00:00Z'), rate: 60 })
    jest.useFakeTimers({ now: 0 })
    const now = systemClock(CLOCK)
    jest.setSystemTime(60_000)
    expect(now()).toEqual(new Date('2026-09-16T06:00:00Z'))
    jest.useRealTimers()
  })
})

describe('secrets', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tuckshop-secrets-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const config = () => readConfig({ DATA_DIR: folder })
  const modeOf = async (file: string) => (await stat(file)).mode & 0o777

  test('a secret is made once, whoever starts at the same time, for this user alone', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => sessionKeys(config())))
    expect(new Set(made.flat()).size).toBe(1)
    expect(made[0]![0]).toHaveLength(43)
    expect(await modeOf(join(folder, 'session-keys'))).toBe(0o600)
    expect(await sessionKeys(config())).toEqual(made[0])
    expect(await readdir(folder)).toEqual(['session-keys'])
  })

  test.each(['', '   \n', 'too-short'])(
    'a secret file that holds %j is refused by its name',
    async (text) => {
      const file = join(folder, 'push-secret')
      await writeFile(file, text)
      await expect(pushSecret(config())).rejects.toThrow(`${file} is empty or shorter than 32 characters`)
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  test('superadmin’s password takes the place of an earlier one, for this user alone', async () => {
    const file = await keepSuperadminPassword(folder, 'first')
    await chmod(file, 0o644)
    expect(await keepSuperadminPassword(folder, 'second')).toBe(file)
    expect(await readFile(file, 'utf8')).toBe('second\n')
    expect(await modeOf(file)).toBe(0o600)
    expect(await readdir(folder)).toEqual(['superadmin-password'])
  })
})

test('what a person can mend is one sentence with the path', async () => {
  const missing = await readFile('/no/such/file').catch((error: unknown) => error)
  expect(inOneSentence(missing)).toBe('The file /no/such/file cannot be used (ENOENT): it does not exist.')
  const full = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/backups/school.gz' })
  expect(inOneSentence(full)).toBe(
    'The file /backups/school.gz cannot be used (ENOSPC): there is no room left on the disk.',
  )
  expect(inOneSentence(Object.assign(new Error('could not extend file'), { code: '53100' }))).toMatch(
    /^The database has no room left/,
  )
  expect(inOneSentence(new StartError('Set it.'))).toBe('Set it.')
  expect(inOneSentence(Object.assign(new Error('permission denied'), { code: '42501' }))).toMatch(
    /^The database's user has no right/,
  )
  expect(inOneSentence(Object.assign(new Error('terminating connection'), { code: '57P01' }))).toBe(
    'The database does not answer any more: begin again once it does.',
  )
  expect(inOneSentence(new EventStoreUnavailable('It did not answer'))).toBe(
    'The event store does not answer any more: begin again once it does.',
  )
})

test.each([
  ['42P01', 'relation "platform.events" does not exist', 'relation "platform.events"'],
  ['3F000', 'schema "audit" does not exist', 'schema "audit"'],
  [
    '42703',
    'select "x" from "platform"."checkpoints" - column "position" does not exist',
    'column "position"',
  ],
  [
    '42883',
    'function platform.move_checkpoint(unknown) does not exist',
    'function platform.move_checkpoint(unknown)',
  ],
])('what somebody took out of the database is named (%s)', (code, message, what) =>
  expect(inOneSentence(Object.assign(new Error(message), { code }))).toBe(
    `The database lacks what the school needs (${what}): restore a backup, or give the address of the school.`,
  ),
)

test('a fault of the program is none', () =>
  expect(inOneSentence(new TypeError('x is undefined'))).toBeNull())
