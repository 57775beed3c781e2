import { refuse } from '../refusals'
import type { RollChild } from './roll-plan.decide'

type Touched = { id: number; before: RollChild | null; after: RollChild }

const undoMs = 7 * 24 * 60 * 60 * 1000

export const undoUntil = (appliedAt: Date): Date => new Date(appliedAt.getTime() + undoMs)

/** Throws `import_not_found`, or `undo_too_late` also when done before. */
export const decideUndo = <Applied extends { appliedAt: Date | null; undoneAt: Date | null }>(
  found: Applied | undefined,
  at: Date,
): Applied => {
  if (!found?.appliedAt) throw refuse('import_not_found', 'There is no such import')
  if (found.undoneAt) throw refuse('undo_too_late', 'This import was undone before')
  if (at > undoUntil(found.appliedAt)) throw refuse('undo_too_late', 'An import can be undone for 7 days')
  return found
}

/** Throws `ordered_since`. */
export const decideNothingOrdered = (students: readonly { id: number; name: string }[]): void => {
  if (students.length === 0) return
  const names = students
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
  const more = students.length > 3 ? ` and ${students.length - 3} more` : ''
  const message = `Something was ordered since for ${names}${more}`
  throw refuse('ordered_since', message, { extra: { students: students.slice(0, 100) } })
}

/** Claimed, edited or merged children stay as they are. */
export const undone = (touched: readonly Touched[], now: readonly RollChild[]) => {
  const present = new Map(now.map((child) => [child.id, child]))
  const own = touched.filter(({ id, after }) => isSame(present.get(id), after))
  const isOwn = new Set(own.map(({ id }) => id))
  return {
    removed: own.flatMap(({ id, before }) => (before === null ? id : [])),
    restored: own.flatMap(({ before }) => before ?? []),
    kept: touched.flatMap(({ id }) => (isOwn.has(id) ? [] : (present.get(id) ?? []))),
  }
}

/** JSON stores dates as text. */
const isSame = (child: RollChild | undefined, kept: RollChild): boolean =>
  child !== undefined && JSON.stringify(inOrder(child)) === JSON.stringify(inOrder(kept))

const inOrder = (child: RollChild) =>
  Object.entries(child).toSorted(([one], [other]) => (one < other ? -1 : 1))
