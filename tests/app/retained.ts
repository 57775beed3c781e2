import type { Canteen } from '../ordering/canteen'

type Query = (text: string, values?: unknown[]) => Promise<unknown[]>

/** One whose link expired long ago, and one of not so long ago. */
export const inviteCase = (
  canteen: Pick<Canteen, 'family'>,
  query: Query,
  daysAgo: (days: number) => Date,
) => ({
  fill: async () => {
    const { children, userId } = await canteen.family('inviting', '2')
    await query(
      `insert into identity.guardian_invites
         (id, "studentId", "invitedBy", email, "tokenHash", "invitedAt", "expiresAt") values
       (gen_random_uuid(), $1, $2, 'old@example.org', 'old', $3, $3),
       (gen_random_uuid(), $1, $2, 'young@example.org', 'young', $4, $4)`,
      [children[0]!.id, userId, daysAgo(30.01), daysAgo(29.9)],
    )
  },
  left: () => query('select "tokenHash" from identity.guardian_invites'),
  stays: [{ tokenHash: 'young' }],
})

/** An old and a young row of each table that messages keep beside the outbox. */
export const messageCases = (
  canteen: Pick<Canteen, 'family'>,
  query: Query,
  daysAgo: (days: number) => Date,
) => ({
  'identity.phone_codes': {
    fill: async () => {
      const [old, young] = [await canteen.family('coded'), await canteen.family('coding')]
      await query(
        `insert into identity.phone_codes ("userId", phone, "codeHash", "triesLeft", "expiresAt") values
         ($1, '1', 'old', 5, $3), ($2, '2', 'young', 5, $4)`,
        [old.userId, young.userId, daysAgo(0.001), daysAgo(-0.001)],
      )
    },
    left: () => query('select "codeHash" from identity.phone_codes'),
    stays: [{ codeHash: 'young' }],
  },
  'messaging.sms_days': {
    fill: () =>
      query(`insert into messaging.sms_days (day, sent) values ($1, 1), ($2, 2)`, [daysAgo(92), daysAgo(88)]),
    left: () => query('select sent from messaging.sms_days'),
    stays: [{ sent: 2 }],
  },
  'ordering.reminder_weeks': {
    fill: () =>
      query(`insert into ordering.reminder_weeks (week, last_user_id) values ($1, 1), ($2, 2)`, [
        daysAgo(32),
        daysAgo(28),
      ]),
    left: () => query('select last_user_id from ordering.reminder_weeks'),
    stays: [{ last_user_id: 2 }],
  },
})

/** One that is old, one that is young, and one that is old and named by an item; each has two rows. */
export const pictureCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: async () => {
    await query(
      `insert into catalogue.pictures (hash, width, height, bytes, needed_at)
       select repeat(letter, 32), width, 9, 'x', needed_at from unnest(array[320, 960]) width,
         unnest(array['a', 'b', 'c'], $1::timestamptz[]) as given (letter, needed_at)`,
      [[daysAgo(30.01), daysAgo(29.9), daysAgo(400)]],
    )
    await query(
      `update catalogue.menu_items set image_url = '/pictures/' || repeat('c', 32) || '-960x9.webp'
       where id = (select min(id) from catalogue.menu_items)`,
    )
  },
  left: () => query('select distinct left(hash, 1) as letter from catalogue.pictures order by 1'),
  stays: [{ letter: 'b' }, { letter: 'c' }],
})

/** Two that were only previewed and one that was applied later; the old one goes. */
export const promotionCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: () =>
    query(
      `insert into enrolment.promotions (id, rename, "previewedAt", "appliedAt") values
       (gen_random_uuid(), true, $1, null), (gen_random_uuid(), false, $2, null), (gen_random_uuid(), false, $1, $2)`,
      [daysAgo(30.01), daysAgo(29.9)],
    ),
  left: () => query('select rename from enrolment.promotions'),
  stays: [{ rename: false }, { rename: false }],
})

/** Requests of 91 and of 89 days ago. */
export const requestCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: () =>
    query(
      `insert into platform.requests (request_key, request, asked_at) values ('old', gen_random_uuid(), $1), ('young', gen_random_uuid(), $2)`,
      [daysAgo(91), daysAgo(89)],
    ),
  left: () => query('select request_key from platform.requests'),
  stays: [{ request_key: 'young' }],
})

/** Budgets that are full again, and one that is not. */
export const promptNoteCase = (query: Query, daysAgo: (days: number) => Date) => ({
  fill: () =>
    query(
      `insert into payments.prompt_notes (id, user_id, number, is_own, asked_at) values
       (gen_random_uuid(), 1, 'old', false, $1), (gen_random_uuid(), 1, 'young', false, $2)`,
      [daysAgo(2.01), daysAgo(1.9)],
    ),
  left: () => query('select number from payments.prompt_notes'),
  stays: [{ number: 'young' }],
})

export const rateLimitCase = (query: Query) => ({
  fill: () =>
    query(`insert into platform.rate_limits values ('old', 1, $1), ('young', 1, $2)`, [
      Date.now() - 1,
      Date.now() + 3_600_000,
    ]),
  left: () => query(`select key from platform.rate_limits where key in ('old', 'young')`),
  stays: [{ key: 'young' }],
})

const notes = ['payments.letters_written', 'refunds.letters_written', 'books.letters_written'] as const

/** Letters that were done with 91 and 89 days ago. */
export const letterCases = (query: Query, daysAgo: (days: number) => Date) =>
  Object.fromEntries(
    notes.map((table) => [
      table,
      {
        fill: async () => {
          await query(`delete from ${table}`)
          await query(`insert into ${table} (id, at) values ('old', $1), ('young', $2)`, [
            daysAgo(91),
            daysAgo(89),
          ])
        },
        left: () => query(`select id from ${table}`),
        stays: [{ id: 'young' }],
      },
    ]),
  )

/** What was accepted of meals in conflict, and told of them: one whose day is long past, one of today. */
export const mealsInConflict = (
  query: (text: string, values?: unknown[]) => Promise<{ id: number }[]>,
  daysAgo: (days: number) => Date,
) => {
  const student = async (): Promise<number> => {
    const [made] = await query(
      `insert into identity.students ("userId", name, grade) values (1, 'Chipo', '4') returning id`,
    )
    return made!.id
  }
  return {
    'identity.acknowledged_meals': {
      fill: async () => {
        const studentId = await student()
        await query(
          `insert into identity.acknowledged_meals ("studentId", date, "itemId", allergens, by) values
           ($1, $2::timestamptz::date, 1, '{Milk}', 'family'), ($1, $3::timestamptz::date, 2, '{Milk}', 'family')`,
          [studentId, daysAgo(4), daysAgo(0)],
        )
      },
      left: () => query('select "itemId" from identity.acknowledged_meals'),
      stays: [{ itemId: 2 }],
    },
    'identity.conflicts_told': {
      fill: async () => {
        const studentId = await student()
        await query(
          `insert into identity.conflicts_told ("orderId", "itemId", reason, "studentId", date) values
           ('old', 1, 'milk', $1, $2::timestamptz::date), ('young', 1, 'milk', $1, $3::timestamptz::date)`,
          [studentId, daysAgo(4), daysAgo(0)],
        )
      },
      left: () => query('select "orderId" from identity.conflicts_told'),
      stays: [{ orderId: 'young' }],
    },
  }
}

/** What stands of the school's roll: imports, codes, and children whom no account had when they left. */
export const rollRetention = (
  query: (text: string, values?: unknown[]) => Promise<{ id: number }[]>,
  daysAgo: (days: number) => Date,
) => {
  const pupil = async (name: string, leftAt: Date | null, userId: number | null = null): Promise<number> => {
    const [made] = await query(
      `insert into identity.students (name, grade, "onRollSince", "leftAt", "userId")
       values ($1, '4', $2, $3, $4) returning id`,
      [name, daysAgo(400), leftAt, userId],
    )
    return made!.id
  }
  const rollImport = (plan: string, createdAt: Date, appliedAt: Date | null) =>
    query(
      `insert into enrolment.roll_imports (id, "createdAt", file, plan, "appliedAt", done)
       values (gen_random_uuid(), $1, '{}', $2, $3, $4)`,
      [createdAt, plan, appliedAt, appliedAt && '[]'],
    )
  return {
    'enrolment.roll_imports': {
      fill: async () => {
        await rollImport('looked at', daysAgo(1.01), null)
        await rollImport('just looked at', daysAgo(0.9), null)
        await rollImport('applied', daysAgo(8), daysAgo(7.01))
        await rollImport('can be undone', daysAgo(8), daysAgo(6.9))
      },
      left: () => query('select plan from enrolment.roll_imports order by plan'),
      stays: [{ plan: 'can be undone' }, { plan: 'just looked at' }],
    },
    'enrolment.claim_codes': {
      fill: async () => {
        const old = await pupil('Luse', null)
        const young = await pupil('Mapalo', null)
        await query(`insert into enrolment.claim_codes values ($1, 'old', $2), ($3, 'young', $4)`, [
          old,
          daysAgo(0),
          young,
          daysAgo(-1),
        ])
      },
      left: () => query('select hash from enrolment.claim_codes'),
      stays: [{ hash: 'young' }],
    },
    'identity.students.unclaimed': {
      fill: async () => {
        await pupil('Left long ago', daysAgo(30.01))
        await pupil('Left of an account', daysAgo(400), 1)
        await pupil('Left lately', daysAgo(29.9))
        await pupil('Left not', null)
      },
      left: () => query(`select name from identity.students where name like 'Left%' order by name`),
      stays: [{ name: 'Left lately' }, { name: 'Left not' }, { name: 'Left of an account' }],
    },
  }
}
