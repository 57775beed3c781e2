import type { Pool, PoolClient } from 'pg'
import { connectionOf, type Reader } from '#platform/database'
import { moveCheckpointSql, type Move } from './checkpoint'
import { quoted, tableName, type RowView } from './row-view'

/** `indexes` are built once the table is full. */
export type Shadow = { of: RowView; view: RowView; indexes: Index[] }

type Index = { name: string; unique: boolean; constraint: string | null; definition: string }

const suffix = '__new'

/** A rebuild that was killed leaves such tables. */
export const isShadow = (table: string): boolean => table.replace(/"$/, '').endsWith(suffix)

/** An empty table with the columns and unique constraints that `shapes` has for this view, without indexes. */
export const openShadow = async (pool: Pool, of: RowView, shapes: Reader): Promise<Shadow> => {
  const shadow: Shadow = {
    of,
    view: shadowOf(of),
    indexes: await indexesOf(shapes, of),
  }
  const pieces = await piecesOf(shapes, of)
  await pool.query(`create schema if not exists ${quoted(of.table.split('.')[0]!)}`)
  await pool.query(`drop table if exists ${tableName(shadow.view)}`)
  await pool.query(`create table ${tableName(shadow.view)} (${pieces.join(', ')})`)
  for (const index of shadow.indexes.filter(({ unique }) => unique)) await pool.query(addIndex(shadow, index))
  return shadow
}

const shadowOf = <View extends RowView>(view: View): View => ({
  ...view,
  table: view.table + suffix,
  ...('posting' in view && view.posting && { posting: { ...view.posting, to: shadowOf(view.posting.to) } }),
})

/** After filling: building an index once costs a fraction. */
export const indexShadow = (pool: Pool, shadow: Shadow): Promise<void> =>
  withClient(pool, async (client) => {
    await client.query('set statement_timeout = 0')
    for (const index of shadow.indexes.filter(({ unique }) => !unique))
      await client.query(addIndex(shadow, index))
    await client.query(`analyze ${tableName(shadow.view)}`)
    await client.query('reset statement_timeout')
  })

export const dropShadows = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where right(tablename, $2) = $1`,
    [suffix, suffix.length],
  )
  for (const { name } of rows) await pool.query(`drop table if exists ${name}`)
}

export const dropShadow = async (pool: Pool, { view }: Shadow): Promise<void> => {
  await pool.query(`drop table if exists ${tableName(view)}`)
}

/** Swaps the tables and moves the checkpoints in one transaction. */
export const swapTables = async (
  pool: Pool,
  shadows: readonly Shadow[],
  moves: readonly Move[],
): Promise<void> => {
  // A reader that locks two tables in another order may deadlock with this.
  for (let attempt = 1; ; attempt += 1)
    try {
      return await withClient(pool, (client) => swap(client, shadows, moves))
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock || attempt === mostAttempts) throw error
    }
}

const deadlock = '40P01'
const mostAttempts = 10

const swap = async (client: PoolClient, shadows: readonly Shadow[], moves: readonly Move[]) => {
  await client.query('begin')
  for (const { of, view, indexes } of shadows) {
    const [schema = '', table = ''] = of.table.split('.')
    await client.query(`drop table if exists ${tableName(of)}`)
    await client.query(`alter table ${tableName(view)} rename to ${quoted(table)}`)
    for (const index of indexes)
      await client.query(
        `alter index ${quoted(schema)}.${quoted(index.name + suffix)} rename to ${quoted(index.name)}`,
      )
  }
  for (const { name, from, to } of moves) await client.query(moveCheckpointSql, [name, from, to])
  await client.query('commit')
}

const piecesOf = async (shapes: Reader, view: RowView): Promise<string[]> => {
  const { rows } = await shapes.query<{ piece: string }>(
    `select format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
       || case when a.attcollation <> t.typcollation
            then ' collate ' || a.attcollation::regcollation else '' end
       || case when d.adbin is null then ''
            when a.attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
            else ' default ' || pg_get_expr(d.adbin, d.adrelid) end
       || case when a.attnotnull then ' not null' else '' end as piece
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [tableName(view)],
  )
  const { rows: checks } = await shapes.query<{ piece: string }>(
    `select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as piece
     from pg_constraint where conrelid = $1::regclass and contype = 'c' order by conname`,
    [tableName(view)],
  )
  return [...rows, ...checks].map(({ piece }) => piece)
}

const indexesOf = async (pool: Reader, view: RowView): Promise<Index[]> => {
  const { rows } = await pool.query<Index>(
    `select c.relname as name, i.indisunique as unique, pg_get_constraintdef(k.oid) as constraint,
       pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid
     where i.indrelid = $1::regclass order by not i.indisprimary, c.relname`,
    [tableName(view)],
  )
  return rows
}

const addIndex = ({ view }: Shadow, { name, unique, constraint, definition }: Index): string => {
  const table = tableName(view)
  if (constraint !== null) return `alter table ${table} add constraint ${quoted(name + suffix)} ${constraint}`
  const how = definition.slice(definition.indexOf(' USING '))
  return `create ${unique ? 'unique ' : ''}index ${quoted(name + suffix)} on ${table} ${how}`
}

const withClient = async <Answer>(pool: Pool, act: (client: PoolClient) => Promise<Answer>) => {
  const client = await connectionOf(pool)
  let failed = true
  try {
    const answer = await act(client)
    failed = false
    return answer
  } finally {
    // Ending the connection rolls back what failed half way.
    client.release(failed)
  }
}
