/** The roles of a table whose parts are laid out as blocks on a narrow screen; browsers would drop them there. */
export const tableRoles = {
  table: { role: 'table' },
  body: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
} as const
