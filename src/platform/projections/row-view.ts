import { eventReader, type AnyEventType, type DomainEvent, type EventOf } from '#kernel/event'
import { prepared, type Reader } from '#platform/database'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { naming } from '../failures'
import { moveCheckpointsSql, type Move } from './checkpoint'

export type Row = Record<string, unknown>

/** A stored event with parsed data; old names are upcast. */
export type Recorded<Event extends DomainEvent> = Event extends unknown
  ? Omit<RecordedEvent, 'type' | 'data'> & Event
  : never

type ViewTable = {
  /** Schema-qualified, e.g. `ordering.orders`. */
  table: string
  /** Postgres types by property; property names are the column names. */
  columns: Record<string, string>
  /** Its values are the row keys. */
  primaryKey: string
  events: readonly AnyEventType[]
}

/** An event belongs to one row, folded from one stream; `null` is no row. */
export type OneRowView = ViewTable & {
  key(event: Recorded<DomainEvent>): string
  evolve(row: Row | null, event: Recorded<DomainEvent>): Row | null
  posting?: Posting
}

/** Rows that a step adds to another view of its context. Their keys derive from the event's id; they never change. */
type Posting = {
  to: OneRowView
  rowsOf(before: Row | null, after: Row | null, event: Recorded<DomainEvent>): Row[]
}

/** An event belongs to several rows, folded from several streams. */
export type RowsView = ViewTable & {
  keys(event: Recorded<DomainEvent>): readonly string[]
  evolveRows(rows: ReadonlyMap<string, Row>, event: Recorded<DomainEvent>): readonly Row[]
}

/** The projector loads the rows that a batch touches, folds with the pure `evolve` and writes them with the checkpoint. */
export type RowView = OneRowView | RowsView

/**
 * Rows are JSON: `timestamptz` as ISO text in UTC, `date` as `2026-09-16`, missing as `null`. Further unique constraints must be
 * deferrable, since a batch writes rows in any order.
 */
export const rowView = <ViewRow extends Row, Types extends readonly AnyEventType[]>(definition: {
  table: string
  columns: { [Column in keyof ViewRow]: string }
  primaryKey: keyof ViewRow & string
  events: Types
  key: (event: Recorded<EventOf<Types[number]>>) => string
  evolve: (row: ViewRow | null, event: Recorded<EventOf<Types[number]>>) => ViewRow | null
  posting?: {
    to: OneRowView
    rowsOf: (before: ViewRow | null, after: ViewRow | null, event: Recorded<EventOf<Types[number]>>) => Row[]
  }
}): OneRowView => definition

/**
 * `evolveRows` gets the rows under `keys` and answers those it changes or adds; none is deleted. Rows hold no personal values, since
 * refolding a deleted family skips them.
 */
export const rowsView = <ViewRow extends Row, Types extends readonly AnyEventType[]>(definition: {
  table: string
  columns: { [Column in keyof ViewRow]: string }
  primaryKey: keyof ViewRow & string
  events: Types
  keys: (event: Recorded<EventOf<Types[number]>>) => readonly string[]
  evolveRows: (
    rows: ReadonlyMap<string, ViewRow>,
    event: Recorded<EventOf<Types[number]>>,
  ) => readonly ViewRow[]
}): RowsView => definition as unknown as RowsView

export type Touch = { view: RowView; keys: readonly string[]; event: Recorded<DomainEvent> }

export type ViewRows = Map<RowView, Map<string, Row>>

export const touchReader = (views: readonly RowView[]): ((events: readonly RecordedEvent[]) => Touch[]) => {
  const read = eventReader(...views.flatMap(({ events }) => events))
  const hearing = (type: string) => views.filter(({ events }) => events.some((one) => one.type === type))
  const viewsOf = new Map(
    views.flatMap(({ events }) => events.map(({ type }) => [type, hearing(type)] as const)),
  )
  return (events) =>
    events.flatMap((stored) =>
      naming(stored, () => {
        const event = parsedOnce(stored, read)
        const heardBy = (event && viewsOf.get(event.type)) ?? []
        return heardBy.map((view) => ({ view, keys: keysOf(view, event!), event: event! }))
      }),
    )
}

const parsed = new WeakMap<RecordedEvent, Recorded<DomainEvent>>()

/** All contexts are handed the same events. */
const parsedOnce = (
  stored: RecordedEvent,
  read: (stored: RecordedEvent) => DomainEvent | null,
): Recorded<DomainEvent> | null => {
  const known = parsed.get(stored)
  if (known) return known
  const event = read(stored)
  if (!event) return null
  const whole = { ...stored, ...event }
  parsed.set(stored, whole)
  return whole
}

const keysOf = (view: RowView, event: Recorded<DomainEvent>): readonly string[] =>
  'keys' in view ? view.keys(event) : [view.key(event)]

export const touchedKeys = (touches: readonly Touch[]): Map<RowView, Set<string>> => {
  const keys = new Map<RowView, Set<string>>()
  for (const { view, keys: touched } of touches)
    for (const key of touched) keys.set(view, (keys.get(view) ?? new Set()).add(key))
  return keys
}

export const evolveRows = (rows: ViewRows, touches: readonly Touch[]): void => {
  for (const { view, keys, event } of touches) {
    const table = tableIn(rows, view)
    const before = new Map(
      keys.flatMap((key) => {
        const row = table.get(key)
        return row ? [[key, row]] : []
      }),
    )
    for (const [key, row] of naming(event, () => evolved(view, before, keys, event))) {
      if (row === null) table.delete(key)
      else if (String(row[view.primaryKey]) === key && keys.includes(key)) table.set(key, row)
      else
        throw new Error(
          `View ${view.table} made of ${event.type} a row ${String(row[view.primaryKey])} under the keys ${keys.join(', ')}`,
        )
      if ('posting' in view && view.posting)
        post(rows, view.posting, { before: before.get(key) ?? null, after: row, event })
    }
  }
}

const tableIn = (rows: ViewRows, view: RowView): Map<string, Row> => {
  const table = rows.get(view) ?? new Map<string, Row>()
  rows.set(view, table)
  return table
}

const evolved = (
  view: RowView,
  rows: ReadonlyMap<string, Row>,
  keys: readonly string[],
  event: Recorded<DomainEvent>,
): (readonly [string, Row | null])[] =>
  'evolve' in view
    ? keys.map((key) => [key, view.evolve(rows.get(key) ?? null, event)])
    : view.evolveRows(rows, event).map((row) => [String(row[view.primaryKey]), row])

type Step = { before: Row | null; after: Row | null; event: Recorded<DomainEvent> }

const post = (rows: ViewRows, posting: Posting, { before, after, event }: Step): void => {
  const posted = naming(event, () => posting.rowsOf(before, after, event))
  if (posted.length === 0) return
  const table = tableIn(rows, posting.to)
  for (const row of posted) table.set(String(row[posting.to.primaryKey]), row)
}

export type ViewChange = { view: RowView; written: Row[]; deleted: string[] }

/** Leaves `before` as it is. */
export const changesOf = (before: ViewRows, touches: readonly Touch[]): ViewChange[] => {
  const after: ViewRows = new Map([...before].map(([view, rows]) => [view, new Map(rows)]))
  evolveRows(after, touches)
  return [...after].map(([view, rows]) => {
    const old = before.get(view) ?? new Map<string, Row>()
    return {
      view,
      written: [...rows].flatMap(([key, row]) => (old.get(key) === row ? [] : [row])),
      deleted: [...old.keys()].filter((key) => !rows.has(key)),
    }
  })
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const tableName = (view: Pick<RowView, 'table'>): string => view.table.split('.').map(quoted).join('.')

export const loadRows = async (
  database: Reader,
  keys: ReadonlyMap<RowView, ReadonlySet<string>>,
): Promise<ViewRows> => {
  const views = [...keys.keys()]
  const found: ViewRows = new Map(views.map((view) => [view, new Map()]))
  if (views.length === 0) return found
  const text = views.map((view, index) => loadSql(view, index)).join(' union all ')
  const values = [...keys.values()].map((set) => [...set])
  const { rows } = await database.query<{ view: number; row: Row }>({ ...prepared(text), values })
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

/** Writes changes and moves checkpoints in one statement, so in one transaction. */
export const writeChanges = async (
  database: Reader,
  changes: readonly ViewChange[],
  moves: readonly Move[],
): Promise<void> => {
  const parts: string[] = []
  const isMoving = moves.length > 0
  const values: unknown[] = isMoving
    ? [moves.map(({ name }) => name), moves.map(({ from }) => from), moves.map(({ to }) => to)]
    : []
  const given = (value: unknown) => `$${values.push(value)}`
  for (const [index, { view, written, deleted }] of changes.entries()) {
    if (deleted.length > 0) parts.push(`gone${index} as (${deleteSql(view, given(deleted))})`)
    // Deletes first: a new row may take the place of a deleted one.
    const after = deleted.length > 0 ? `where (select count(*) from gone${index}) >= 0` : ''
    if (written.length > 0)
      parts.push(`put${index} as (${upsertSql(view, given(JSON.stringify(written)), after)})`)
  }
  const last = isMoving ? moveCheckpointsSql : 'select'
  const text = parts.length > 0 ? `with ${parts.join(', ')} ${last}` : last
  await database.query({ ...prepared(text), values })
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
