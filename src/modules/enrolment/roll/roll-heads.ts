import type { RollColumn } from '#contracts/roll-import'

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

const bare = (head: string): string =>
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
  const hasNumber = cells.some((cell) => isOf(heads.admissionNumber, bare(cell)))
  for (const [index, cell] of cells.entries()) {
    const head = bare(cell)
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
