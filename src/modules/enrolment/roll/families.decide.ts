import type { NotJoined } from '#contracts/roll-import'
import { foldedName } from '#kernel/folded-name'
import { groupedBy } from '#kernel/grouped-by'
import { internationalPhone } from '#kernel/phone-number'
import type { RollChild } from '#modules/identity/published'
import { isPlaceholderEmail, isPlaceholderPhone, isUnnamed } from './roll-cells'
import type { RollFile } from './roll-file.decide'
import { valuesFor, valuesOf, type RollPlan } from './roll-plan.decide'

type Told = Pick<RollChild, 'guardianName' | 'guardianEmail' | 'guardianPhone'>

/** Shared values that join nobody: different guardians, or a name alone. */
type Apart<Child> = { column: 'email' | 'phone' | 'guardian'; value: string; children: Child[] }

/** `mailable`: lower-case addresses of a single family. */
type Families<Child> = { families: Child[][]; apart: Apart<Child>[]; mailable: ReadonlySet<string> }

const emailKey = ({ guardianEmail: email }: Told): string | null =>
  email && !isPlaceholderEmail(email) ? email.toLowerCase() : null

const phoneKey = ({ guardianPhone: phone }: Told): string | null =>
  phone && !isPlaceholderPhone(phone) ? internationalPhone(phone) : null

export const familiesOf = <Child extends Told>(children: readonly Child[]): Child[][] =>
  joined(children).families

/** Same plausible email, else phone (families.md section 4). A value shared by different guardians, or a name alone, joins nobody. */
export const joined = <Child extends Told>(children: readonly Child[]): Families<Child> => {
  const apart: Apart<Child>[] = []
  const byEmail = grouped(children, emailKey)
  const families = new Map<string, Child[]>()
  const others = new Set(children)
  for (const [email, group] of byEmail) {
    if (areOfOneGuardian(group)) {
      families.set(email, [...group])
      for (const child of group) others.delete(child)
    } else apart.push({ column: 'email', value: group[0]!.guardianEmail!, children: group })
  }
  const mailable = new Set(families.keys())
  const familyOf = new Map(
    [...families.values()].flatMap((family) => family.map((child) => [child, family] as const)),
  )
  const more: Child[][] = []
  for (const group of grouped(children, phoneKey).values()) {
    const loose = group.filter((child) => others.has(child))
    if (loose.length === 0) continue
    const known = new Set(group.map((child) => familyOf.get(child)).filter((family) => family !== undefined))
    if (known.size > 1 || !areOfOneGuardian(group)) {
      apart.push({ column: 'phone', value: loose[0]!.guardianPhone!, children: group })
      continue
    }
    const [family] = known
    if (family) family.push(...loose)
    else more.push(loose)
    for (const child of loose) others.delete(child)
  }
  const alone = [...others]
  for (const group of grouped(alone, nameKey).values())
    if (group.length > 1) apart.push({ column: 'guardian', value: group[0]!.guardianName!, children: group })
  return { families: [...families.values(), ...more, ...alone.map((child) => [child])], apart, mailable }
}

const grouped = <Child>(
  children: readonly Child[],
  keyOf: (child: Child) => string | null,
): Map<string, Child[]> => {
  const told = children.filter((child) => keyOf(child) !== null)
  return groupedBy(told, (child) => keyOf(child)!)
}

const titles = new Set('mr mrs ms miss dr rev prof pastor bishop hon sir madam mme'.split(' '))

const wordsOf = (name: string | null): string[] =>
  name === null || isUnnamed(name)
    ? []
    : name
        .split(/[\s,.;/&]+/)
        .map(foldedName)
        .filter((word) => word !== '' && word !== 'and' && !titles.has(word))
        .toSorted()

const nameKey = ({ guardianName }: Told): string | null =>
  guardianName === null ? null : wordsOf(guardianName).join(' ') || foldedName(guardianName)

// More than one family's children without a name: the value is the school's or a placeholder.
const maxUnnamed = 8

/** `R. Banda` and `Mrs Ruth Banda` may be one person. */
const areOfOneGuardian = (children: readonly Told[]): boolean => {
  const names = new Map(
    children.map(({ guardianName }) => [wordsOf(guardianName).join(' '), wordsOf(guardianName)]),
  )
  names.delete('')
  if (children.filter(({ guardianName }) => wordsOf(guardianName).length === 0).length > maxUnnamed)
    return false
  const [first, ...rest] = [...names.values()].toSorted((one, other) => other.length - one.length)
  return rest.every((words) => words.every((word) => first!.some((known) => isSameWord(known, word))))
}

const isSameWord = (one: string, other: string): boolean =>
  one === other || ((one.length === 1 || other.length === 1) && one[0] === other[0])

type Child = Pick<RollChild, 'name' | 'guardianName' | 'guardianEmail' | 'guardianPhone'> & {
  row: number | null
}

const maxStudents = 20

/** Shared guardian values that join no family, most children first. */
export const notJoinedBy = (plan: RollPlan, file: RollFile, roll: readonly RollChild[]): NotJoined[] => {
  const { apart } = joined(childrenAfter(plan, roll))
  const names = new Map(plan.rows.map(({ line }) => [line.row, line.name]))
  const placeholders = new Map<string, { column: NotJoined['column']; value: string; students: string[] }>()
  for (const { row, column, value } of file.placeholders ?? []) {
    const key = `${column} ${value.toLowerCase()}`
    const found = placeholders.get(key) ?? { column, value, students: [] }
    placeholders.set(key, found)
    found.students.push(names.get(row) ?? '')
  }
  const found: NotJoined[] = [
    ...[...placeholders.values()].map((one) => ({
      ...one,
      why: 'placeholder' as const,
      children: one.students.length,
    })),
    ...apart
      .filter(({ children }) => children.some(({ row }) => row !== null))
      .map(({ column, value, children }) => ({
        column,
        value,
        why: column === 'guardian' ? ('name' as const) : ('shared' as const),
        children: children.length,
        students: children.map(({ name }) => name),
      })),
  ]
  return found
    .toSorted((one, other) => other.children - one.children)
    .map((one) => ({ ...one, students: one.students.slice(0, maxStudents) }))
}

const childrenAfter = ({ rows }: RollPlan, roll: readonly RollChild[]): Child[] => {
  const planned = new Set(rows.flatMap(({ child }) => child?.id ?? []))
  const nobody = { guardianName: null, guardianEmail: null, guardianPhone: null }
  const waiting = roll.filter(
    ({ id, userId, leftAt }) => userId === null && leftAt === null && !planned.has(id),
  )
  return [
    ...rows.flatMap(({ line, child }) => {
      if (child !== null && child.userId !== null) return []
      const values =
        child === null ? { ...nobody, ...valuesOf(line, false) } : { ...child, ...valuesFor(line, child) }
      return [{ ...nobody, ...values, row: line.row }]
    }),
    ...waiting.map((child) => ({ ...child, row: null })),
  ]
}
