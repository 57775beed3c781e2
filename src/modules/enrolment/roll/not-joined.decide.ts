import type { NotJoined } from '#contracts/roll-import'
import { joined } from './families.decide'
import type { RollFile } from './roll-file.decide'
import { valuesFor, valuesOf, type RollChild, type RollPlan } from './roll-plan.decide'

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
