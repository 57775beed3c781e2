import { Pool } from 'pg'
import { getFamily, find } from '#contracts/find'
import { caughtUp } from './history'
import { measure, repeated } from './load'
import { resting, startProgram } from './program'
import type { Line } from './report'
import { opening, openFamily, openSchool, payByCard, read } from './school'

export type Size = { families: number; payments: number; rows: number }

const firstNames = 'Mutinta Chipo Grace Mwila Bupe Natasha Joseph Taonga Misozi Kelvin Thandiwe Peter'.split(
  ' ',
)
const lastNames =
  'Banda Phiri Moyo Mwansa Tembo Zulu Lungu Sakala Chanda Mulenga Ngoma Simukonda Kabwe Nkandu'.split(' ')

/**
 * Copies the rows of one real card payment: the same to search as real payments, but filled in a minute. Every thirtieth waits as an Airtel
 * payment.
 */
const fill = async (pool: Pool, { families, payments, rows }: Size): Promise<void> => {
  await pool.query(
    `insert into identity.users (username, "usernameKey", name, email, phone, role, "passwordHash", "createdAt")
     select 'parent.' || n, 'parent.' || n,
       ($2::text[])[1 + n % array_length($2::text[], 1)] || ' ' || ($3::text[])[1 + n % array_length($3::text[], 1)],
       'parent' || n || '@example.org', '+260 97 ' || lpad(n::text, 7, '0'), 'parent', '-', now() - n * interval '1 h'
     from generate_series(1, $1::int) n`,
    [families, firstNames, lastNames],
  )
  await pool.query(
    `insert into identity.students ("userId", name, grade)
     select id, ($1::text[])[1 + (id * 7 + place) % array_length($1::text[], 1)] || split_part(name, ' ', 2), '4'
     from identity.users, generate_series(1, 2) place where username like 'parent.%'`,
    [firstNames],
  )
  await pool.query(
    `insert into payments.attempts
     select (jsonb_populate_record(pattern, jsonb_build_object(
       'id', made.id, 'user_id', made.family, 'total', made.amount, 'kind', made.kind,
       'reference', made.reference, 'token', case made.kind when 'card' then upper(made.token::text) end,
       'started_at', made.at, 'since_at', made.at, 'attempt',
       jsonb_set(jsonb_set(jsonb_set(pattern.attempt,
         '{checkout}', pattern.attempt->'checkout' || jsonb_build_object('attemptId', made.id,
           'userId', made.family, 'companyRef', made.reference, 'kind', made.kind, 'total', made.amount,
           'at', to_char(made.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))),
         '{token}', pattern.attempt->'token' || jsonb_build_object(
           'token', upper(made.token::text), 'ref', 'R' || made.n)),
         '{money,amount}', to_jsonb(made.amount))))).*
     from payments.attempts pattern, (
       select n, gen_random_uuid() as id, gen_random_uuid() as token, 3500 + 50 * (n % 40) as amount,
         (select min(id) from identity.users where username like 'parent.%') + n % $2::int as family,
         case when n % 30 = 0 then 'alternative' else 'card' end as kind,
         'LP-' || upper(substr(md5(n::text), 1, 10)) as reference, now() - n * interval '1 min' as at
       from generate_series(1, $1::int) n) made
     where pattern.kind = 'card'`,
    [payments, families],
  )
  await pool.query(
    `insert into ordering.orders
     select (jsonb_populate_record(pattern, jsonb_build_object(
       'id', (1000000 + row_number() over ()) || '.2026-01-12.1', 'attempt_id', made.id, 'user_id', made.user_id,
       'student_id', 1000000 + row_number() over (), 'price', made.total, 'placed_at', made.started_at,
       'meal_date', '2026-01-12', 'status', 'completed',
       'payment_status', case made.kind when 'alternative' then 'pending' else 'confirmed' end))).*
     from ordering.orders pattern, payments.attempts made
     where made.id <> pattern.attempt_id`,
  )
  await pool.query(
    `with statement as (insert into transfers.statements (source, layout, method, file_name, uploaded_by, uploaded_at)
       values ('airtel', 'airtel', 'airtel', 'month.csv', 1, now()) returning id)
     insert into transfers.statement_rows
       (id, statement_id, method, at, amount, payer, phone, text, transaction_id, transaction_key, row_key)
     select gen_random_uuid(), statement.id, 'airtel', now() - n * interval '20 min', 3500 + 50 * (n % 40),
       upper(($2::text[])[1 + n % array_length($2::text[], 1)]), '097' || lpad(n::text, 7, '0'),
       'LP ' || upper(substr(md5((n * 30)::text), 1, 10)), 'MP' || n, 'MP' || n, n::text
     from statement, generate_series(1, $1::int) n`,
    [rows, lastNames],
  )
  await pool.query('vacuum analyze')
}

const typed = async (pool: Pool): Promise<[what: string, q: string][]> => {
  const { rows } = await pool.query<{ reference: string; token: string; ref: string }>(
    `select reference, token, attempt->'token'->>'ref' as ref from payments.attempts
     where kind = 'card' order by started_at limit 1 offset 5000`,
  )
  const { reference, token, ref } = rows[0]!
  return [
    ['our reference', reference],
    ['a reference without LP', reference.slice(3)],
    ["the provider's token", token],
    ["the provider's reference", ref],
    ['an amount of many payments', '35.00'],
    ['a username', 'parent.4321'],
    ["a parent's name", 'Mutinta Phiri'],
    ['a name that many have', 'banda'],
    ['a phone number', '0970004321'],
    ['a part of a phone number', '097 00043'],
    ['an e-mail address', 'parent4321@example.org'],
    ['a part of every address', 'example.org'],
    ["a child's name", 'ChipoMoyo'],
    ['a transaction id', 'MP4321'],
    ['nothing that there is', 'zzzzzzzz'],
  ]
}

export const findingLines = async (
  dataDir: string,
  size: Size,
  times: (count: number) => number,
): Promise<Line[]> => {
  const program = await startProgram(dataDir, opening)
  const pool = new Pool({ connectionString: program.databaseUrl, max: 2 })
  try {
    const office = await openSchool(program.url)
    const family = await openFamily(program.url, office, { name: 'pattern', children: 1, free: false })
    family.carts[0]!.splice(1)
    await payByCard(family)
    await caughtUp(pool)
    process.stderr.write(`${size.payments} payments of ${size.families} families\n`)
    await fill(pool, size)
    await resting(program)
    const lines: Line[] = []
    const timed = async (what: string, path: string) => {
      const acts = (count: number) =>
        repeated(1, times(count), () => async () => void (await read(office, path)))
      await measure(acts(5), program)
      const measured = await measure(acts(30), program)
      lines.push({ what, measured, targets: [{ name: 'p99 ms', value: measured.p99, atMost: 200 }] })
    }
    for (const [what, q] of await typed(pool))
      await timed(`finds ${what}`, `${find.path}?${new URLSearchParams({ q })}`)
    const { rows } = await pool.query<{ id: number }>(
      `select id from identity.users where username = 'parent.4321' or username = 'parent.43' order by id desc limit 1`,
    )
    await timed("a family's page", getFamily.path.replace(':id', String(rows[0]!.id)))
    return lines
  } finally {
    await pool.end()
    await program.stop()
  }
}
