import { addStudent, forgotPassword } from '#contracts/identity'
import { cancelOrder } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import { type Canteen, openCanteen, place } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'
import { addSession, retentionOf } from './retention-cases'

let canteen: Canteen
let retention: ReturnType<typeof retentionOf>
beforeAll(async () => {
  // A web process: nothing is removed but by this test.
  canteen = await openCanteen({ ROLE: 'web' }, { whole: true })
  retention = retentionOf(canteen)
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const kinds = [
  'identity.sessions',
  'catalogue.pictures',
  'payments.letters_written',
  'refunds.letters_written',
  'books.letters_written',
  'platform.requests',
  'payments.prompt_notes',
  'platform.rate_limits',
  'jobs.done',
  'jobs.failed',
  'messaging.mail_outbox',
  'ordering.status_batches',
  'identity.reset_requests',
  'identity.acknowledged_meals',
  'identity.conflicts_told',
  'identity.guardian_invites',
  'enrolment.promotions',
  'identity.phone_codes',
  'messaging.sms_days',
  'ordering.reminder_weeks',
  'enrolment.roll_imports',
  'enrolment.claim_codes',
  'identity.students.unclaimed',
  'identity.temporary_passwords',
  'transfers.lapse_mails',
  'transfers.statement_rows',
  'transfers.statements',
  'payments.push_inbox.unreadable',
  'payments.push_inbox.unknown',
  'payments.tokens',
  'payments.sandbox_transactions',
]

test('every kind of row that is removed is tried here', () => {
  const { retentions, cases } = retention
  expect(retentions().map(({ name }) => name)).toEqual(expect.arrayContaining(kinds))
  expect([retentions().length, Object.keys(cases)]).toEqual([kinds.length, kinds])
})

test.each(kinds)('%s: what is old goes, what is young or needed stays', async (name) => {
  const { run, cases } = retention
  const one = cases[name]!
  await one.fill()
  expect((await run())[name]).toBeGreaterThan(0)
  expect(await one.left()).toEqual(one.stays)
  expect(await run()).toEqual({})
  expect(await one.left()).toEqual(one.stays)
})

test('a row that somebody has locked waits for the next run', async () => {
  const { pool } = canteen.infrastructure.database
  const { run, daysAgo } = retention
  await addSession(pool, 'locked', daysAgo(1))
  await addSession(pool, 'free', daysAgo(1))
  const client = await pool.connect()
  await client.query(`begin; select from identity.sessions where secret = 'locked' for update`)
  expect(await run()).toEqual({ 'identity.sessions': 1 })
  await client.query('rollback')
  client.release()
  expect(await run()).toEqual({ 'identity.sessions': 1 })
})

/** Children of the roll whom no account had when they left are in the cases above. */
const peopleOf = (table: string) => (table === 'identity.students' ? ' where "userId" is not null' : '')

const fingerprints = async () => {
  const tables = await retention.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('platform', 'identity', 'catalogue', 'cycles', 'ordering', 'payments', 'refunds', 'credit', 'books', 'audit')
     order by 1`,
  )
  const prints: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await retention.query(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as print from ${name} t${peopleOf(name)}`,
    )
    prints[name] = row.print
  }
  return prints
}

/** Tables that may have lost something; push_inbox is in the cases above. */
const forgetful = [
  'payments.letters_written',
  'refunds.letters_written',
  'books.letters_written',
  'enrolment.promotions',
  'identity.guardian_invites',
  'catalogue.pictures',
  'messaging.mail_outbox',
  'identity.acknowledged_meals',
  'identity.conflicts_told',
  'enrolment.claim_codes',
  'enrolment.roll_imports',
  'identity.reset_requests',
  'identity.phone_codes',
  'messaging.sms_days',
  'ordering.reminder_weeks',
  'transfers.lapse_mails',
  'payments.prompt_notes',
  'payments.push_inbox',
  'payments.tokens',
  'transfers.statement_rows',
  'transfers.statements',
  'payments.sandbox_transactions',
  'platform.rate_limits',
  'platform.requests',
  'identity.sessions',
  'ordering.status_batches',
]

test('ten years later the books, the people, the menu and the history are as they were', async () => {
  const { parent, children } = await canteen.family('mutale', '2', '9')
  const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
  await parent.call(cancelOrder, { params: { id: order!.id } })
  const older = await canteen.parent('mwila', { email: 'mwila@example.org' })
  const child = await older.call(addStudent, { body: { name: 'Chipo', grade: '9' } })
  await older.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] } })
  await canteen.visitor().call(forgotPassword, { body: { identifier: 'mwila' } })
  await retention.query(`update identity.users set "temporaryHash" = null, "temporaryExpiresAt" = null`)
  const before = await fingerprints()
  canteen.setClock('2036-09-14T07:00:00+02:00')
  await retention.run()
  const after = await fingerprints()
  const changed = Object.keys(before).filter((table) => before[table] !== after[table])
  expect(changed.filter((table) => !forgetful.includes(table))).toEqual([])
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['platform.events', 'ordering.orders', 'audit.entries']),
  )
  expect(changed).toContain('identity.reset_requests')
})

test('a worker does it by itself, one job in ten minutes, and counts what it removed', async () => {
  const service = await openCanteen({}, sweeping)
  try {
    const { pool } = service.infrastructure.database
    await addSession(pool, 'old', new Date('2020-01-01'))
    await eventually(async () => {
      const { rows } = await pool.query(`select from identity.sessions where secret = 'old'`)
      return rows.length === 0
    })
    const counted = /^tuckshop_retention_removed_total\{retention="identity\.sessions"\} 1$/m
    await eventually(async () => counted.test(await (await service.visitor().fetch('/metrics')).text()))
    const { rows } = await pool.query(
      `select count(*)::int as jobs from jobs.job where name = 'remove-old-rows'`,
    )
    expect(rows).toEqual([{ jobs: 1 }])
  } finally {
    await service.close()
  }
})
