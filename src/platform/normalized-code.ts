/** What of a column somebody may have written down, as SQL: letters and digits in capitals. Indexes are made of this. */
export const normalizedCodeSql = (column: string): string =>
  `upper(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g'))`
