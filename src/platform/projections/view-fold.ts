import { eventReader } from '#kernel/event'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { Recorded, RowView, Step } from './row-view'

export type Row = Record<string, unknown>

/** One step that one event takes in one row. */
export type Touch = { view: RowView; key: string; step: Step; event: Recorded<unknown> }

/** Rows of views by their keys. */
export type ViewRows = Map<RowView, Map<string, Row>>

/** What a batch changes in one view. */
export type ViewChange = { view: RowView; written: Row[]; deleted: string[] }

/** Reads events as the views' steps want them, old names upcast: which rows they touch, in the events' order. */
export const touchReader = (views: readonly RowView[]): ((events: readonly RecordedEvent[]) => Touch[]) => {
  const byType = new Map<string, { view: RowView; step: Step }[]>()
  for (const view of views)
    for (const step of view.steps)
      byType.set(step.type.type, [...(byType.get(step.type.type) ?? []), { view, step }])
  const read = eventReader(...views.flatMap(({ steps }) => steps.map(({ type }) => type)))
  return (events) =>
    events.flatMap((stored) => {
      const known = read(stored)
      if (!known) return []
      const event = { ...stored, ...known }
      return (byType.get(known.type) ?? []).map(({ view, step }) => ({
        view,
        key: step.key(event),
        step,
        event,
      }))
    })
}

/** The keys of the rows that must be at hand before the fold; not of those that are made anew first. */
export const touchedKeys = (touches: readonly Touch[]): Map<RowView, Set<string>> => {
  const keys = new Map<RowView, Set<string>>()
  const anew = new Map<RowView, Set<string>>()
  for (const { view, key, step } of touches) {
    if (anew.get(view)?.has(key)) continue
    const kind = step.isAnew && !keys.get(view)?.has(key) ? anew : keys
    kind.set(view, (kind.get(view) ?? new Set()).add(key))
  }
  return keys
}

type Folded = { row: Row | null; wasRead: boolean }

/** Applies the steps in order to the rows as they were, and answers what is different afterwards. */
export const foldTouches = (touches: readonly Touch[], before: ViewRows): ViewChange[] => {
  const after = new Map<RowView, Map<string, Folded>>()
  for (const touch of touches) {
    const { view, key, step } = touch
    const rows = after.get(view) ?? new Map<string, Folded>()
    after.set(view, rows)
    const { row, wasRead } = rows.get(key) ?? {
      row: before.get(view)?.get(key) ?? null,
      wasRead: !step.isAnew,
    }
    rows.set(key, { row: applied(touch, row), wasRead })
  }
  return [...after].map(([view, rows]) => changeOf(view, rows, before.get(view)))
}

const applied = ({ view, key, step, event }: Touch, row: Row | null): Row | null => {
  const next = step.apply(row, event) as Row | null
  if (next !== null && String(next[view.key]) !== key)
    throw new Error(
      `View ${view.name} made of ${event.type} a row ${String(next[view.key])} under the key ${key}`,
    )
  return next
}

const changeOf = (
  view: RowView,
  after: ReadonlyMap<string, Folded>,
  before: ReadonlyMap<string, Row> | undefined,
): ViewChange => {
  const change: ViewChange = { view, written: [], deleted: [] }
  for (const [key, { row, wasRead }] of after) {
    const old = before?.get(key) ?? null
    // Whether there is one that was not read is not known.
    if (row === null && (old !== null || !wasRead)) change.deleted.push(key)
    if (row !== null && row !== old) change.written.push(row)
  }
  return change
}
