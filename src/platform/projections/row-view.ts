import type { RecordedEvent } from '#platform/event-store/event-store'
import type { EventType } from '#kernel/event'

/** A stored event whose data has been parsed as its type says (old names upcast). */
export type Recorded<Data> = Omit<RecordedEvent, 'data'> & { data: Data }

type Step<Row> = {
  type: EventType<string, unknown>
  key: (event: Recorded<never>) => string
  apply: (row: Row | null, event: Recorded<never>) => Row | null
}

/**
 * A read model as rows by key. The projector loads the rows a batch touches, folds the events in with the pure steps
 * (`null` = no row) and writes what changed, with the checkpoint, in one transaction.
 * `columns` maps each property of the row to its Postgres type; property names are the column names.
 */
export type RowView<Row = Record<string, unknown>> = {
  name: string
  /** Schema-qualified, e.g. `ordering.orders`. */
  table: string
  key: string
  columns: Record<string, string>
  steps: Step<Row>[]
}

type RowViewBuilder<Row> = RowView<Row> & {
  on: <Name extends string, Data>(
    type: EventType<Name, Data>,
    key: (event: Recorded<Data>) => string,
    apply: (row: Row | null, event: Recorded<Data>) => Row | null,
  ) => RowViewBuilder<Row>
}

/** Starts a view; `.on(eventType, key, step)` adds what each event does to the row of that key. */
export const rowView = <Row extends Record<string, unknown>>(
  definition: Omit<RowView<Row>, 'steps' | 'columns'> & { columns: { [Column in keyof Row]: string } },
): RowViewBuilder<Row> => {
  const view: RowViewBuilder<Row> = {
    ...definition,
    steps: [],
    on: (type, key, apply) => {
      view.steps.push({
        type: type as unknown as Step<Row>['type'],
        key: key as Step<Row>['key'],
        apply: apply as Step<Row>['apply'],
      })
      return view
    },
  }
  return view
}
