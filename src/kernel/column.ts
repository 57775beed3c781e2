declare const valueOf: unique symbol

/** A Postgres type, and the type that its values have in a row. */
type Column<Value> = string & { readonly [valueOf]: Value }

export const column = <Value>(type: string) => type as Column<Value>

/** The row that columns declare. */
export type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never
}
