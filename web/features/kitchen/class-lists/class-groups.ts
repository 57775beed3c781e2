import type { ClassListEntry } from '#contracts/class-list'
import { grades } from '#contracts/identity'
import { classLabel } from '../../../lib/format'

export type ClassGroup = { label: string; entries: ClassListEntry[] }

/** Tells which of two classes comes first: that of the smaller children, "2A" before "2B". */
export const byClass = (one: ClassListEntry, other: ClassListEntry): number =>
  grades.indexOf(one.grade) - grades.indexOf(other.grade) ||
  classLabel(one).localeCompare(classLabel(other), 'en', { numeric: true })

/** The lunches of each class, those of the smallest children first; within a class they stay as they were. */
export const classesOf = (entries: readonly ClassListEntry[]): ClassGroup[] => {
  const groups = new Map<string, ClassGroup>()
  for (const entry of entries.toSorted(byClass)) {
    const label = classLabel(entry)
    const group = groups.get(label) ?? { label, entries: [] }
    group.entries.push(entry)
    groups.set(label, group)
  }
  return [...groups.values()]
}
