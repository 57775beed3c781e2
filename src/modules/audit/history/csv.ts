/** What a spreadsheet would take for a formula at the beginning of a cell, also behind blanks. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** One cell: quoted where it must be, and never a formula. */
const cell = (text: string): string => {
  const plain = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** One line of a CSV file (RFC 4180) with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'
