import type { RollRowState } from '#contracts/roll-import'
import type { Student } from '../students/student.decide'
import { childKey, numberKey, type RollFile, type RollLine } from './roll-file.decide'

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

const mostCandidates = 20

/**
 * What a file would do to the roll (families.md section 4). A row is the child with its number; without one it is the only child of
 * the roll without number of that name and grade, and any other such child is for the office to decide. Who was never on
 * the roll, or is named in a row that cannot be read, does not leave; nor does anybody by a file without a good row.
 */
export const planOfRoll = (
  { lines, unread }: Pick<RollFile, 'lines' | 'unread'>,
  roll: readonly RollChild[],
): RollPlan => {
  const numbered = new Map<string, RollChild>()
  const unnumbered = new Map<string, RollChild[]>()
  for (const child of roll) {
    if (child.admissionNumber !== null) numbered.set(numberKey(child.admissionNumber), child)
    else addTo(unnumbered, childKey(child.name, child.grade), child)
  }
  const alike = new Map<string, RollLine[]>()
  for (const line of lines) addTo(alike, childKey(line.name, line.grade), line)

  const rows = lines.map((line): PlannedRow => {
    const own = line.admissionNumber === null ? undefined : numbered.get(numberKey(line.admissionNumber))
    if (own) return plannedFor(line, own)
    const key = childKey(line.name, line.grade)
    const candidates = unnumbered.get(key) ?? []
    const [only] = candidates
    const isIts = line.admissionNumber === null && candidates.length === 1 && alike.get(key)!.length === 1
    if (only && isIts && isOnRoll(only)) return plannedFor(line, only)
    if (only) return { line, state: 'matched', child: null, candidates: candidates.slice(0, mostCandidates) }
    return { line, state: 'new', child: null, candidates: [] }
  })
  return { rows, leaving: leavingOf(rows, unread, roll), size: roll.filter(isOnRoll).length }
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
  state: isOnRoll(child) && isSame(valuesOf(line, child.userId !== null), child) ? 'same' : 'changed',
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

const leavingOf = (
  rows: readonly PlannedRow[],
  unread: RollFile['unread'],
  roll: readonly RollChild[],
): RollChild[] => {
  if (rows.length === 0) return []
  const named = new Set(
    rows.flatMap(({ child, candidates }) => [child, ...candidates]).flatMap((child) => child?.id ?? []),
  )
  const numbers = new Set(unread.flatMap(({ admissionNumber: number }) => (number ? numberKey(number) : [])))
  const names = new Set(unread.flatMap(({ name }) => (name ? childKey(name, '') : [])))
  return roll.filter(
    (child) =>
      isOnRoll(child) &&
      !named.has(child.id) &&
      !(child.admissionNumber !== null && numbers.has(numberKey(child.admissionNumber))) &&
      !names.has(childKey(child.name, '')),
  )
}
