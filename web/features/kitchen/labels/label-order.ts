import type { ClassListEntry } from '#contracts/class-list'
import { byClass } from '../class-lists/class-groups'

export type LabelOrder = 'class' | 'meal'

const byMeal = (one: ClassListEntry, other: ClassListEntry): number =>
  one.menuItem.localeCompare(other.menuItem, 'en') ||
  (one.category ?? '').localeCompare(other.category ?? '', 'en') ||
  (one.sideDish ?? '').localeCompare(other.sideDish ?? '', 'en') ||
  byClass(one, other)

/** Lunches that are in the order of their names: by class, or by meal, protein, side dish and class. */
export const orderedLabels = (byName: readonly ClassListEntry[], order: LabelOrder): ClassListEntry[] =>
  byName.toSorted(order === 'meal' ? byMeal : byClass)

/** The pages that labels fill when the first is put on place `start`, from 1, of its page. */
export const labelPages = <Label>(labels: readonly Label[], perPage: number, start: number): Label[][] => {
  const first = labels.slice(0, perPage - start + 1)
  const pages = first.length > 0 ? [first] : []
  for (let at = first.length; at < labels.length; at += perPage) pages.push(labels.slice(at, at + perPage))
  return pages
}
