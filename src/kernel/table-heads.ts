/** A head as it is compared: without regard to case and blanks. */
const compared = (head: string): string => head.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** A table's column, by the heads that a file may have for it. */
export const hasHead = (heads: readonly string[], wanted: string): boolean =>
  indexOfHead(heads, wanted) !== -1

export const indexOfHead = (heads: readonly string[], wanted: string): number =>
  heads.findIndex((head) => compared(head) === compared(wanted))

/** The names of a line's cells as heads: a second `Amount` is `Amount (2)`, an empty cell among them `Column 4`. */
export const headsOf = (cells: readonly string[]): string[] => {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  const seen = new Map<string, number>()
  return cells.slice(0, last + 1).map((cell, index) => {
    const head = cell.replaceAll(/\s+/g, ' ').trim() || `Column ${index + 1}`
    const count = (seen.get(compared(head)) ?? 0) + 1
    seen.set(compared(head), count)
    return count === 1 ? head : `${head} (${count})`
  })
}

/** Heads as one text, so that files with the same heads are known again. */
export const headsKey = (heads: readonly string[]): string => JSON.stringify(heads.map(compared))

// A number, a date or an amount is no head.
const looksLikeHead = (cell: string) => cell !== '' && cell.length <= 60 && !/\d{2}/.test(cell)

/** Which of these first lines is most likely the head: the first of those with the most words; -1 where there is none. */
export const guessedHead = (lines: readonly (readonly string[])[]): number => {
  const counts = lines.map((cells) => cells.filter(looksLikeHead).length)
  const most = Math.max(0, ...counts)
  return most === 0 ? -1 : counts.indexOf(most)
}
