import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '#contracts/endpoint'
import type { confirmStatement, StatementRow } from '#contracts/statements'
import { counted } from '../../../lib/format'
import { freshKey } from '../../../lib/fresh-key'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { confirmRows, ignoreRow, undoRow, unignoreRow } from './api'
import { rowInWords } from './statement-words'

/** A row that was left as it was, and why, in the words of the server. */
type Skipped = { rowId: string; message: string }

/** What was done last: in words, with what was skipped, and how one row is put back. */
export type Done = { words: string; skipped: readonly Skipped[]; undo: (() => Promise<unknown>) | null }

type Confirming = BodyOf<typeof confirmStatement>

/** The acts on the rows of a statement; each answers whether it was done, once the rows have been read again. */
export const useRowActs = (statementId: number) => {
  const confirming = useMutation(confirmRows)
  const undoing = useMutation(undoRow)
  const ignoring = useMutation(ignoreRow)
  const unignoring = useMutation(unignoreRow)
  const [done, setDone] = useState<Done | null>(null)

  /** Confirms; `one` is the row, where there is only one. */
  const confirm = async (body: Confirming, one?: StatementRow) => {
    const result = await notifyOutcome(
      confirming.mutateAsync({ params: { id: statementId }, body, idempotencyKey: freshKey() }),
      { failed: 'Failed to confirm' },
    )
    if (!result) return null
    setDone({
      words: confirmedWords(result.confirmed, one),
      skipped: result.skipped,
      undo: one && result.confirmed > 0 ? () => undo(one) : null,
    })
    return result
  }
  const undo = async (row: StatementRow) => {
    const result = await notifyOutcome(
      undoing.mutateAsync({ params: { id: row.id }, idempotencyKey: freshKey() }),
      { failed: 'Failed to undo' },
    )
    if (result) setDone({ words: `Undone: ${rowInWords(row)}`, skipped: [], undo: null })
    return result
  }
  const ignore = async (row: StatementRow) => {
    const result = await notifyOutcome(ignoring.mutateAsync({ params: { id: row.id } }), {
      failed: 'Failed to ignore',
    })
    if (result) setDone({ words: `Ignored: ${rowInWords(row)}`, skipped: [], undo: () => unignore(row) })
    return result
  }
  const unignore = async (row: StatementRow) => {
    const result = await notifyOutcome(unignoring.mutateAsync({ params: { id: row.id } }), {
      failed: 'Failed to bring back',
    })
    if (result) setDone({ words: `Brought back: ${rowInWords(row)}`, skipped: [], undo: null })
    return result
  }
  const busy = [confirming, undoing, ignoring, unignoring].some(({ isPending }) => isPending)
  return { confirm, undo, ignore, unignore, busy, done }
}

export type RowActs = ReturnType<typeof useRowActs>

const confirmedWords = (confirmed: number, one: StatementRow | undefined): string => {
  if (confirmed === 0) return 'Nothing was confirmed'
  return one ? `Confirmed: ${rowInWords(one)}` : `${counted(confirmed, 'row')} confirmed`
}
