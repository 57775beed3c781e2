import type { RollColumn } from '#contracts/roll-import'
import { internationalPhone, normalizedPhone } from '#kernel/phone-number'
import { foldedName } from '#kernel/folded-name'

type NamePart = 'whole' | 'first' | 'other' | 'last'

export type Places = {
  columns: Partial<Record<Exclude<RollColumn, 'student' | 'guardian'>, number>>
  student: Partial<Record<NamePart, number>>
  guardian: Partial<Record<NamePart, number>>
}

const heads = {
  admissionNumber:
    'admissionnumber admissionno admissionnum admno admnumber admission studentnumber studentno studentid pupilnumber pupilno learnernumber learnerno regno registrationnumber registrationno',
  grade: 'grade gradelevel gradename',
  class: 'class stream classname classroom',
  email: 'email emailaddress mail emails',
  phone:
    'phone phonenumber phoneno phones mobile mobilenumber mobileno mobilephone cell cellnumber cellno cellphone telephone telephonenumber tel telno telnumber contact contactnumber contactno',
} as const

const nameParts: Record<NamePart, string> = {
  whole: 'name names fullname fullnames nom noms nombre nombres nome nomes naam',
  first:
    'firstname firstnames givenname givennames forename forenames christianname first fname prenom prenoms vorname vornamen voornaam',
  other: 'othername othernames middlename middlenames secondname secondnames secondsurname',
  last: 'surname surnames firstsurname lastname lastnames familyname familynames last lname sname nachname familienname apellido apellidos apelido apelidos sobrenome achternaam',
}

const studentWords = 'student students pupil pupils learner learners child childs'
const guardianWords = 'guardian guardians parent parents parentguardian parentorguardian'

const isOf = (words: string, head: string): boolean => words.split(' ').includes(head)

const bareHead = (head: string): string =>
  head
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')

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

/** `Surname and first name`, `Name (last name first)`. */
const severalParts =
  /^(?=.*(sur|last|family))((sur|last|family|first|given|fore|other|middle)?names?|first|last|initials?|and)+$/

const partOf = (rests: readonly string[]): NamePart | null => {
  if (rests.includes('')) return 'whole'
  const parts = Object.keys(nameParts) as NamePart[]
  return (
    parts.find((part) => rests.some((rest) => isOf(nameParts[part], rest))) ??
    (rests.some((rest) => severalParts.test(rest)) ? 'whole' : null)
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

/** `notRead`: unknown heads. */
export const placesOf = (cells: readonly string[]): { places: Places; notRead: string[] } => {
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

export const missingColumns = ({ columns, student }: Places): RollColumn[] => [
  ...(Object.keys(student).length === 0 ? (['student'] as const) : []),
  ...(columns.grade === undefined ? (['grade'] as const) : []),
]

/** `#N/A`, `#REF!`, `#DIV/0!`, `#NV`, `Err:502`, `########`. */
export const isSpreadsheetError = (text: string): boolean =>
  /^#(n\/a|ref|name|value|div\/0|null|num|spill|calc|getting_data|error|field|blocked|unknown|busy|connect|python)\b[!?]?/i.test(
    text,
  ) ||
  /^#+$|^#[¡\p{Lu}_/0]*[!?]?$/u.test(text) ||
  /^err: ?\d+$/i.test(text)

/** `=B2&" "&C2`, `@A1`, `+B2`. */
export const isFormula = (text: string): boolean => /^(\{?=|@|[+-] ?[A-Za-z$]+[$\d(])/.test(text)

const counted =
  'pupil pupils student students child children learner learners boy boys girl girls number no of in for the all count enrolled enrolment enrollment school class grade roll'.split(
    ' ',
  )
const sums = 'total totals subtotal subtotals sum count average headcount'.split(' ')

/** `Total pupils`, `Grand total: 45`, `Class total`, `Number of pupils`. */
export const isTotal = (text: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const rest = words.filter((word) => word !== 'grand' && word !== 'sub' && word !== 'overall')
  const isCount = /^(number|no) of/.test(rest.join(' '))
  return (
    (isCount || rest.some((word) => sums.includes(word))) &&
    rest.every((word) => sums.includes(word) || counted.includes(word))
  )
}

/** `45 pupils`, `Boys: 20`. */
export const isCountOfChildren = (text: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const isOfMany = words.some((word) => word.endsWith('s') || word === 'children')
  return isOfMany && words.every((word) => counted.includes(word)) && /\d/.test(text)
}

const footers =
  /^(printed|generated|prepared|compiled|checked|approved|signed|exported|downloaded) (on|by|from)\b|^signature|^page \d|\bend of\b|^(student|pupil|learner|child|true|false)( ?name)?s?$|^names?$/i

/** `Page 1 of 3`, `Class teacher: …`, repeated headings. */
export const isNoName = (text: string): boolean =>
  !/\p{L}/u.test(text) ||
  /[:=<>@]|__/.test(text) ||
  footers.test(text.replaceAll(/^[^\p{L}]+|[^\p{L}\d]+$/gu, ''))

const separators = /[/,;|&\n]|\b(?:or|and)\b/i

/** As written: the first plausible one, without a spreadsheet's `.0`. Short local numbers are kept. Null for none. */
export const phoneIn = (cell: string): string | null => {
  const text = normalizedPhone(cell)
  const all = [text, ...text.split(separators), ...text.split(/ (?=\+|0\d{2})/)].map((part) =>
    part.trim().replace(/^(\+?\d+)\.0+$/, '$1'),
  )
  const plausible = all.find((part) => internationalPhone(part) !== null && !isPlaceholderPhone(part))
  if (plausible !== undefined) return plausible
  const beside = amongWords(text)
  if (beside !== undefined) return beside
  return /^[+\d][\d ()./-]*$/.test(text) && isLocal(text.replaceAll(/\D/g, '')) ? text : null
}

/** The number in `0977 123 456 (mother)`. */
const amongWords = (text: string): string | undefined =>
  /\d[eE][+-]?\d/.test(text)
    ? undefined
    : text
        .match(/(?<![\p{L}\d.])[+(]*\d[\d ()./-]*\d(?![\p{L}\d])/gu)
        ?.find((part) => internationalPhone(part) !== null && !isPlaceholderPhone(part))

const isLocal = (digits: string): boolean => digits.length >= 6 && digits.length <= 15

const noWords = new Set(
  (
    'na none nil nill null no unknown undefined nan missing blank empty pending tba tbc tbd test testing dummy fake sample example ' +
    'notavailable notapplicable notgiven notprovided notknown noemail nomail nophone nonumber nocontact noname noreply donotreply ' +
    'nobody noone noaddress donthave dontknow anonymous placeholder'
  ).split(' '),
)

const bare = (text: string): string => foldedName(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** `n/a`, `-`, `nil`, `xxx`. */
export const isPlaceholder = (text: string): boolean => {
  const word = bare(text)
  return text !== '' && (word === '' || noWords.has(word) || /^xx+$/.test(word))
}

/** `none@none.com`, `test@test.com`, `a@a.a`. */
export const isPlaceholderEmail = (email: string): boolean => {
  if (isPlaceholder(email)) return true
  const [local = '', domain = ''] = email.split('@')
  if (domain === '') return false
  const [label = ''] = domain.split('.')
  const words = new Set([
    'none',
    'noemail',
    'nomail',
    'unknown',
    'nil',
    'null',
    'na',
    'invalid',
    'dummy',
    'fake',
    'test',
    'nowhere',
    'noaddress',
  ])
  const word = bare(local).replace(/(?<=\p{L}{4})\d+$/u, '')
  return (
    isPlaceholder(local) ||
    isPlaceholder(word) ||
    words.has(bare(label)) ||
    bare(local) === bare(label) ||
    /^(\w)\1+$/.test(local)
  )
}

/** `0000000000`, `0999999999`, `123456789`, `n/a`. */
export const isPlaceholderPhone = (phone: string): boolean => {
  if (isPlaceholder(phone)) return true
  if (/\p{L}/u.test(phone)) return false
  const digits = (internationalPhone(phone) ?? phone).replaceAll(/\D/g, '').replace(/^260(?=\d{9}$)/, '')
  return /^(\d)\1*$/.test(digits) || /(\d)\1{6}$/.test(digits) || isSequence(digits)
}

const isSequence = (digits: string): boolean =>
  digits.length >= 6 && ['01234567890', '09876543210'].some((sequence) => sequence.includes(digits))

const roles = new Set(
  'mother father mum mom mummy dad daddy parent parents guardian aunt auntie uncle grandmother grandfather granny brother sister'.split(
    ' ',
  ),
)

/** A placeholder, or a role such as "mother". */
export const isUnnamed = (guardian: string): boolean => isPlaceholder(guardian) || roles.has(bare(guardian))
