import { Client, type Pool } from 'pg'
import { measure, repeated, type Measured } from './load'

/** The rows of all tables that `act` writes, its events among them, once everything is quiet. */
export const rowsWritten = async (pool: Pool, act: () => Promise<void>): Promise<number> => {
  const { rows: now } = await pool.query<{ number: string }>('select pg_current_xact_id()::text as number')
  await act()
  const { rows: tables } = await pool.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const counts = tables.map(
    ({ table }) => `select count(*)::int as count from ${table} where xmin::text::bigint >= $1`,
  )
  const { rows } = await pool.query<{ count: number }>(counts.join(' union all '), [now[0]!.number])
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** As many rows of 300 letters under a random key, one statement each time, by `writers` connections at once. */
export const floorOf = async (
  databaseUrl: string,
  postmaster: number,
  { writers, rows, times }: { writers: number; rows: number; times: number },
): Promise<Measured> => {
  const clients = Array.from({ length: writers }, () => new Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  await clients[0]!.query('create schema floor create table rows (id uuid primary key, words text not null)')
  const act = (writer: number) => async () => {
    await clients[writer]!.query({
      name: 'floor',
      text: `insert into floor.rows select gen_random_uuid(), repeat('x', 300) from generate_series(1, $1)`,
      values: [rows],
    })
  }
  await measure(repeated(writers, 5, act), { pid: process.pid })
  const measured = await measure(repeated(writers, times, act), { pid: process.pid, postmaster })
  await clients[0]!.query('drop schema floor cascade')
  await Promise.all(clients.map((client) => client.end()))
  return measured
}
