import { gradeNames, optionalEmail } from '#contracts/identity'
import { personName } from '#contracts/endpoint'
import type { RollColumn, RollError, RollPlaceholder } from '#contracts/roll-import'
import { foldedName } from '#kernel/folded-name'
import {
  isPlaceholder,
  isPlaceholderEmail,
  isPlaceholderPhone,
  missingColumns,
  placesOf,
  isCountOfChildren,
  isFormula,
  isNoName,
  isSpreadsheetError,
  isTotal,
  phoneIn,
  type Places,
} from './roll-cells'
export type RollLine = {
  row: number
  name: string
  grade: string
  admissionNumber: string | null
  class?: string | null | undefined
  guardian?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
}

/** Named in an unreadable row: has not left. */
type Named = { name: string | null; admissionNumber: string | null }

/** `notRead`: unknown heads; `placeholders`: values read as none. */
export type RollFile = {
  lines: RollLine[]
  errors: RollError[]
  unread: Named[]
  notRead?: string[]
  placeholders?: RollPlaceholder[]
}

type Table = {
  row: number
  heads: readonly string[]
  rows: readonly { row: number; cells: readonly string[] }[]
  errors: readonly { row: number; cells: readonly string[]; message: string }[]
}

type Cells = Partial<Record<RollColumn, string>>

export const isRollHead = (heads: readonly string[]): boolean =>
  missingColumns(placesOf(heads).places).length === 0

export const readRoll = (table: Table): RollFile => {
  const { places, notRead } = placesOf(table.heads)
  const missing = missingColumns(places)
  if (missing.length > 0)
    return { lines: [], errors: missing.map((column) => missingHead(table.row, column)), unread: [] }
  const file = { lines: [], errors: [], unread: [] } as RollFile
  const placeholders: RollPlaceholder[] = []
  const seen = new Map<string, number>()
  const rows = table.rows.map(({ row, cells }) => ({ row, given: cellsOf(cells, places) }))
  const twice = numbersTwice(rows.map(({ given }) => given.admissionNumber ?? ''))
  for (const { row, given } of rows) {
    const { read, taken } = withoutPlaceholders(given)
    const wrong = [...wrongCells(read), ...takenNumber(read, twice), ...sameAgain(read, row, seen)]
    if (wrong.length === 0) {
      file.lines.push(lineOf(row, read))
      placeholders.push(...taken.map(([column, value]) => ({ row, column, value })))
    } else file.unread.push({ name: read.student || null, admissionNumber: read.admissionNumber || null })
    for (const [column, message] of wrong) file.errors.push({ row, column, message })
  }
  for (const { row, cells, message } of table.errors) {
    // Columns are unclear: anyone in any cell has not left.
    file.unread.push(
      ...cells.map(plain).map((text) => ({ name: text || null, admissionNumber: text || null })),
    )
    file.errors.push({ row, column: null, message })
  }
  file.errors.sort((one, other) => one.row - other.row)
  return {
    ...file,
    ...(notRead.length > 0 && { notRead }),
    ...(placeholders.length > 0 && { placeholders }),
  }
}

const missingHead = (row: number, column: RollColumn): RollError => ({
  row,
  column,
  message: `The file has no column "${column}"`,
})

/** One line each, without spreadsheet decoration. */
const cellsOf = (cells: readonly string[], { columns, student, guardian }: Places): Cells => {
  const at = (place: number | undefined) => (place === undefined ? '' : plain(cells[place] ?? ''))
  const name = (parts: Places['student']) =>
    nameOf({ whole: at(parts.whole), first: at(parts.first), other: at(parts.other), last: at(parts.last) })
  return {
    ...(Object.fromEntries(Object.entries(columns).map(([column, place]) => [column, at(place)])) as Cells),
    ...(Object.keys(student).length > 0 && { student: name(student) }),
    ...(Object.keys(guardian).length > 0 && { guardian: name(guardian) }),
  }
}

const plain = (text: string): string =>
  text
    .replace(/^="([^"&]*)"$/, '$1')
    .replace(/^'/, '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()

const nameOf = ({
  whole,
  first,
  other,
  last,
}: Record<'whole' | 'first' | 'other' | 'last', string>): string => {
  const known = new Set(whole.split(' ').map(foldedName))
  const isMore = (part: string) =>
    part !== '' && !part.split(' ').every((word) => known.has(foldedName(word)))
  return [...[first].filter(isMore), whole, ...[other, last].filter(isMore)].filter(Boolean).join(' ')
}

type Taken = readonly ['email' | 'phone' | 'guardian', string]

/** Empties placeholders; a guardian's are reported. */
const withoutPlaceholders = (given: Cells): { read: Cells; taken: Taken[] } => {
  const read = { ...given }
  const taken: Taken[] = []
  for (const column of ['admissionNumber', 'student', 'class'] as const)
    if (read[column] && !isSpreadsheetError(read[column]) && isPlaceholder(read[column])) read[column] = ''
  const isNone = { guardian: isPlaceholder, email: isPlaceholderEmail, phone: isPlaceholderPhone }
  for (const column of ['guardian', 'email', 'phone'] as const) {
    const value = read[column]
    if (!value || isSpreadsheetError(value) || !isNone[column](value)) continue
    read[column] = ''
    taken.push([column, value])
  }
  if (read.admissionNumber !== undefined)
    read.admissionNumber = read.admissionNumber
      .replace(/^(\d+)[.,]0+$/, '$1')
      .replace(/^\d{1,3}(,\d{3})+$/, (number) => number.replaceAll(',', ''))
      .replace(/^0+$/, '')
  return { read, taken }
}

type Wrong = readonly [RollColumn, string]

const wrongCells = (read: Cells): Wrong[] => {
  const strange = strangeCells(read)
  if (strange.length > 0) return strange
  const { student = '', grade = '', admissionNumber = '', guardian = '', email = '', phone = '' } = read
  return [
    ...nameIsWrong('student', student, 'The name of the child is missing'),
    ...(gradeOf(grade) === null ? [['grade', gradeMessage(grade)] as const] : []),
    ...tooLong('class', read.class ?? '', 20),
    ...tooLong('admissionNumber', admissionNumber, 40),
    ...(shortened.test(admissionNumber)
      ? [['admissionNumber', `A spreadsheet has shortened the number to ${admissionNumber}`] as const]
      : []),
    ...(guardian === '' ? [] : nameIsWrong('guardian', guardian, '')),
    ...(optionalEmail.safeParse(email).success
      ? []
      : [['email', `${short(email)} is no email address`] as const]),
    ...(phone === '' || phoneIn(phone) ? [] : [['phone', `${short(phone)} is not a phone number`] as const]),
  ]
}

const strangeCells = (read: Cells): Wrong[] => {
  const cells = Object.entries(read) as [RollColumn, string][]
  const total = cells.find(
    ([column, text]) =>
      (column !== 'guardian' && isTotal(text)) || (column === 'student' && isCountOfChildren(text)),
  )
  if (total) return [[total[0], `${short(total[1])} is a total, not a child`]]
  return cells.flatMap(([column, text]): Wrong[] => {
    if (isSpreadsheetError(text)) return [[column, `${short(text)} is a spreadsheet error`]]
    return isFormula(text) ? [[column, `${short(text)} is a formula. Save the file with its values`]] : []
  })
}

const shortened = /^\d([.,]\d+)?E\+?\d+$/i
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)} …` : text)

const nameIsWrong = (column: RollColumn, name: string, missing: string): Wrong[] => {
  const { error } = personName(missing).safeParse(name)
  if (error) return [[column, error.issues[0]!.message]]
  return isNoName(name) ? [[column, `${short(name)} is not a name`]] : []
}

const tooLong = (column: RollColumn, text: string, most: number): Wrong[] =>
  text.length > most ? [[column, `${short(text)} has more than ${most} characters`]] : []

const gradeMessage = (grade: string): string =>
  grade === '' ? 'The grade is missing' : `${short(grade)} is no grade: write ELC, K or 1 to 12`

/** `Grade 3`, `gr. 03`, `3.0` and `3` are 3; null for none. */
const gradeOf = (text: string): string | null => {
  const bare = text
    .toUpperCase()
    .replace(/^(GRADE|GR\.?|G) ?(?=\d)/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^(\d+)\.0+$/, '$1')
  return gradeNames.find((grade) => grade === bare) ?? null
}

export const numberKey = (admissionNumber: string): string => admissionNumber.toUpperCase()

/** Ignores leading zeros, which spreadsheets remove. */
export const looseNumberKey = (admissionNumber: string): string =>
  /^\d+$/.test(admissionNumber) ? admissionNumber.replace(/^0+(?=\d)/, '') : numberKey(admissionNumber)

const numbersTwice = (numbers: readonly string[]): Set<string> => {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const number of numbers) (seen.has(numberKey(number)) ? twice : seen).add(numberKey(number))
  return twice
}

const takenNumber = ({ admissionNumber = '' }: Cells, twice: ReadonlySet<string>): Wrong[] =>
  admissionNumber !== '' && twice.has(numberKey(admissionNumber))
    ? [['admissionNumber', `${short(admissionNumber)} is in several rows`]]
    : []

/** Equal rows without numbers are ambiguous. */
const sameAgain = (read: Cells, row: number, seen: Map<string, number>): Wrong[] => {
  if (read.admissionNumber || !read.student) return []
  const key = `${childKey(read.student, gradeOf(read.grade ?? '') ?? '')}/${read.class ?? ''}`
  const before = seen.get(key)
  if (before !== undefined) return [['student', `The same child is in row ${before}`]]
  seen.set(key, row)
  return []
}

export const childKey = (name: string, grade: string): string => `${foldedName(name)}/${grade}`

const lineOf = (row: number, read: Cells): RollLine => ({
  row,
  name: read.student!,
  grade: gradeOf(read.grade!)!,
  admissionNumber: read.admissionNumber || null,
  ...(read.class !== undefined && { class: read.class || null }),
  ...(read.guardian !== undefined && { guardian: read.guardian || null }),
  ...(read.email !== undefined && { email: read.email.toLowerCase() || null }),
  ...(read.phone !== undefined && { phone: read.phone ? phoneIn(read.phone) : null }),
})
