import type { Validation } from './api'
import type { CartItem } from './cart-items'

/** The meals of one child in the cart, in the order of their days. */
export type CartGroup = { studentId: number; name: string; grade: string; items: CartItem[] }

const byDay = (one: CartItem, other: CartItem) =>
  one.weekNumber - other.weekNumber || one.dayOfWeek - other.dayOfWeek

export const groupByStudent = (items: readonly CartItem[]): CartGroup[] => {
  const groups = new Map<number, CartGroup>()
  for (const item of items) {
    const group = groups.get(item.studentId) ?? {
      studentId: item.studentId,
      name: item.student.name,
      grade: item.student.grade,
      items: [],
    }
    group.items.push(item)
    groups.set(item.studentId, group)
  }
  return [...groups.values()].map((group) => ({ ...group, items: group.items.toSorted(byDay) }))
}

/** The meals that the last validation named; none while there was no answer. Missing ones are named by id. */
export const unavailableItems = (
  items: readonly CartItem[],
  validation: Validation | undefined,
): CartItem[] => {
  if (!validation || validation.valid) return []
  const names = new Set([...validation.unavailable, ...validation.archived, ...validation.missing])
  return items.filter((item) => names.has(item.menuItem.name) || names.has(String(item.menuItemId)))
}
