import type { ReplyOf } from '#contracts/endpoint'
import type { lastRollImport, undoRoll } from '#contracts/roll-import'
import type { By } from '#platform/event-store/command-handler'
import { recordAccountChange } from '../accounts/account-changes.rows'
import { numberIsTaken } from '../students/students.rows'
import { named, type ImportNeeds } from './import.commands'
import { rollImportRows } from './roll-imports.rows'
import { decideNothingOrdered, decideUndo, undone, undoUntil } from './roll-undo.decide'

/** An import of the roll is taken back within 7 days (families.md section 4). */
export const undoImportCommands = (needs: Pick<ImportNeeds, 'database' | 'now' | 'ordering'>) => ({
  /** Throws `import_not_found`, `undo_too_late` and `ordered_since`. */
  undo: (id: string, by: By): Promise<ReplyOf<typeof undoRoll>> =>
    needs.database.knex.transaction(async (transaction) => {
      const rows = rollImportRows(transaction)
      await rows.lock()
      const found = decideUndo(await rows.byId(id), needs.now())
      const touched = found.done!
      const now = await rows.lockChildren()
      const ids = touched.map((child) => child.id)
      const aliases = await rows.aliasesOf(ids)
      const ordered = await needs.ordering.orderedSince([...ids, ...aliases.keys()], found.appliedAt!)
      const orderedFor = new Set(ordered.map((studentId) => aliases.get(studentId) ?? studentId))
      decideNothingOrdered(now.filter((child) => orderedFor.has(child.id)).map(named))
      const { removed, restored, kept } = undone(touched, now)
      await rows.removeChildren(removed)
      await rows.updateChildren(restored).catch(numberIsTaken)
      await rows.markUndone(id, needs.now())
      const count = removed.length + restored.length
      await recordAccountChange(transaction, needs, by, `Import of the roll undone: ${count} children`)
      return { undone: count, kept: kept.map(named) }
    }),

  /** The latest import, as long as it can be undone. */
  last: async (): Promise<ReplyOf<typeof lastRollImport>> => {
    const found = await rollImportRows(needs.database.knex).last()
    if (!found?.appliedAt || found.undoneAt || needs.now() > undoUntil(found.appliedAt))
      return { import: null }
    const { id, appliedAt } = found
    return {
      import: { id, appliedAt: appliedAt.toISOString(), undoUntil: undoUntil(appliedAt).toISOString() },
    }
  },
})
