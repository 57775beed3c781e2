import { gradeNames, optionalEmail } from '#contracts/identity'
import { personName } from '#contracts/endpoint'
import { rollColumns, type RollColumn, type RollError } from '#contracts/roll-import'

/** A child as a row of the school's list has it; a column that the list does not have is undefined, an empty cell null. */
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

/** Whom a row names that cannot be read: who is named has not left. */
type Named = { name: string | null; admissionNumber: string | null }

export type RollFile = { lines: RollLine[]; errors: RollError[]; unread: Named[] }

type Line = { row: number; cells: readonly string[] }
type Cells = Partial<Record<RollColumn, string>>

/** What a head may say, without regard to case, blanks and dots. */
const headsOfColumns: Record<RollColumn, readonly string[]> = {
  admissionNumber: ['admissionnumber', 'admissionno', 'admno', 'admission', 'number', 'studentnumber'],
  student: ['student', 'studentname', 'name', 'child', 'pupil', 'learner', 'fullname'],
  grade: ['grade'],
  class: ['class', 'stream'],
  guardian: ['guardian', 'guardianname', 'parent', 'parentname'],
  email: ['email', 'emailaddress', 'mail'],
  phone: ['phone', 'phonenumber', 'mobile', 'cell', 'telephone'],
}

/** Reads the lines of a list, the head first. A row that is wrong in anything is left out, with what is wrong in it. */
export const readRoll = ([head, ...lines]: readonly Line[]): RollFile => {
  const places = placesOf(head?.cells ?? [])
  const missing = (['student', 'grade'] as const).filter((column) => places[column] === undefined)
  if (missing.length > 0)
    return { lines: [], errors: missing.map((column) => missingHead(column)), unread: [] }
  const file: RollFile = { lines: [], errors: [], unread: [] }
  const seen = new Map<string, number>()
  const twice = numbersTwice(lines.map(({ cells }) => cellsOf(cells, places).admissionNumber ?? ''))
  for (const { row, cells } of lines) {
    const read = cellsOf(cells, places)
    const wrong = [...wrongCells(read), ...takenNumber(read, twice), ...sameAgain(read, row, seen)]
    if (wrong.length === 0) file.lines.push(lineOf(row, read))
    else file.unread.push({ name: read.student || null, admissionNumber: read.admissionNumber || null })
    for (const [column, message] of wrong) file.errors.push({ row, column, message })
  }
  return file
}

const missingHead = (column: RollColumn): RollError => ({
  row: 1,
  column,
  message: `The file has no column "${column}"`,
})

const placesOf = (heads: readonly string[]): Partial<Record<RollColumn, number>> => {
  const plain = heads.map((head) =>
    head
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}]/gu, ''),
  )
  const found = rollColumns.map((column) => [column, firstOf(plain, headsOfColumns[column])] as const)
  return Object.fromEntries(found.filter(([, place]) => place !== -1))
}

/** Where the first of these words stands that is there at all. */
const firstOf = (heads: readonly string[], words: readonly string[]): number =>
  words.map((word) => heads.indexOf(word)).find((place) => place !== -1) ?? -1

/** The cells by their columns, on one line and without what spreadsheets put around them. */
const cellsOf = (cells: readonly string[], places: Partial<Record<RollColumn, number>>): Cells =>
  Object.fromEntries(
    Object.entries(places).map(([column, place]) => [column, plain(cells[place] ?? '')]),
  ) as Cells

const plain = (text: string): string =>
  text
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()

type Wrong = readonly [RollColumn, string]

const wrongCells = (read: Cells): Wrong[] => {
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
    ...(phone === '' || isPhone(phone) ? [] : [['phone', `${short(phone)} is no phone number`] as const]),
  ]
}

const shortened = /^\d([.,]\d+)?E\+?\d+$/i
const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)} …` : text)

const nameIsWrong = (column: RollColumn, name: string, missing: string): Wrong[] => {
  const { error } = personName(missing).safeParse(name)
  return error ? [[column, error.issues[0]!.message]] : []
}

const tooLong = (column: RollColumn, text: string, most: number): Wrong[] =>
  text.length > most ? [[column, `${short(text)} has more than ${most} characters`]] : []

const gradeMessage = (grade: string): string =>
  grade === '' ? 'The grade is missing' : `${short(grade)} is no grade: write ELC, K or 1 to 12`

/** `Grade 3`, `gr. 03` and `3` are 3; null: it is none. */
const gradeOf = (text: string): string | null => {
  const bare = text
    .toUpperCase()
    .replace(/^(GRADE|GR\.?|G) ?(?=\d)/, '')
    .replace(/^0+(?=\d)/, '')
  return gradeNames.find((grade) => grade === bare) ?? null
}

const isPhone = (text: string): boolean =>
  text.length <= 40 && /^[+\d][\d\s()./-]*$/.test(text) && text.replaceAll(/\D/g, '').length >= 6

/** A number as it is compared. */
export const numberKey = (admissionNumber: string): string => admissionNumber.toUpperCase()

const numbersTwice = (numbers: readonly string[]): Set<string> => {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const number of numbers) (seen.has(numberKey(number)) ? twice : seen).add(numberKey(number))
  return twice
}

const takenNumber = ({ admissionNumber = '' }: Cells, twice: ReadonlySet<string>): Wrong[] =>
  admissionNumber !== '' && twice.has(numberKey(admissionNumber))
    ? [['admissionNumber', `${short(admissionNumber)} stands in several rows`]]
    : []

/** Two rows without a number that say the same cannot be told apart. */
const sameAgain = (read: Cells, row: number, seen: Map<string, number>): Wrong[] => {
  if (read.admissionNumber || !read.student) return []
  const key = `${childKey(read.student, gradeOf(read.grade ?? '') ?? '')}/${read.class ?? ''}`
  const before = seen.get(key)
  if (before !== undefined) return [['student', `The same child stands in row ${before}`]]
  seen.set(key, row)
  return []
}

/** A child without a number, as it is compared. */
export const childKey = (name: string, grade: string): string =>
  `${name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()}/${grade}`

const lineOf = (row: number, read: Cells): RollLine => ({
  row,
  name: read.student!,
  grade: gradeOf(read.grade!)!,
  admissionNumber: read.admissionNumber || null,
  ...(read.class !== undefined && { class: read.class || null }),
  ...(read.guardian !== undefined && { guardian: read.guardian || null }),
  ...(read.email !== undefined && { email: read.email.toLowerCase() || null }),
  ...(read.phone !== undefined && { phone: read.phone || null }),
})
