/** Letters and digits in capitals, as people copy a code. Indexes use this expression. */
export const normalizedCodeSql = (column: string): string =>
  `upper(regexp_replace(${column}, '[^A-Za-z0-9]', '', 'g'))`
