import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chainJournal, chainName } from '#modules/audit/chain/chain.commands'
import { earlierExport } from '#modules/audit/index'
import { ordersCreated } from '#modules/payments/published'
import { stampEvents } from '#platform/event-store/command-handler'
import { beginning, readLog, type RecordedEvent } from '#platform/event-store/event-store'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import { eventually } from '../support/eventually'
import { inTheDatabase } from '../support/school-events'
import { silentLog } from '../support/start-postgres'
import { openFinance, type Finance } from './finance'
import { attemptId, sample } from './sample-events'

let school: Finance
let folder: string
beforeAll(async () => {
  school = await openFinance(inTheDatabase)
  folder = await mkdtemp(join(tmpdir(), 'tuckshop audit '))
  await sql('create schema kept')
  for (const table of tampered) await sql(`create table kept.${table.replace('.', '_')} as table ${table}`)
})
afterAll(async () => {
  await school.close()
  await rm(folder, { recursive: true, force: true })
})

/** What is tampered with here, put back as it was after each test. */
const tampered = ['platform.events', 'audit.chain', 'books.bookings', 'ordering.orders', 'refunds.refunds']
const audit = async (options: { against?: string; progress?: number[]; now?: Date } = {}) => {
  const { lines, exitCode } = await auditSchool(school.infrastructure, readConfig({ DATA_DIR: folder }), {
    log: silentLog,
    now: () => options.now ?? school.now(),
    against: options.against ?? null,
    onProgress: (done) => void options.progress?.push(done),
  })
  return { text: lines.join('\n'), exitCode }
}
const sql = (text: string) => school.infrastructure.database.pool.query(text)
const events = async () => Number((await sql('select count(*) as count from platform.events')).rows[0].count)
/** As somebody with the rights of the database's owner could. */
const unguarded = (table: string, statements: string) =>
  sql(
    `begin; alter table ${table} disable trigger user; ${statements};
      alter table ${table} enable trigger user; commit`,
  )
const chainAnew = async () => {
  const { database, eventStore } = school.infrastructure
  await unguarded('audit.chain', 'truncate audit.chain')
  await sql(`update platform.checkpoints set position = '' where name = '${chainName}'`)
  const log: RecordedEvent[] = []
  await readLog(eventStore, await eventStore.end(), 1_000, async (batch) => void log.push(...batch))
  await chainJournal(database.pool).write(log, beginning)
}
const save = async (): Promise<string> => {
  const answer = await school.bursar.fetch('/api/audit/export')
  const path = join(folder, 'earlier export.csv')
  await writeFile(path, Buffer.from(await answer.arrayBuffer()))
  return path
}

describe('a history that SQL may have changed', () => {
  afterEach(async () => {
    await unguarded('audit.runs', 'truncate audit.runs')
    for (const table of tampered)
      await unguarded(
        table,
        `truncate ${table}; insert into ${table} select * from kept.${table.replace('.', '_')}`,
      )
  })

  test('a school in order: where every kwacha is, and exit code 0', async () => {
    const progress: number[] = []
    const { text, exitCode } = await audit({ progress })
    expect(text).toContain(`${await events()} events, 3 payment attempts.`)
    expect(text).toContain(
      'K91.00 came in: paid back K45.50, fee K0.50, held, neither ordered nor owed back yet K45.00.',
    )
    expect(text).toContain('Orders yet to be paid for: K45.50.')
    expect(text).toMatch(/The chain ends at event number \d+ with [0-9a-f]{64}\./)
    expect(text).toContain('Everything balances, and nothing was changed.')
    expect(exitCode).toBe(0)
    expect(progress.at(-1)).toBe(await events())
  })

  test.each<[string, string, RegExp[]]>([
    [
      'a smaller payment',
      `update platform.events set data = jsonb_set(data, '{amount}', '4400') where type = 'payments.payment-verified.v1'`,
      [
        /Event number \d+ was changed after it was recorded.*payments\.payment-verified\.v1/,
        /Attempt LP-7K3QW9ZD2M \(0199a000.*\): K44\.50 came in: fee K0\.50, held.* K45\.00; K1\.00 too much/,
        /A read model tells K45\.00 for "books, received card", the events K44\.00/,
      ],
    ],
    [
      'a refund that went back removed',
      `delete from platform.events where type = 'refunds.refund-paid-back.v1'`,
      [
        /Event number \d+ \(event [0-9a-f-]{36}\) was removed from the history/,
        /is marked as refunded, and K45\.50 of it is still owed/,
        /for "books, paid back", the events K0\.00/,
      ],
    ],
    [
      'another person as the one who did it',
      `update platform.events set metadata = jsonb_set(metadata, '{actor}', '"user:999"')
       where type = 'ordering.order-payment-confirmed.v1'`,
      [/was changed after it was recorded.*ordering\.order-payment-confirmed\.v1/],
    ],
    [
      'a read model changed by hand',
      `update ordering.orders set status = 'completed' where status = 'pending' and price > 0`,
      [/A read model tells K45\.50 for "Revenue Stats, cycle \d+, completed", the events K0\.00/],
    ],
    [
      'an open order taken out of the sums',
      `update ordering.orders set status = 'cancelled' where status = 'pending' and price > 0`,
      [/A read model tells K0\.00 for "cycle history, cycle \d+, revenue", the events K45\.50/],
    ],
    [
      'a refund shown as owed once more',
      `update refunds.refunds set owed = 4550, status = 'due'`,
      [/A read model tells K45\.50 for "Refund Management, owed", the events K0\.00/],
    ],
    [
      'a booking changed by hand',
      `update books.bookings set amount = amount + 1 where kind = 'owed' and amount > 0`,
      [/A read model tells K0\.01 for "books, owed", the events K0\.00.*npm run rebuild/],
    ],
  ])('%s by SQL is found, and the exit code is 1', async (_what, tampering, found) => {
    await sql(tampering)
    const { text, exitCode } = await audit()
    for (const words of found) expect(text).toMatch(words)
    expect(text).toMatch(/\d+ found wrong:/)
    expect(exitCode).toBe(1)
  })

  test('an earlier export finds an edit whose chain was written anew', async () => {
    const path = await save()
    await sql(`update platform.events set data = jsonb_set(data, '{note}', '"nothing"')
      where type = 'refunds.refund-paid-back.v1'`)
    await chainAnew()
    const alone = await audit()
    expect([alone.exitCode, alone.text]).toEqual([0, expect.stringContaining('nothing was changed')])
    const compared = await audit({ against: path })
    expect(compared.text).toMatch(/What was written down earlier has another hash for event number \d+/)
    expect(compared.exitCode).toBe(1)
  })

  test('an audit remembers where the chain ended, and so does the next one', async () => {
    await audit()
    await unguarded('audit.runs', "update audit.runs set head_hash = repeat('0', 64)")
    const { text, exitCode } = await audit()
    expect(text).toMatch(/another hash for event number \d+/)
    expect(exitCode).toBe(1)
  })

  test.each([
    ['no export at all', 'name,price\r\nSoup,12\r\n'],
    ['an export of nothing', 'Number,Hash\r\n'],
  ])('%s is refused in a sentence', async (_what, content) => {
    const path = join(folder, 'other.csv')
    await writeFile(path, content)
    await expect(earlierExport(path).next()).rejects.toMatchObject({ code: 'not_an_export' })
    await expect(audit({ against: path })).rejects.toThrow('not an export of the history')
  })

  test('a file that is not there is refused in a sentence', async () => {
    await expect(audit({ against: join(folder, 'nowhere.csv') })).rejects.toThrow(
      'nowhere.csv cannot be read.',
    )
  })

  test('once a day it is done by itself, for the metrics, with a line in the log', async () => {
    const metrics = async () => (await school.visitor().fetch('/metrics')).text()
    const valueOf = async (name: string) =>
      Number(new RegExp(`^${name} (.*)$`, 'm').exec(await metrics())?.[1])
    await school.sweepNamed('daily-audit')
    await eventually(async () => (await valueOf('tuckshop_audit_last_run')) > 0)
    expect(await valueOf('tuckshop_audit_unbalanced_ngwee')).toBe(0)
    expect(await valueOf('tuckshop_audit_findings')).toBe(0)

    await sql(`update platform.events set data = jsonb_set(data, '{amount}', '4400')
      where type = 'payments.payment-verified.v1'`)
    await audit()
    expect(await valueOf('tuckshop_audit_unbalanced_ngwee')).toBe(100)
    expect(await valueOf('tuckshop_audit_findings')).toBeGreaterThan(1)
    expect(await valueOf('tuckshop_audit_last_run')).toBe(school.now().getTime() / 1000)
  })
})

test('an earlier export fits while nothing is changed, and what happens afterwards does not matter', async () => {
  const path = await save()
  await school.verify([school.unpaid.id])
  expect((await audit({ against: path })).exitCode).toBe(0)
})

test('money that does not balance is told from the events alone, also where nobody tampered', async () => {
  const wrong = [sample(ordersCreated.type)]
  await school.infrastructure.eventStore.append([
    {
      stream: 'paymentAttempt-of-a-card',
      expectedRevision: 1,
      events: stampEvents(wrong, { actor: 'system', correlationId: 'x', at: school.now(), idSeed: 'wrong' }),
    },
  ])
  const { text, exitCode } = await audit()
  expect(text).toContain('1 found wrong:')
  expect(text).toContain(
    `Attempt LP-7K3QW9ZD2M (${attemptId}): K45.50 came in: fee K0.50; K45.00 is nowhere.`,
  )
  expect(exitCode).toBe(1)
})
