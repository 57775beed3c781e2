import type { RollRowState } from '#contracts/roll-import'
import { foldedName } from '#kernel/folded-name'
import type { RollChild } from '#modules/identity/published'
import { childKey, looseNumberKey, numberKey, type RollFile, type RollLine } from './roll-file.decide'

export type ChildValues = Pick<RollChild, 'name' | 'grade'> &
  Partial<Pick<RollChild, 'class' | 'admissionNumber' | 'guardianName' | 'guardianEmail' | 'guardianPhone'>>

export type PlannedRow = {
  line: RollLine
  state: RollRowState
  child: RollChild | null
  candidates: readonly RollChild[]
}

export type RollPlan = { rows: PlannedRow[]; leaving: RollChild[]; size: number }

const maxCandidates = 20

/**
 * Rows match by number, with or without leading zeros (families.md section 4). `matched` rows need a decision: so does one whose number
 * renames a child while a row of no known number has that child's name. Children never on the roll or in unreadable rows do not leave, nor does anyone by a file without a good row.
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
  const renamed = renamedChildren(lines, owners)
  const rows = lines.map((line): PlannedRow => {
    const own = owners.get(line)
    const before = own ? [] : childKeys(line.name, '').flatMap((key) => renamed.get(key) ?? [])
    const others = childKeys(line.name, line.grade).flatMap((key) => alike.get(key) ?? [])
    const isAsked = own && childKeys(own.name, '').some((key) => renamed.get(key)?.includes(own))
    if (own && !isAsked && isNameOf(own.name, line.name)) return plannedFor(line, own)
    const candidates = [...new Set([...(own ? [own] : []), ...before, ...others])].slice(0, maxCandidates)
    return { line, state: candidates.length > 0 ? 'matched' : 'new', child: null, candidates }
  })
  return { rows, leaving: leavingOf(rows, staying, roll), size: roll.filter(isOnRoll).length }
}

/** By name: children whom the row of their number calls otherwise, while another row has their name. */
const renamedChildren = (
  lines: readonly RollLine[],
  owners: ReadonlyMap<RollLine, RollChild>,
): Map<string, RollChild[]> => {
  const free = new Set(lines.flatMap((line) => (owners.has(line) ? [] : childKeys(line.name, ''))))
  const renamed = new Map<string, RollChild[]>()
  for (const [line, own] of owners) {
    const keys = childKeys(own.name, '')
    const isSameName = childKeys(line.name, '').some((key) => keys.includes(key))
    if (!isSameName) for (const key of keys) if (free.has(key)) addTo(renamed, key, own)
  }
  return renamed
}

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

const childKeys = (name: string, grade: string): string[] => [
  ...new Set([childKey(name, grade), `${wordsOf(name).toSorted().join(' ')}/${grade}`]),
]

const wordsOf = (name: string): string[] =>
  name
    .split(/[\s,\p{Pd}]+/u)
    .map(foldedName)
    .filter(Boolean)

/** Same words in any order, a subset, or the same first word. */
const isNameOf = (one: string, other: string): boolean => {
  if (foldedName(one) === foldedName(other)) return true
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const within = (some: string[], all: string[]) =>
    some.every((word) => all.some((known) => isWord(word, known)))
  return within(words, others) || within(others, words) || isWord(words[0] ?? '', others[0] ?? '')
}

const fewestLetters = 3

/** Equal, a prefix, or one letter off. */
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

/** A claimed child keeps no guardian on the roll. */
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

/** The spelling of a number with leading zeros wins. */
export const valuesFor = (line: RollLine, child: RollChild): ChildValues => {
  const values = valuesOf(line, child.userId !== null)
  const [old, given] = [child.admissionNumber, line.admissionNumber]
  const isOwn = old !== null && given !== null && looseNumberKey(old) === looseNumberKey(given)
  return isOwn && old.length > given.length ? { ...values, admissionNumber: old } : values
}

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
