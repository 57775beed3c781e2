import { parseOrderId } from '#kernel/id'
import type { OrderingNeeds } from '../needs'
import { withClasses } from './lunches.rows'

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
