import type { Pool } from 'pg'
import type { RowView } from '#platform/projections/row-view'

/** Rows of views by the views' tables. */
export type Contents = Record<string, Record<string, unknown>[]>

/** Every row of these views, by their tables. */
export const contentsOf = async (pool: Pool, views: readonly RowView[]): Promise<Contents> => {
  const found: Contents = {}
  for (const view of views) {
    const columns = Object.keys(view.columns).map((column) => `"${column}"`)
    const { rows } = await pool.query(
      `select row_to_json(r) as row from (select ${columns.join(', ')} from ${view.table} order by "${view.primaryKey}") r`,
    )
    found[view.table] = rows.map(({ row }) => row)
  }
  return found
}
