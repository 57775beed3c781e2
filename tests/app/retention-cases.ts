import type { Pool } from 'pg'
import { type Retention, removeOld } from '#platform/retention'
import { compose } from '../../src/app/compose'
import { readConfig } from '../../src/app/config'
import type { Canteen } from '../ordering/canteen'
import { silentLog } from '../support/start-postgres'
import {
  mealsInConflict,
  messageCases,
  inviteCase,
  promotionCase,
  rollRetention,
  pictureCase,
  letterCases,
  promptNoteCase,
  rateLimitCase,
  requestCase,
} from './retained'

const day = 24 * 3_600_000

type Case = { fill: () => Promise<unknown>; left: () => Promise<unknown[]>; stays: unknown[] }

/** A session of superadmin's with this secret, over at this instant. */
export const addSession = (pool: Pool, secret: string, expiresAt: Date) =>
  pool.query(
    `insert into identity.sessions (id, secret, "userId", "credentialsVersion", device, "createdAt", "lastUsedAt", "expiresAt")
     values (gen_random_uuid(), $1, 1, 1, 'test', $2, $2, $2)`,
    [secret, expiresAt],
  )

/** A school's retention, run by hand, and for each kind of row one that is old, one that is young, one still needed. */
export const retentionOf = (canteen: Canteen) => {
  const { pool } = canteen.infrastructure.database
  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows

  const daysAgo = (days: number) => new Date(canteen.now().getTime() - days * day)

  const retentions = (): Retention[] => {
    const { infrastructure, now } = canteen
    const school = compose({
      ...infrastructure,
      config: readConfig({}),
      log: silentLog,
      now,
      demo: false,
      sessionKeys: [],
      pushSecret: '',
      ownUrl: () => '',
      rateLimits: 'off',
      viewsInclude: () => Promise.resolve(),
      failing: async () => [],
    })
    return school.retentions()
  }

  const run = async () => {
    const removed: Record<string, number> = {}
    const onRemoved = (name: string, rows: number) => void (removed[name] = (removed[name] ?? 0) + rows)
    await removeOld(retentions(), { log: silentLog, onRemoved })
    return Object.fromEntries(Object.entries(removed).filter(([, rows]) => rows > 0))
  }

  const mail = (id: number, sent: Date | null, givenUp: Date | null) =>
    query(
      `insert into messaging.mail_outbox (id, "to", subject, text, "createdAt", "dueAt", "sentAt", "givenUpAt")
       values (('018f0000-0000-7000-8000-00000000000' || $1)::uuid, 'a@example.org', 's', '', $2, now(), $3, $4)`,
      [id, daysAgo(200), sent, givenUp],
    )
  const push = (id: number, state: string, days: number) =>
    query(
      `insert into payments.push_inbox (id, received_at, raw, state)
       values (('018f0000-0000-7000-8000-0000000000' || $1)::uuid, $2, 'raw', $3)`,
      [id, daysAgo(days), state],
    )
  const token = (name: string, days: number) =>
    query('insert into payments.tokens (token, attempt_id, at) values ($1, gen_random_uuid(), $2)', [
      name,
      daysAgo(days),
    ])
  const lapseMail = (orderId: string, toldAt: Date | null) =>
    query(
      `insert into transfers.lapse_mails (order_id, about, user_id, mail_id, told_at)
       values ($1, 'lapsed', 1, gen_random_uuid(), $2)`,
      [orderId, toldAt],
    )
  const statement = async (source: string, days: number, withRow: boolean) => {
    const [{ id }] = await query(
      `insert into transfers.statements (source, layout, method, file_name, uploaded_by, uploaded_at)
       values ($1, 'airtel', 'airtel', 'a.csv', 1, $2) returning id`,
      [source, daysAgo(days)],
    )
    if (withRow)
      await query(
        `insert into transfers.statement_rows (id, statement_id, method, at, amount, payer, row_key)
         values (gen_random_uuid(), $1, 'airtel', $2, 100, $3, $3)`,
        [id, daysAgo(days), source],
      )
  }
  const sandbox = (token: string, days: number, pushAt: Date | null) =>
    query(
      `insert into payments.sandbox_transactions (token, ref, company_ref, push_at, state)
       values ($1, $1, $1, $2, jsonb_build_object('createdAt', $3::text))`,
      [token, pushAt, daysAgo(days).toISOString()],
    )
  const job = (id: string, state: string, days: number) =>
    query(
      `insert into jobs.job (queue, id, seq, name, state, added_at_ms, finished_at_ms)
       values ('tuckshop', $1, nextval('jobs.job_seq'), 'old', $2::jobs.job_state, 0, $3)`,
      [id, state, Date.now() - days * day],
    )
  const user = (username: string, hours: number | null) =>
    query(
      `insert into identity.users (username, "usernameKey", name, role, "passwordHash", "createdAt",
         "temporaryHash", "temporaryExpiresAt")
       values ($1, $1, $1, 'parent', 'hash', now(), case when $2::timestamptz is null then null else 'temp' end, $2)`,
      [username, hours === null ? null : new Date(canteen.now().getTime() + hours * 3_600_000)],
    )

  /** For each kind of row: what is old, what is young, what is old and still needed; and what is left of it. */
  const cases: Record<string, Case> = {
    'identity.sessions': {
      fill: async () => {
        await addSession(pool, 'old', new Date(canteen.now().getTime() - 1))
        await addSession(pool, 'young', new Date(canteen.now().getTime() + 60_000))
      },
      left: () => query(`select secret from identity.sessions where device = 'test'`),
      stays: [{ secret: 'young' }],
    },
    'catalogue.pictures': pictureCase(query, daysAgo),
    ...letterCases(query, daysAgo),
    'platform.requests': requestCase(query, daysAgo),
    'payments.prompt_notes': promptNoteCase(query, daysAgo),
    'platform.rate_limits': rateLimitCase(query),
    'jobs.done': {
      fill: async () => {
        await job('done-old', 'completed', 14.01)
        await job('done-young', 'completed', 13.9)
        await job('waits-since-1970', 'delayed', 100)
      },
      left: () =>
        query(
          `select id from jobs.job where id in ('done-old', 'done-young', 'waits-since-1970') order by id`,
        ),
      stays: [{ id: 'done-young' }, { id: 'waits-since-1970' }],
    },
    'jobs.failed': {
      fill: async () => {
        await job('failed-old', 'failed', 60.01)
        await job('failed-young', 'failed', 59.9)
      },
      left: () => query(`select id from jobs.job where id like 'failed-%'`),
      stays: [{ id: 'failed-young' }],
    },
    'messaging.mail_outbox': {
      fill: async () => {
        await mail(1, daysAgo(90.01), null)
        await mail(2, null, daysAgo(90.01))
        await mail(3, daysAgo(89.9), null)
        await mail(4, null, null)
      },
      left: () =>
        query(
          `select right(id::text, 1) as id from messaging.mail_outbox where id::text like '018f%' order by 1`,
        ),
      stays: [{ id: '3' }, { id: '4' }],
    },
    'ordering.status_batches': {
      fill: () =>
        query(
          `insert into ordering.status_batches (id, actor, status, order_ids, at) values
           (gen_random_uuid(), 'old', 'completed', '[]', $1), (gen_random_uuid(), 'young', 'completed', '[]', $2)`,
          [daysAgo(1.01), daysAgo(0.99)],
        ),
      left: () => query('select actor from ordering.status_batches'),
      stays: [{ actor: 'young' }],
    },
    'identity.reset_requests': {
      fill: () =>
        query(
          `insert into identity.reset_requests (id, identifier, "dueAt", "askedAt") values
           (gen_random_uuid(), 'old', $3, $1), (gen_random_uuid(), 'young', $3, $2)`,
          [daysAgo(1.01), daysAgo(0.99), daysAgo(-1)],
        ),
      left: () => query('select identifier from identity.reset_requests'),
      stays: [{ identifier: 'young' }],
    },
    ...mealsInConflict(query, daysAgo),
    'identity.guardian_invites': inviteCase(canteen, query, daysAgo),
    'enrolment.promotions': promotionCase(query, daysAgo),
    ...messageCases(canteen, query, daysAgo),
    ...rollRetention(query, daysAgo),
    'identity.temporary_passwords': {
      fill: async () => {
        await user('expired', 0)
        await user('valid', 1)
        await user('without', null)
      },
      left: () =>
        query(
          `select username, "passwordHash", "temporaryHash" from identity.users
           where username in ('expired', 'valid', 'without') order by username`,
        ),
      stays: [
        { username: 'expired', passwordHash: 'hash', temporaryHash: null },
        { username: 'valid', passwordHash: 'hash', temporaryHash: 'temp' },
        { username: 'without', passwordHash: 'hash', temporaryHash: null },
      ],
    },
    'transfers.lapse_mails': {
      fill: async () => {
        await lapseMail('old', daysAgo(90.01))
        await lapseMail('young', daysAgo(89.9))
        await lapseMail('not written', null)
      },
      left: () => query(`select order_id from transfers.lapse_mails order by order_id`),
      stays: [{ order_id: 'not written' }, { order_id: 'young' }],
    },
    'transfers.statement_rows': {
      fill: async () => {
        await statement('old', 400.01, true)
        await statement('young', 399.9, true)
      },
      left: () => query(`select payer from transfers.statement_rows order by payer`),
      stays: [{ payer: 'young' }],
    },
    'transfers.statements': {
      fill: async () => {
        await statement('emptied', 400.01, false)
        await statement('recent', 399.9, false)
      },
      left: () => query(`select source from transfers.statements where source in ('emptied', 'recent')`),
      stays: [{ source: 'recent' }],
    },
    'payments.push_inbox.unreadable': {
      fill: async () => {
        await push(11, 'unreadable', 90.01)
        await push(12, 'unreadable', 89.9)
      },
      left: () => query(`select id from payments.push_inbox where state = 'unreadable'`),
      stays: [{ id: '018f0000-0000-7000-8000-000000000012' }],
    },
    'payments.push_inbox.unknown': {
      fill: async () => {
        await push(21, 'unknown', 400.01)
        await push(22, 'unknown', 399.9)
        await push(23, 'done', 4000)
        await push(24, 'waiting', 4000)
      },
      left: () =>
        query(
          `select right(id::text, 2) as id from payments.push_inbox where state <> 'unreadable' order by 1`,
        ),
      stays: [{ id: '22' }, { id: '23' }, { id: '24' }],
    },
    'payments.tokens': {
      fill: async () => {
        await token('old', 7.01)
        await token('young', 6.9)
      },
      left: () => query(`select token from payments.tokens where token in ('old', 'young')`),
      stays: [{ token: 'young' }],
    },
    'payments.sandbox_transactions': {
      fill: async () => {
        await sandbox('old', 90.01, null)
        await sandbox('old with a push to come', 90.01, daysAgo(0))
        await sandbox('young', 89.9, null)
      },
      left: () =>
        query(`select token from payments.sandbox_transactions where token ~ '^(old|young)' order by token`),
      stays: [{ token: 'old with a push to come' }, { token: 'young' }],
    },
  }

  return { query, daysAgo, retentions, run, cases }
}
