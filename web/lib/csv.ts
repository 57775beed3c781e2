/** What a spreadsheet would take for a formula at the beginning of a cell, also behind blanks. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** A CSV file (RFC 4180) as spreadsheets open it: marked UTF-8, a heading, no cell a formula. */
export const csvFile = async (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> => {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  return stringify([columns, ...rows] as string[][], {
    bom: true,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: { string: (text) => (formula.test(text) ? `'${text}` : text) },
  })
}
