import type { Knex } from 'knex'
import { grades } from '#contracts/identity'
import { parseOrderId } from '#kernel/id'
import type { SchoolDate } from '#kernel/school-time'
import { deletedText } from '#platform/event-store/sealed-events'
import type { OrderingNeeds } from '../needs'
import type { OrderRow } from './order'

/** The most lunches of a day that one list has. */
export const mostLunches = 10_000

type ChildrenNow = OrderingNeeds['identity']['childrenNow']

/**
 * These with the class that their child has at this moment. A name that went with the family that ordered, but whose child is
 * still there, is the one that it has now: the meal is still to be handed out.
 */
export const withClasses = async <Lunch extends { student: string }>(
  childrenNow: ChildrenNow,
  lunches: readonly Lunch[],
  orderIdOf: (lunch: Lunch) => string,
): Promise<(Lunch & { class: string | null })[]> => {
  const studentOf = (lunch: Lunch) => parseOrderId(orderIdOf(lunch))?.lunch.studentId ?? 0
  const children = await childrenNow([...new Set(lunches.map(studentOf))])
  return lunches.map((lunch) => {
    const child = children.get(studentOf(lunch))
    const student = lunch.student === deletedText ? (child?.name ?? deletedText) : lunch.student
    return { ...lunch, student, class: child?.class ?? null }
  })
}

/** The same for the orders of a family, where a name is missing. */
export const withNames = async (
  childrenNow: ChildrenNow,
  rows: readonly OrderRow[],
): Promise<readonly OrderRow[]> => {
  const unnamed = rows.flatMap((row) => (row.student_name === deletedText ? row.student_id : []))
  if (unnamed.length === 0) return rows
  const children = await childrenNow([...new Set(unnamed)])
  return rows.map((row) =>
    row.student_name === deletedText
      ? { ...row, student_name: children.get(row.student_id)?.name ?? deletedText }
      : row,
  )
}

/** The lunches of a day that are cooked or to be cooked. */
export const lunchesOn = (knex: Knex, date: SchoolDate) =>
  knex('ordering.orders').where('orders.meal_date', date).whereIn('orders.status', ['pending', 'completed'])

/** What orders lunches from the smallest children to staff. */
export const byGrade = { sql: 'array_position(?::text[], student_grade)', bindings: [[...grades]] }
