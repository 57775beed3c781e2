import { optionalEmail } from '#contracts/account-fields'
import type { LeftOutRow } from '#contracts/csv'
import { personName } from '#contracts/endpoint'
import { maxSponsor } from '#contracts/order-reports'
import type { RollColumn, RollError, RollMapping, RollPlaceholder } from '#contracts/roll-import'
import { classNamed } from '#kernel/class-name'
import { reasonLeftOut } from '#kernel/csv-headers'
import { cutText } from '#kernel/cut-text'
import { foldedName } from '#kernel/folded-name'
import {
  isPlaceholder,
  isPlaceholderEmail,
  isPlaceholderPhone,
  isCountOfChildren,
  isFormula,
  isNoName,
  isSpreadsheetError,
  isTotal,
  gradeOf,
  phoneIn,
  plain,
} from './roll-cells'
import { placesIn, type Places } from './roll-columns.decide'
import { statusIn } from './roll-status.decide'

export type RollLine = {
  row: number
  name: string
  grade: string
  admissionNumber: string | null
  class?: string | null | undefined
  guardian?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  bursary?: number
  sponsor?: string
}

/** Named in an unreadable row: has not left. */
type Named = { name: string | null; admissionNumber: string | null }

/** Each row stands once in `lines`, `errors` or `leftOut`. `notRead`: unknown heads; `placeholders`: values read as none. */
export type RollFile = {
  lines: RollLine[]
  errors: RollError[]
  unread: Named[]
  leftOut?: LeftOutRow[]
  notRead?: string[]
  placeholders?: RollPlaceholder[]
  notes?: string[]
}

type Table = {
  row: number
  heads: readonly string[]
  rows: readonly { row: number; cells: readonly string[] }[]
  errors: readonly { row: number; cells: readonly string[]; message: string }[]
}

type Cells = Partial<Record<RollColumn, string>>

/** As mapped, else by its heads; null without a column of names or grades. */
export const readRoll = (table: Table, mapping?: RollMapping): RollFile | null => {
  const found = placesIn(table, mapping)
  if (found === null) return null
  const { places, notRead } = found
  if (Object.keys(places.student).length === 0 || places.columns.grade === undefined) return null
  const file: RollFile & { leftOut: LeftOutRow[] } = { lines: [], errors: [], unread: [], leftOut: [] }
  const placeholders: RollPlaceholder[] = []
  const { noPupil, notes } = statusIn(table)
  const rows = pupilsOf(table, { places, noPupil }, file).map(({ row, given }) => ({
    row,
    ...withoutPlaceholders(given),
  }))
  const seen = new Map<string, number>()
  const twice = numbersTwice(rows.map(({ read }) => read.admissionNumber ?? ''))
  for (const { row, read, taken } of rows) {
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
  const { leftOut, ...read } = file
  return {
    ...read,
    errors: file.errors.toSorted((one, other) => one.row - other.row),
    ...(leftOut.length > 0 && { leftOut }),
    ...(notRead.length > 0 && { notRead }),
    ...(placeholders.length > 0 && { placeholders }),
    ...(notes.length > 0 && { notes }),
  }
}

/** Without those that are left out, or whose role or status says that they are no pupil: who has withdrawn may leave. */
const pupilsOf = (
  { heads, rows }: Table,
  { places, noPupil }: { places: Places; noPupil: ReturnType<typeof statusIn>['noPupil'] },
  file: { errors: RollError[]; leftOut: LeftOutRow[] },
): { row: number; given: Cells }[] => {
  return rows.flatMap(({ row, cells }) => {
    const given = cellsOf(cells, places)
    const who = noPupil(cells)
    const reason = reasonLeftOut({ heads, cells, read: Object.values(given) })
    if (reason === null && who === null) return [{ row, given }]
    if (reason !== null) file.leftOut.push({ row, reason, amount: null })
    else file.errors.push({ row, column: null, message: `${short(who!)}: this is no pupil` })
    return []
  })
}

/** One line each, without spreadsheet decoration. */
const cellsOf = (cells: readonly string[], { columns, student, guardian }: Places): Cells => {
  const at = (place: number | undefined) => (place === undefined ? '' : plain(cells[place] ?? ''))
  const name = (parts: Places['student']) =>
    nameOf({ whole: at(parts.whole), first: at(parts.first), other: at(parts.other), last: at(parts.last) })
  const read = Object.fromEntries(
    Object.entries(columns).map(([column, place]) => [column, at(place)]),
  ) as Cells
  return {
    ...read,
    ...(columns.class === undefined && classInGrade.test(read.grade ?? '') && { class: read.grade! }),
    ...(Object.keys(student).length > 0 && { student: name(student) }),
    ...(Object.keys(guardian).length > 0 && { guardian: name(guardian) }),
  }
}

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
  for (const column of ['admissionNumber', 'student', 'class', 'bursary', 'sponsor'] as const)
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
      .replace(/^\d{1,3}(,\d{3})+$/, (number) => number.replaceAll(',', ''))
      .replace(/^(\d+)[.,]0{1,2}$/, '$1')
      .replace(/^0+$/, '')
  return { read, taken }
}

type Wrong = readonly [RollColumn, string]

const wrongCells = (read: Cells): Wrong[] => {
  const strange = strangeCells(read)
  if (strange.length > 0) return strange
  const {
    student = '',
    grade = '',
    admissionNumber = '',
    guardian = '',
    email = '',
    phone = '',
    bursary = '',
  } = read
  return [
    ...nameIsWrong('student', student, 'The name of the child is missing'),
    ...(gradeOf(grade) === null ? [['grade', gradeMessage(grade)] as const] : []),
    ...tooLong('class', read.class ?? '', 20),
    ...tooLong('admissionNumber', admissionNumber, 40),
    ...(shortened.test(admissionNumber)
      ? [['admissionNumber', `A spreadsheet has shortened the number to ${admissionNumber}`] as const]
      : []),
    ...(bursary === '' || bursaryIn(bursary) !== null
      ? []
      : [['bursary', `${short(bursary)} is no bursary: write a whole number from 0 to 100`] as const]),
    ...tooLong('sponsor', read.sponsor ?? '', maxSponsor),
    ...(guardian === '' ? [] : nameIsWrong('guardian', guardian, '')),
    ...(optionalEmail.safeParse(email).success
      ? []
      : [['email', `${short(email)} is no email address`] as const]),
    ...(phone === '' || phoneIn(phone) ? [] : [['phone', `${short(phone)} is not a phone number`] as const]),
  ]
}

/** In percent: `50`, `50%`, `50.0`. */
const bursaryIn = (text: string): number | null => {
  const percent = /^(\d{1,3})(?:[.,]0+)? ?%?$/.exec(text)?.[1]
  return percent !== undefined && Number(percent) <= 100 ? Number(percent) : null
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
const short = (text: string): string => (text.length > 60 ? `${cutText(text, 60)} …` : text)

const nameIsWrong = (column: RollColumn, name: string, missing: string): Wrong[] => {
  const { error } = personName(missing).safeParse(name)
  if (error) return [[column, error.issues[0]!.message]]
  return isNoName(name) ? [[column, `${short(name)} is not a name`]] : []
}

const tooLong = (column: RollColumn, text: string, most: number): Wrong[] =>
  text.length > most ? [[column, `${short(text)} has more than ${most} characters`]] : []

const gradeMessage = (grade: string): string =>
  grade === '' ? 'The grade is missing' : `${short(grade)} is not a grade: write ELC, K or 1 to 12`

const classInGrade = /\d ?-?\p{L}$/u
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
  const key = `${childKey(read.student, gradeOf(read.grade ?? '') ?? '')}/${classNamed(read.class ?? '')}`
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
  ...(read.class !== undefined && { class: classNamed(read.class) || null }),
  ...(read.guardian !== undefined && { guardian: read.guardian || null }),
  ...(read.email !== undefined && { email: read.email.toLowerCase() || null }),
  ...(read.bursary && { bursary: bursaryIn(read.bursary)! }),
  ...(read.sponsor && { sponsor: read.sponsor }),
  ...(read.phone !== undefined && { phone: read.phone ? phoneIn(read.phone) : null }),
})
