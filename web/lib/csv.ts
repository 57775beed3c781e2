/** What a spreadsheet would take for a formula at the beginning of a cell, also behind blanks. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** One cell: quoted where it must be, and never a formula. */
const cell = (text: string): string => {
  const plain = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\uFEFF'

/** A CSV file (RFC 4180) as spreadsheets open it: marked UTF-8, a heading, no cell a formula. */
export const csvFile = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  byteOrderMark + [columns, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
