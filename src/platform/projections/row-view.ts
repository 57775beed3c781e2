import type { RecordedEvent } from '#platform/event-store/event-store'
import type { EventType } from '#kernel/event'

/** A stored event whose data has been parsed as its type says (old names upcast). */
export type Recorded<Data> = Omit<RecordedEvent, 'data'> & { data: Data }

/** What one event type does to the row of one key. The builder below checks the types; the machine sees `unknown`. */
export type Step = {
  type: EventType<string, unknown>
  /** It makes the row whatever was there before, which therefore need not be read. */
  isAnew: boolean
  key: (event: Recorded<unknown>) => string
  apply: (row: unknown, event: Recorded<unknown>) => unknown
}

/**
 * A read model as rows by key. The projector loads the rows a batch touches, folds the events in with the pure steps
 * (`null` = no row) and writes what changed, with the checkpoint, in one transaction.
 * `columns` maps each property of the row to its Postgres type; property names are the column names.
 * A row is JSON: a `timestamptz` is an instant as text (`2026-09-16T05:00:00.000Z`), a `date` is `2026-09-16`,
 * a number is a number, a missing value is `null`. A unique constraint beside the key must be deferrable, since a
 * batch writes its rows in no promised order.
 */
export type RowView = {
  name: string
  /** Schema-qualified, e.g. `ordering.orders`. */
  table: string
  key: string
  columns: Record<string, string>
  steps: Step[]
}

type RowViewBuilder<Row> = RowView & {
  on: <Name extends string, Data>(
    type: EventType<Name, Data>,
    key: (event: Recorded<Data>) => string,
    apply: (row: Row | null, event: Recorded<Data>) => Row | null,
  ) => RowViewBuilder<Row>
  anew: <Name extends string, Data>(
    type: EventType<Name, Data>,
    key: (event: Recorded<Data>) => string,
    make: (event: Recorded<Data>) => Row,
  ) => RowViewBuilder<Row>
}

/**
 * Starts a view; `.on(eventType, key, step)` adds what each event does to the row of that key, `.anew(eventType, key,
 * make)` an event that makes the row of that key whatever was there before.
 */
export const rowView = <Row extends Record<string, unknown>>(
  definition: Omit<RowView, 'steps' | 'columns'> & { columns: { [Column in keyof Row]: string } },
): RowViewBuilder<Row> => {
  const add = (type: unknown, key: unknown, apply: unknown, isAnew: boolean) => {
    const step = { type, key, apply, isAnew } as Step
    view.steps.push(step)
    return view
  }
  const view: RowViewBuilder<Row> = {
    ...definition,
    steps: [],
    on: (type, key, apply) => add(type, key, apply, false),
    anew: (type, key, make) =>
      add(type, key, (_row: unknown, event: Parameters<typeof make>[0]) => make(event), true),
  }
  return view
}
