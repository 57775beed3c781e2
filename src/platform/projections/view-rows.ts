import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { moveCheckpointSql, type Move } from './checkpoint'
import type { Row, RowView, ViewChange, ViewRows } from './row-view'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const tableName = (view: Pick<RowView, 'table'>): string => view.table.split('.').map(quoted).join('.')

export const loadRows = async (
  pool: Pool,
  keys: ReadonlyMap<RowView, ReadonlySet<string>>,
): Promise<ViewRows> => {
  const views = [...keys.keys()]
  const found: ViewRows = new Map(views.map((view) => [view, new Map()]))
  if (views.length === 0) return found
  const text = views.map((view, index) => loadSql(view, index)).join(' union all ')
  const values = [...keys.values()].map((set) => [...set])
  const { rows } = await pool.query<{ view: number; row: Row }>({ ...prepared(text), values })
  for (const { view: index, row } of rows) {
    const view = views[index]!
    found.get(view)?.set(String(row[view.primaryKey]), rowFromJson(view, row))
  }
  return found
}

/** By key: a plan cached while the table was small never scans it whole. */
const loadSql = (view: RowView, index: number): string => {
  const columns = Object.keys(view.columns).map(quoted).join(', ')
  const wanted = `unnest((select $${index + 1}::${view.columns[view.primaryKey]}[])) as wanted (key)`
  const row = `select ${columns} from ${tableName(view)} where ${quoted(view.primaryKey)} = wanted.key offset 0`
  return `select ${index} as view, row_to_json(r) as row from ${wanted} cross join lateral (${row}) r`
}

/** Postgres spells instants differently; rows hold `toISOString`. */
const rowFromJson = (view: RowView, row: Row): Row => {
  for (const [column, type] of Object.entries(view.columns)) {
    const value = row[column]
    if (type.startsWith('timestamp') && typeof value === 'string') row[column] = new Date(value).toISOString()
  }
  return row
}

/** Writes a batch's changes and moves the checkpoint in one statement, so in one transaction. */
export const writeChanges = async (
  pool: Pool,
  changes: readonly ViewChange[],
  move: Move | null,
): Promise<void> => {
  const parts: string[] = []
  const values: unknown[] = move ? [move.name, move.from, move.to] : []
  const given = (value: unknown) => `$${values.push(value)}`
  for (const [index, { view, written, deleted }] of changes.entries()) {
    if (deleted.length > 0) parts.push(`gone${index} as (${deleteSql(view, given(deleted))})`)
    // Deletes first: a new row may take the place of a deleted one.
    const after = deleted.length > 0 ? `where (select count(*) from gone${index}) >= 0` : ''
    if (written.length > 0)
      parts.push(`put${index} as (${upsertSql(view, given(JSON.stringify(written)), after)})`)
  }
  const last = move ? moveCheckpointSql : 'select'
  const text = parts.length > 0 ? `with ${parts.join(', ')} ${last}` : last
  await pool.query({ ...prepared(text), values })
}

const deleteSql = (view: RowView, keys: string): string =>
  `delete from ${tableName(view)} where ctid = any(array(
     select r.at from unnest(${keys}::${view.columns[view.primaryKey]}[]) as wanted (key)
     cross join lateral (select ctid as at from ${tableName(view)} where ${quoted(view.primaryKey)} = wanted.key offset 0) r
   )) returning 1`

const upsertSql = (view: RowView, rows: string, after: string): string => {
  const names = Object.keys(view.columns).map(quoted)
  const typed = Object.entries(view.columns).map(([column, type]) => `${quoted(column)} ${type}`)
  const changed = names
    .filter((column) => column !== quoted(view.primaryKey))
    .map((column) => `${column} = excluded.${column}`)
  const update = changed.length > 0 ? `do update set ${changed.join(', ')}` : 'do nothing'
  return `insert into ${tableName(view)} (${names.join(', ')})
    select ${names.join(', ')} from json_to_recordset(${rows}::json) as r (${typed.join(', ')}) ${after}
    on conflict (${quoted(view.primaryKey)}) ${update}`
}

const names = new Map<string, string>()

/** The same few combinations of views return, so the statement is prepared by name. */
const prepared = (text: string): { name: string; text: string } => {
  const name = names.get(text) ?? `views-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return { name, text }
}
