import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Client, Pool } from 'pg'
import type { Act } from './load'
import { answers, freePort } from './program'

/** A Koa that answers `{}` to everything, in a process of its own: what a read costs when it reads nothing. */
export const startEmptyKoa = async (): Promise<{ url: string; pid: number; stop: () => void }> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./empty-koa.mjs', import.meta.url)), String(port)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  await answers(url, () => child.exitCode !== null)
  return { url, pid: child.pid!, stop: () => child.kill() }
}

type Row = Record<string, unknown>
type Written = { table: string; columns: string[]; varied: string[]; rows: Row[] }

/** The number of the next transaction: rows written from now on carry it or a later one. */
export const transactionNow = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ number: string }>('select pg_current_xact_id()::text as number')
  return rows[0]!.number
}

/** Every row, of whatever table, that was written since that transaction. */
export const rowsWrittenSince = async (pool: Pool, since: string): Promise<Written[]> => {
  const { rows: tables } = await pool.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'floor') order by 1`,
  )
  const found: Written[] = []
  for (const { table } of tables) {
    const { rows } = await pool.query<{ row: Row }>(
      `select to_jsonb(t) as row from ${table} t where xmin::text::bigint >= $1::bigint`,
      [since],
    )
    if (rows.length > 0)
      found.push({ table, ...(await columnsOf(pool, table)), rows: rows.map(({ row }) => row) })
  }
  return found
}

const columnsOf = async (pool: Pool, table: string) => {
  const { rows } = await pool.query<{ name: string; unique: boolean }>(
    `select a.attname as name, exists (
       select from pg_index i where i.indrelid = a.attrelid and (i.indisunique or i.indisexclusion) and a.atttypid <> 'int2'::regtype and a.attnum = any(i.indkey)) as unique
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' order by a.attnum`,
    [table],
  )
  return {
    columns: rows.map(({ name }) => name),
    varied: rows.filter(({ unique }) => unique).map(({ name }) => name),
  }
}

const copyOf = (table: string) => `floor.${table.replaceAll(/\W/g, '_')}`

/** Empty tables with the same columns and indexes, so that the floor leaves the school's own alone. */
export const layFloor = async (pool: Pool, written: Written[]): Promise<void> => {
  await pool.query('create schema if not exists floor')
  for (const { table } of written)
    await pool.query(`create table if not exists ${copyOf(table)} (like ${table} including all)`)
}

let laid = 0

/** Another value for a column of a unique index, of the same kind. */
const another = (value: unknown): unknown => {
  if (typeof value === 'number') return 1_000_000 + laid
  if (typeof value !== 'string') return value
  if (/^[\da-f]{8}-[\da-f-]{27}$/.test(value)) return randomUUID()
  return /^\d+$/.test(value) ? String(1_000_000 + laid) : `${value}~${laid}`
}

/** One writer on a connection of its own, that inserts exactly those rows in one transaction. */
export const floorWriter = async (
  databaseUrl: string,
  written: Written[],
): Promise<{ act: Act; close: Act }> => {
  const client = new Client({ connectionString: databaseUrl })
  // When the service is stopped with its database a query tells that it failed.
  client.on('error', () => undefined)
  await client.connect()
  const inserts = written.map(({ table, columns }) => {
    const names = columns.map((name) => `"${name}"`).join(', ')
    const copy = copyOf(table)
    return {
      name: `floor ${table}`,
      text: `insert into ${copy} (${names}) overriding system value
             select ${names} from json_populate_recordset(null::${copy}, $1::json)`,
    }
  })
  const act = async () => {
    await client.query('begin')
    for (const [index, { varied, rows }] of written.entries()) {
      const copies = rows.map((row) => {
        laid += 1
        return { ...row, ...Object.fromEntries(varied.map((name) => [name, another(row[name])])) }
      })
      await client.query({ ...inserts[index]!, values: [JSON.stringify(copies)] })
    }
    await client.query('commit')
  }
  return { act, close: () => client.end() }
}
