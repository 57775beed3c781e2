import type { DomainEvent } from '#kernel/event'
import type { RecordedEvent } from '#platform/event-store/event-store'
import {
  changesOf,
  touchedKeys,
  touchReader,
  type Row,
  type RowView,
  type ViewRows,
} from '#platform/projections/row-view'
import { recordedEvents } from './recorded-events'

/**
 * Reads a view's specs as sentences: `viewSpec(view).given(events).thenRow(key, row)`, `.thenNoRow(key)` or
 * `.thenRows([row, …])` (by key). Events not made with `recorded(event, { … })` stand in one stream. The events are folded one by one, each
 * in a run of its own that starts from the rows as the last one stored them and is given all events again, those that
 * were counted too, as after a restart; and once more in a single batch. Both must come to the same rows.
 */
export const viewSpec = (view: RowView) => ({
  given: (...events: (DomainEvent | RecordedEvent)[]) => {
    const all = recordedEvents(...events)
    const rows = rowsAfter(view, all, 1)
    expect(rowsAfter(view, all, all.length)).toEqual(rows)
    const byKey = Object.fromEntries(rows.map((row) => [String(row[view.primaryKey]), row]))
    return {
      thenRow: (key: string, row: Row) => expect(byKey[key]).toEqual(row),
      thenNoRow: (key: string) => expect(Object.keys(byKey)).not.toContain(key),
      thenRows: (expected: Row[]) => expect(rows).toEqual(expected),
    }
  },
})

const rowsAfter = (view: RowView, events: readonly RecordedEvent[], batchSize: number): Row[] => {
  let rows = new Map<string, Row>()
  let checkpoint = ''
  while (checkpoint !== (events.at(-1)?.position ?? '')) {
    const batch = events.filter(({ position }) => position > checkpoint).slice(0, batchSize)
    rows = afterBatch(view, batch, rows)
    checkpoint = batch.at(-1)!.position
  }
  return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

const afterBatch = (view: RowView, batch: readonly RecordedEvent[], stored: Map<string, Row>) => {
  const touches = touchReader([view])(batch)
  const keys = [...(touchedKeys(touches).get(view) ?? [])]
  const loaded = keys.flatMap((key): [string, Row][] => {
    const row = stored.get(key)
    return row ? [[key, deepFrozen(row)]] : []
  })
  const before: ViewRows = new Map([[view, new Map(loaded)]])
  const after = new Map(stored)
  // What the view adds to another one is that one's own spec.
  for (const { written, deleted } of changesOf(before, touches).filter((change) => change.view === view)) {
    for (const row of written) after.set(String(row[view.primaryKey]), asStored(view, row))
    for (const key of deleted) after.delete(key)
  }
  return after
}

/** As Postgres gives it back: the view's columns and no others, JSON values, null for what is missing. */
const asStored = (view: RowView, row: Row): Row => {
  const columns = Object.keys(view.columns)
  const unknown = Object.keys(row).filter((name) => !columns.includes(name))
  if (unknown.length > 0) throw new Error(`View ${view.table} has no columns ${unknown.join(', ')}`)
  return Object.fromEntries(columns.map((name) => [name, JSON.parse(JSON.stringify(row[name] ?? null))]))
}

const deepFrozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen)
  return value
}
