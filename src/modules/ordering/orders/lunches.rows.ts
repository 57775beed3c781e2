import { grades } from '#contracts/identity'
import { parseOrderId } from '#kernel/id'
import type { SchoolDate } from '#kernel/school-time'
import { deletedText } from '#platform/event-store/sealed-events'
import type { OrderingNeeds } from '../needs'
import type { OrderRow } from './order'
import type { Knex } from 'knex'

export const maxLunches = 10_000

type ChildrenNow = OrderingNeeds['identity']['childrenNow']

/** Present class, and the present name if the child stayed or was merged: the meal is still to be handed out. */
export const withClasses = async <Lunch extends { student: string }>(
  childrenNow: ChildrenNow,
  lunches: readonly Lunch[],
  orderIdOf: (lunch: Lunch) => string,
): Promise<(Lunch & { class: string | null })[]> => {
  const studentOf = (lunch: Lunch) => parseOrderId(orderIdOf(lunch))?.lunch.studentId ?? 0
  const children = await childrenNow([...new Set(lunches.map(studentOf))])
  return lunches.map((lunch) => {
    const child = children.get(studentOf(lunch))
    const isNamedNow = lunch.student === deletedText || (child && child.id !== studentOf(lunch))
    const student = isNamedNow ? (child?.name ?? lunch.student) : lunch.student
    return { ...lunch, student, class: child?.class ?? null }
  })
}

/** Under the merged child (docs/decisions/0031) or its present name. */
export const underChildNow = async (
  childrenNow: ChildrenNow,
  rows: readonly OrderRow[],
): Promise<readonly OrderRow[]> => {
  const children = await childrenNow([...new Set(rows.map(({ student_id }) => student_id))])
  return rows.map((row) => {
    const child = children.get(row.student_id)
    if (!child || (child.id === row.student_id && row.student_name !== deletedText)) return row
    return { ...row, student_id: child.id, student_name: child.name }
  })
}

export const lunchesOn = (knex: Knex, date: SchoolDate) =>
  knex('ordering.orders').where('orders.meal_date', date).whereIn('orders.status', ['pending', 'completed'])

export const byGrade = { sql: 'array_position(?::text[], student_grade)', bindings: [[...grades]] }

/** Class and health as of now, never stored. */
export const withEaters = async <Lunch extends { student: string }>(
  { identity }: OrderingNeeds,
  lunches: readonly Lunch[],
  orderIdOf: (lunch: Lunch) => string,
) => {
  const studentOf = (lunch: Lunch) => parseOrderId(orderIdOf(lunch))?.lunch.studentId ?? 0
  const [inClasses, health] = await Promise.all([
    withClasses(identity.childrenNow, lunches, orderIdOf),
    identity.healthOf([...new Set(lunches.map(studentOf))]),
  ])
  return inClasses.map((lunch) => ({ ...lunch, ...health.get(studentOf(lunch))! }))
}
