import type { RowView } from './row-view'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The view's table, schema and all, as SQL wants it. */
export const tableName = (view: Pick<RowView, 'table'>): string => view.table.split('.').map(quoted).join('.')
