import type { Pool } from 'pg'
import { runInTransaction } from '#platform/database'

/** One connection inside a transaction without time limits. */
export type Transaction = Pick<Pool, 'query'>

const withoutTimeouts = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'

export const inSnapshot = <Result>(
  pool: Pool,
  read: (snapshot: Transaction) => Promise<Result>,
): Promise<Result> =>
  runInTransaction(pool, ['begin isolation level repeatable read read only', withoutTimeouts], read)

export const inTransaction = <Result>(
  pool: Pool,
  write: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => runInTransaction(pool, ['begin', withoutTimeouts], write)

const usualPage = 500

export async function* pagesOf<Row extends object>(
  transaction: Transaction,
  select: string,
  values: unknown[] = [],
  pageRows = usualPage,
): AsyncGenerator<Row[]> {
  await transaction.query(`declare pages no scroll cursor for ${select}`, values)
  try {
    for (;;) {
      const { rows } = await transaction.query<Row>(`fetch ${pageRows} from pages`)
      if (rows.length > 0) yield rows
      if (rows.length < pageRows) break
    }
  } finally {
    // A failed transaction cannot close it.
    await transaction.query('close pages').catch(() => undefined)
  }
}

/** `name` is quoted and includes the schema. `files`: each row holds a whole file. */
export type Table = { name: string; key: string[]; needs: string[]; files?: boolean }

const allTables = `
  select format('%I.%I', n.nspname, c.relname) as name,
    coalesce((select array_agg(format('%I', a.attname) order by k.place)
      from pg_index i, unnest(i.indkey) with ordinality as k (number, place), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.number), '{}') as key,
    coalesce((select array_agg(format('%I.%I', fn.nspname, f.relname))
      from pg_constraint o join pg_class f on f.oid = o.confrelid join pg_namespace fn on fn.oid = f.relnamespace
      where o.conrelid = c.oid and o.contype = 'f' and o.confrelid <> c.oid), '{}') as needs,
    exists (select from pg_attribute b
      where b.attrelid = c.oid and b.attnum > 0 and b.atttypid = 'bytea'::regtype) as files
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence <> 't'
    and n.nspname !~ '^pg_' and n.nspname::text <> all($1::text[])
  order by 1`

const foreignSchemas = ['information_schema', 'public', 'jobs']

/** All tables but the queue's; referenced tables first. */
export const tablesOf = async (transaction: Transaction): Promise<Table[]> => {
  const { rows } = await transaction.query<Table>(allTables, [foreignSchemas])
  const placed: Table[] = []
  while (placed.length < rows.length) {
    const names = new Set(placed.map(({ name }) => name))
    const next = rows.filter(
      ({ name, needs }) => !names.has(name) && needs.every((other) => names.has(other)),
    )
    if (next.length === 0) throw new Error('Tables refer to one another in a cycle')
    placed.push(...next)
  }
  return placed
}

// A picture has hundreds of kilobytes, twice that as text.
const filesPage = 20

/** Rows by key as JSON text, which keeps the precision of numbers and times. */
export async function* tableRows(
  transaction: Transaction,
  { name, key, files = false }: Table,
): AsyncGenerator<string[]> {
  const order = key.length > 0 ? `order by ${key.join(', ')}` : ''
  const pages = pagesOf<{ row: string }>(
    transaction,
    `select row_to_json(t)::text as row from (select * from ${name} ${order}) t`,
    [],
    files ? filesPage : undefined,
  )
  for await (const page of pages) yield page.map(({ row }) => row)
}

const keptFromEmptying = ['platform.migrations', 'platform.migrations_lock', 'platform.maintenance']

/** Keeps only migrations and the marks of running maintenance. */
export const emptyTables = async (transaction: Transaction, tables: readonly Table[]): Promise<void> => {
  const names = tables.map(({ name }) => name).filter((name) => !keptFromEmptying.includes(name))
  // Append-only tables have triggers that refuse deletes.
  const triggers = (how: string) => names.map((name) => `alter table ${name} ${how} trigger user`).join(';')
  await transaction.query(`${triggers('disable')}; truncate ${names.join(', ')}; ${triggers('enable')}`)
}

/** All rows name the same columns; others get defaults. */
export const insertRows = async (transaction: Transaction, name: string, rows: string[]): Promise<void> => {
  const columns = Object.keys(JSON.parse(rows[0]!) as object)
    .map((column) => `"${column}"`)
    .join(', ')
  await transaction.query(
    `insert into ${name} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${name}, $1::json)`,
    [`[${rows.join(',')}]`],
  )
}

/** Identity sequence. Archived, so that numbers of deleted rows are not reused. */
export type Counter = { table: string; column: string; last: string; used: boolean }

export const countersOf = async (transaction: Transaction, tables: readonly Table[]): Promise<Counter[]> => {
  const { rows } = await transaction.query<{ table: string; column: string; sequence: string }>(
    `select t.name as table, a.attname as column, pg_get_serial_sequence(t.name, a.attname) as sequence
     from unnest($1::text[]) as t (name) join pg_attribute a on a.attrelid = t.name::regclass
     where a.attidentity <> '' order by 1, 2`,
    [tables.map(({ name }) => name)],
  )
  const counters: Counter[] = []
  for (const { table, column, sequence } of rows) {
    const { rows: found } = await transaction.query<{ last: string; used: boolean }>(
      `select last_value::text as last, is_called as used from ${sequence}`,
    )
    counters.push({ table, column, ...found[0]! })
  }
  return counters
}

export const setCounter = async (
  transaction: Transaction,
  { table, column, last, used }: Counter,
): Promise<void> => {
  await transaction.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)', [
    table,
    column,
    last,
    used,
  ])
}

export const migrationsOf = async (transaction: Transaction): Promise<string[]> => {
  const { rows } = await transaction.query<{ name: string }>(
    'select name from platform.migrations order by id',
  )
  return rows.map(({ name }) => name)
}
