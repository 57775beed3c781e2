import type { RollRowState } from '#contracts/roll-import'
import { foldedName } from '#kernel/folded-name'
import type { Student } from '#modules/identity/published'
import { childKey, looseNumberKey, numberKey, type RollFile, type RollLine } from './roll-file.decide'

/** A child as it is on the roll, or only on an account. */
export type RollChild = Student & {
  guardianName: string | null
  guardianEmail: string | null
  guardianPhone: string | null
  onRollSince: Date | null
  leftAt: Date | null
}

/** What a row makes of a child; what is undefined stays as it is. */
export type ChildValues = Pick<RollChild, 'name' | 'grade'> &
  Partial<Pick<RollChild, 'class' | 'admissionNumber' | 'guardianName' | 'guardianEmail' | 'guardianPhone'>>

/** `child`: whom a `changed` or `same` row is; `candidates`: whom a `matched` one may be. */
export type PlannedRow = {
  line: RollLine
  state: RollRowState
  child: RollChild | null
  candidates: readonly RollChild[]
}

/** `leaving`: those on the roll whom the file does not name; `size`: how many are on the roll now. */
export type RollPlan = { rows: PlannedRow[]; leaving: RollChild[]; size: number }

const maxCandidates = 20

/**
 * What a file would do to the roll (families.md section 4). A row is the child with its number, written with leading zeros or
 * without where that is one child alone. The office decides (`matched`) where a number would give a child quite another name, and
 * where a row whose number is unknown or missing has name and grade of a child without number, or of one about to leave. Who was
 * never on the roll, or is named in a row that cannot be read, does not leave; nor does anybody by a file without a good row.
 */
export const planOfRoll = (
  { lines, unread }: Pick<RollFile, 'lines' | 'unread'>,
  roll: readonly RollChild[],
): RollPlan => {
  const owners = ownersOf(lines, roll)
  const named = new Set([...owners.values()].map(({ id }) => id))
  const staying = notLeaving(unread)
  const alike = new Map<string, RollChild[]>()
  for (const child of roll) {
    const isLeaving = isOnRoll(child) && !named.has(child.id) && !staying(child)
    if (child.admissionNumber !== null && !isLeaving) continue
    for (const key of childKeys(child.name, child.grade)) addTo(alike, key, child)
  }
  const rows = lines.map((line): PlannedRow => {
    const own = owners.get(line)
    const others = childKeys(line.name, line.grade).flatMap((key) => alike.get(key) ?? [])
    if (own && isNameOf(own.name, line.name)) return plannedFor(line, own)
    const candidates = [...new Set([...(own ? [own] : []), ...others])].slice(0, maxCandidates)
    return { line, state: candidates.length > 0 ? 'matched' : 'new', child: null, candidates }
  })
  return { rows, leaving: leavingOf(rows, staying, roll), size: roll.filter(isOnRoll).length }
}

/** By the lines with a number the children that have it. */
const ownersOf = (lines: readonly RollLine[], roll: readonly RollChild[]): Map<RollLine, RollChild> => {
  const exact = new Map<string, RollChild>()
  const loose = new Map<string, RollChild[]>()
  for (const child of roll) {
    if (child.admissionNumber === null) continue
    exact.set(numberKey(child.admissionNumber), child)
    addTo(loose, looseNumberKey(child.admissionNumber), child)
  }
  const asked = new Map<string, RollLine[]>()
  for (const line of lines)
    if (line.admissionNumber !== null) addTo(asked, looseNumberKey(line.admissionNumber), line)
  const owners = new Map<RollLine, RollChild>()
  for (const [key, own] of asked)
    for (const line of own) {
      const found = loose.get(key) ?? []
      const only = own.length === 1 && found.length === 1 ? found[0] : undefined
      const owner = exact.get(numberKey(line.admissionNumber!)) ?? only
      if (owner) owners.set(line, owner)
    }
  return owners
}

/** How a child is found by name and grade: in one word, and by its words in any order. */
const childKeys = (name: string, grade: string): string[] => [
  ...new Set([childKey(name, grade), `${wordsOf(name).toSorted().join(' ')}/${grade}`]),
]

const wordsOf = (name: string): string[] =>
  name
    .split(/[\s,\p{Pd}]+/u)
    .map(foldedName)
    .filter(Boolean)

/** Whether two names may be one child's: the same words in any order, one with more of them, or the same first word. */
const isNameOf = (one: string, other: string): boolean => {
  if (foldedName(one) === foldedName(other)) return true
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const within = (some: string[], all: string[]) =>
    some.every((word) => all.some((known) => isWord(word, known)))
  return within(words, others) || within(others, words) || isWord(words[0] ?? '', others[0] ?? '')
}

const fewestLetters = 3

/** The same word, the beginning of a longer one, or one with a letter mistyped. */
const isWord = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < fewestLetters) return short === long
  if (long.startsWith(short)) return true
  if (short.length <= fewestLetters || long.length - short.length > 1) return false
  let begin = 0
  while (begin < short.length && short[begin] === long[begin]) begin += 1
  const rest = long.length === short.length ? begin + 1 : begin
  return short.slice(rest) === long.slice(begin + 1)
}

const addTo = <Value>(map: Map<string, Value[]>, key: string, value: Value): void => {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

/** The school's own list has it, and it is at the school. */
export const isOnRoll = ({ onRollSince, leftAt }: RollChild): boolean =>
  onRollSince !== null && leftAt === null

const plannedFor = (line: RollLine, child: RollChild): PlannedRow => ({
  line,
  state: isOnRoll(child) && isSame(valuesFor(line, child), child) ? 'same' : 'changed',
  child,
  candidates: [],
})

const isSame = (values: ChildValues, child: RollChild): boolean =>
  Object.entries(values).every(([key, value]) => child[key as keyof ChildValues] === value)

/** What a row says of a child; of the guardian of a child that an account has the roll keeps nothing. */
export const valuesOf = (line: RollLine, isClaimed: boolean): ChildValues => {
  const { name, grade, admissionNumber, guardian, email, phone } = line
  return {
    name,
    grade,
    ...(admissionNumber !== null && { admissionNumber }),
    ...(line.class !== undefined && { class: line.class }),
    ...(!isClaimed && guardian !== undefined && { guardianName: guardian }),
    ...(!isClaimed && email !== undefined && { guardianEmail: email }),
    ...(!isClaimed && phone !== undefined && { guardianPhone: phone }),
  }
}

/** What a row makes of this child. Of two writings of a number that one is kept which has its zeros. */
export const valuesFor = (line: RollLine, child: RollChild): ChildValues => {
  const values = valuesOf(line, child.userId !== null)
  const [old, given] = [child.admissionNumber, line.admissionNumber]
  const isOwn = old !== null && given !== null && looseNumberKey(old) === looseNumberKey(given)
  return isOwn && old.length > given.length ? { ...values, admissionNumber: old } : values
}

/** Whether a row that cannot be read names this child. */
const notLeaving = (unread: RollFile['unread']) => {
  const numbers = new Set(
    unread.flatMap(({ admissionNumber: number }) => (number ? looseNumberKey(number) : [])),
  )
  const names = new Set(unread.flatMap(({ name }) => (name ? childKeys(name, '') : [])))
  return ({ admissionNumber, name }: RollChild): boolean =>
    (admissionNumber !== null && numbers.has(looseNumberKey(admissionNumber))) ||
    childKeys(name, '').some((key) => names.has(key))
}

const leavingOf = (
  rows: readonly PlannedRow[],
  staying: (child: RollChild) => boolean,
  roll: readonly RollChild[],
): RollChild[] => {
  if (rows.length === 0) return []
  const named = new Set(
    rows.flatMap(({ child, candidates }) => [child, ...candidates]).flatMap((child) => child?.id ?? []),
  )
  return roll.filter((child) => isOnRoll(child) && !named.has(child.id) && !staying(child))
}
