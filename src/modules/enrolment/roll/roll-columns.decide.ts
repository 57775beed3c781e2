import { rollMapping, type RollColumn, type RollMapping } from '#contracts/roll-import'
import { indexOfHead } from '#kernel/csv-headers'
import {
  guessColumns,
  holdsIds,
  holdsNames,
  holdsPhones,
  mostly,
  type ColumnRule,
} from '#kernel/guess-columns'
import { gradeOf, plain } from './roll-cells'

type NamePart = 'whole' | 'first' | 'other' | 'last'

export type Places = {
  columns: Partial<Record<Exclude<RollColumn, 'student' | 'guardian'>, number>>
  student: Partial<Record<NamePart, number>>
  guardian: Partial<Record<NamePart, number>>
}

const heads = {
  admissionNumber:
    'admissionnumber admissionno admissionnum admno admnumber admission studentnumber studentno studentid pupilnumber pupilno learnernumber learnerno regno registrationnumber registrationno',
  grade:
    'grade grades gradelevel gradename gradeclass classgrade gradeorclass classorgrade gradeandclass classandgrade gradeform formgrade',
  class:
    'class stream classname classroom form formname formclass formgroup reggroup registrationgroup tutorgroup homeroom',
  email: 'email emailaddress mail emails',
  phone:
    'phone phonenumber phoneno phones mobile mobilenumber mobileno mobilephone cell cellnumber cellno cellphone telephone telephonenumber tel telno telnumber contact contactnumber contactno',
  bursary: 'bursary bursaries bursarypercent bursarypercentage',
  sponsor: 'sponsor sponsors sponsoredby sponsorname',
} as const

const nameParts: Record<NamePart, string> = {
  whole: 'name names fullname fullnames nom noms nombre nombres nome nomes naam',
  first:
    'firstname firstnames givenname givennames forename forenames christianname first fname prenom prenoms vorname vornamen voornaam',
  other: 'othername othernames middlename middlenames secondname secondnames secondsurname',
  last: 'surname surnames firstsurname lastname lastnames familyname familynames last lname sname nachname familienname apellido apellidos apelido apelidos sobrenome achternaam',
}

export const studentWords = 'student students pupil pupils learner learners child childs'
const guardianWords = 'guardian guardians parent parents parentguardian parentorguardian'

const isOf = (words: string, head: string): boolean => words.split(' ').includes(head)

/** Without what a register writes before a name: `Legal Forename`. */
export const bareHead = (head: string): string =>
  head
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
    .replace(/^legal(?=.)/, '')

/** `Guardian's phone` → `phone`, `Name of pupil` → `name`; empty for another person's. */
const withoutWhose = (head: string, words: string): string[] =>
  words
    .split(' ')
    .flatMap((word) => [
      ...(head.startsWith(word) ? [head.slice(word.length)] : []),
      ...['of', 'ofthe'].flatMap((of) =>
        head.endsWith(of + word) ? [head.slice(0, -(of + word).length)] : [],
      ),
    ])

const lastParts = ['surname', 'lastname', 'familyname', 'last']
const partWords = [
  ...lastParts,
  'firstname',
  'givenname',
  'forename',
  'othername',
  'middlename',
  'name',
  'first',
  'initial',
  'and',
  's',
]

/** `Surname and first name`, `Name (last name first)`. */
const isSeveralParts = (head: string): boolean => {
  let rest = head
  const begins = (word: string) => rest.startsWith(word)
  for (let word = partWords.find(begins); word !== undefined; word = partWords.find(begins))
    rest = rest.slice(word.length)
  return head !== '' && rest === '' && lastParts.some((word) => head.includes(word))
}

const partOf = (rests: readonly string[]): NamePart | null => {
  if (rests.includes('')) return 'whole'
  const parts = Object.keys(nameParts) as NamePart[]
  return (
    parts.find((part) => rests.some((rest) => isOf(nameParts[part], rest))) ??
    (rests.some(isSeveralParts) ? 'whole' : null)
  )
}

type Whose = { ofGuardian: readonly string[]; ofStudent: readonly string[]; hasNumber: boolean }

/** Prefers the school's number: a bare `Number` may count rows. */
const columnOf = (
  head: string,
  { ofGuardian, ofStudent, hasNumber }: Whose,
): keyof Places['columns'] | null => {
  if (head === 'number') return hasNumber ? null : 'admissionNumber'
  const names = Object.keys(heads) as (keyof typeof heads)[]
  const isIts = (name: keyof typeof heads) => {
    const ofWhom = name === 'email' || name === 'phone' ? ofGuardian : ofStudent
    return [head, ...ofWhom].some((word) => isOf(heads[name], word))
  }
  return names.find(isIts) ?? null
}

const placesOf = (cells: readonly string[]): Found => {
  const places: Places = { columns: {}, student: {}, guardian: {} }
  const notRead: string[] = []
  const hasNumber = cells.some((cell) => isOf(heads.admissionNumber, bareHead(cell)))
  for (const [index, cell] of cells.entries()) {
    const head = bareHead(cell)
    const free = <Key extends string>(record: Partial<Record<Key, number>>, key: Key | null | undefined) => {
      if (key === null || key === undefined || record[key] !== undefined) return false
      record[key] = index
      return true
    }
    const ofGuardian = withoutWhose(head, guardianWords)
    const ofStudent = withoutWhose(head, studentWords)
    const column = columnOf(head, { ofGuardian, ofStudent, hasNumber })
    const isRead =
      free(places.columns, column) ||
      free(places.guardian, partOf(ofGuardian)) ||
      (ofGuardian.length === 0 && free(places.student, partOf(head === '' ? [] : [head, ...ofStudent])))
    if (!isRead) notRead.push(cell)
  }
  return { places, notRead }
}

const mappedPlaces = (
  heads: readonly string[],
  { student, firstName, otherNames, lastName, guardian, ...columns }: RollMapping,
): Found => {
  const placesBy = <Key extends string>(named: { [K in Key]?: string | undefined }) =>
    Object.fromEntries(
      Object.entries<string | undefined>(named).flatMap(([key, head]) =>
        head === undefined ? [] : [[key, indexOfHead(heads, head)]],
      ),
    ) as Partial<Record<Key, number>>
  const places = {
    columns: placesBy(columns),
    student: placesBy({ whole: student, first: firstName, other: otherNames, last: lastName }),
    guardian: placesBy({ whole: guardian }),
  }
  const read = new Set(Object.values(places).flatMap((one) => Object.values(one)))
  return { places, notRead: heads.filter((_head, place) => !read.has(place)) }
}

/** The columns of names that heads tell, for a person to check. */
const mappingOf = (heads: readonly string[], { columns, student, guardian }: Places): RollMapping => {
  const { whole, first, other, last } = student
  const all = {
    ...columns,
    student: whole,
    firstName: first,
    otherNames: other,
    lastName: last,
    guardian: guardian.whole ?? guardian.last ?? guardian.first,
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([column, place]) => (place === undefined ? [] : [[column, heads[place]]])),
  )
}

/** The grade may stand in the column of the class. */
export const isRollHead = (heads: readonly string[]): boolean => {
  const { columns, student } = placesOf(heads).places
  return Object.keys(student).length > 0 && (columns.grade ?? columns.class) !== undefined
}

type Table = { heads: readonly string[]; rows: readonly { cells: readonly string[] }[] }

/** The place of a column without a head behind a name that holds names too: a heading over two columns. -1 for none. */
const secondName = ({ heads, rows }: Table, { student }: Places): number =>
  Object.values(student)
    .map((place) => place + 1)
    .find((place) => {
      const filled = rows.slice(0, looked).flatMap(({ cells }) => cells[place] || [])
      return /^Column \d+$/.test(heads[place] ?? '') && holdsNames(filled)
    }) ?? -1

type Found = { places: Places; notRead: string[] }

/** As somebody mapped them, else by the heads; null where a part of the names has no head. `notRead`: heads of no column. */
export const placesIn = (table: Table, mapping?: RollMapping): Found | null => {
  if (mapping) return mappedPlaces(table.heads, mapping)
  const found = withGrades(table)
  return secondName(table, found.places) === -1 ? found : null
}

const looked = 200

/** In other words than grades. */
const isLevel = (cell: string): boolean =>
  /^(?:form|year|yr|std|standard|level|stage|primary|secondary|junior|senior) ?\d/i.test(cell)

/** A column of classes such as `3B` says the grades of a file that has no column of them, nor of levels. */
const withGrades = ({ heads, rows }: Table): Found => {
  const found = placesOf(heads)
  const { columns } = found.places
  if (columns.grade !== undefined || columns.class === undefined) return found
  const cellsOf = (place: number) => rows.slice(0, looked).flatMap(({ cells }) => cells[place] || [])
  const filled = cellsOf(columns.class)
  if (found.notRead.some((head) => mostly(cellsOf(heads.indexOf(head)), isLevel))) return found
  // A bare number may be a form, which is no grade.
  const isClear = filled.length > 0 && filled.every((cell) => gradeOf(cell) !== null && /\p{L}/u.test(cell))
  return isClear
    ? { ...found, places: { ...found.places, columns: { ...columns, grade: columns.class } } }
    : found
}

const holdsEmails = (filled: readonly string[]) =>
  mostly(filled, (cell) => cell.includes('@') && !/\s/.test(cell))
const holdsGrades = (filled: readonly string[]) => mostly(filled, (cell) => gradeOf(plain(cell)) !== null)

const rules: readonly ColumnRule<keyof RollMapping>[] = [
  { column: 'email', head: /./, fits: holdsEmails },
  { column: 'phone', head: /./, fits: holdsPhones },
  {
    column: 'grade',
    head: /grade|class|form|year|level|standard|group/,
    fits: holdsGrades,
  },
  {
    column: 'grade',
    head: /./,
    not: /age|number|\bno\b/,
    fits: holdsGrades,
    alone: true,
  },
  { column: 'admissionNumber', head: /\b(no|number|id|code|ref)\b/, fits: holdsIds },
  {
    column: 'student',
    head: /child|pupil|student|learner|name/,
    not: /parent|guardian|mother|father|teacher/,
    fits: holdsNames,
  },
  { column: 'class', head: /class|form|stream|section|set\b/, fits: (filled) => filled.length > 0 },
]

/** What a file's columns probably are, by heads and then by first rows, for a person to check. */
export function* guessRoll(table: Table): Generator<undefined, { guess: RollMapping; isWhole: boolean }> {
  const { places } = placesOf(table.heads)
  const second = table.heads[secondName(table, places)]
  const known = { ...(second !== undefined && { lastName: second }), ...mappingOf(table.heads, places) }
  const taken = new Set(Object.values(known))
  const isNamed = (known.student ?? known.firstName ?? known.lastName) !== undefined
  const found = Object.entries(yield* guessColumns(table, rules)).filter(
    ([column, head]) => column === 'grade' || (!taken.has(head) && !(column === 'student' && isNamed)),
  )
  const guess: RollMapping = { ...Object.fromEntries(found), ...known }
  return { guess, isWhole: rollMapping.safeParse(guess).success }
}
