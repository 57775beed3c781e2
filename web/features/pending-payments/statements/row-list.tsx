import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BodyOf } from '#contracts/endpoint'
import type { StatementRow, confirmStatement } from '#contracts/transfers'
import { counted } from '../../../lib/format'
import { notifyOutcome } from '../../../lib/toast'
import { StackedTable } from '../../../ui/data-table'
import { SelectBox, type Selection } from '../../../ui/selection'
import {
  readyOrders,
  confirmRows,
  ignoreRow,
  ignoreRows,
  undoRow,
  unignoreRow,
  unignoreRows,
  rowText,
} from './api'
import { ChooseMealsDialog } from './choose-meals-dialog'
import { StatementRowView } from './statement-row'

type RowListProps = {
  rows: readonly StatementRow[]
  acts: RowActs
  selection: Selection<StatementRow>
}

const columns = [
  { label: 'Choose', hideLabel: true },
  { label: 'Amount', className: 'text-right' },
  { label: 'From' },
  { label: 'Pays' },
  { label: 'Acts', hideLabel: true },
]

/** Moves the focus to the next row after an act. */
export const RowList = ({ rows, acts, selection }: RowListProps) => {
  const [choosing, setChoosing] = useState<StatementRow | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const likely = rows.filter(isLikely)
  const messages = new Map(acts.done?.skipped.map(({ rowId, message }) => [rowId, message]))
  /** Then focuses the next open row below. */
  const goOn = async (row: StatementRow, act: Promise<unknown>) => {
    const next = rows.slice(rows.indexOf(row) + 1).find(isToDo)
    focusRow(list.current, (await act) && next ? next.id : row.id)
  }
  return (
    <div ref={list} className="flex flex-col gap-4">
      {likely.length > 0 ? (
        <SelectBox label="All likely ones shown" rows={likely} selection={selection} />
      ) : null}
      <StackedTable label="Rows of the statement" columns={columns}>
        {rows.map((row) => (
          <StatementRowView
            key={row.id}
            row={row}
            busy={acts.busy}
            problem={messages.get(row.id)}
            chosen={isToDo(row) ? selection.chosen.has(row.id) : null}
            onSwitch={() => selection.toggle([row])}
            onConfirm={() => void goOn(row, acts.confirm({ rows: confirmedWith(row, rows) }, row))}
            onChoose={() => setChoosing(row)}
            onUndo={() => void acts.undo(row).then(() => focusRow(list.current, row.id))}
            onIgnore={() => void goOn(row, acts.ignore(row))}
            onUnignore={() => void acts.unignore(row).then(() => focusRow(list.current, row.id))}
          />
        ))}
      </StackedTable>
      {choosing ? (
        <ChooseMealsDialog
          row={choosing}
          onConfirm={(meals) => acts.confirm({ rows: [{ rowId: choosing.id, ...meals }] }, choosing)}
          onClose={() => setChoosing(null)}
        />
      ) : null}
    </div>
  )
}

export const isToDo = ({ state }: StatementRow): boolean => state === 'open' || state === 'suggested'

export const isLikely = ({ state, match }: StatementRow): boolean =>
  state === 'suggested' && match?.certainty === 'likely'

/** Includes rows that pay for the same meals. */
const confirmedWith = (row: StatementRow, rows: readonly StatementRow[]) => {
  const orderIds = readyOrders(row)
  const together = rows.filter(
    ({ id, match }) => id !== row.id && match?.orderIds.some((orderId) => orderIds.includes(orderId)),
  )
  return [row, ...together].map((one) => ({ rowId: one.id, orderIds: [...readyOrders(one)] }))
}

const focusRow = (list: HTMLElement | null, id: string) =>
  setTimeout(() => list?.querySelector<HTMLElement>(`[data-row="${id}"] button`)?.focus())

type Skipped = { rowId: string; message: string }

/** Last act with skipped rows and undo. */
export type Done = { words: string; skipped: readonly Skipped[]; undo: (() => Promise<unknown>) | null }

type Confirming = BodyOf<typeof confirmStatement>

/** Resolve after the rows are refetched. */
export const useRowActs = (statementId: number) => {
  const confirming = useMutation(confirmRows)
  const undoing = useMutation(undoRow)
  const ignoring = useMutation(ignoreRow)
  const unignoring = useMutation(unignoreRow)
  const ignoringMany = useMutation(ignoreRows)
  const unignoringMany = useMutation(unignoreRows)
  const [done, setDone] = useState<Done | null>(null)

  /** `one` is the only row. */
  const confirm = async (body: Confirming, one?: StatementRow) => {
    const result = await notifyOutcome(confirming.mutateAsync({ params: { id: statementId }, body }), {
      failed: 'Failed to confirm',
    })
    if (!result) return null
    setDone({
      words: confirmedText(result.confirmed, one),
      skipped: result.skipped,
      undo: one && result.confirmed > 0 ? () => undo(one) : null,
    })
    return result
  }
  const undo = async (row: StatementRow) => {
    const result = await notifyOutcome(undoing.mutateAsync({ params: { id: row.id } }), {
      failed: 'Failed to undo',
    })
    if (result) setDone({ words: `Undone: ${rowText(row)}`, skipped: [], undo: null })
    return result
  }
  const ignore = async (row: StatementRow) => {
    const result = await notifyOutcome(ignoring.mutateAsync({ params: { id: row.id } }), {
      failed: 'Failed to ignore',
    })
    if (result) setDone({ words: `Ignored: ${rowText(row)}`, skipped: [], undo: () => unignore(row) })
    return result
  }
  const unignore = async (row: StatementRow) => {
    const result = await notifyOutcome(unignoring.mutateAsync({ params: { id: row.id } }), {
      failed: 'Failed to bring back',
    })
    if (result) setDone({ words: `Brought back: ${rowText(row)}`, skipped: [], undo: null })
    return result
  }
  const changeMany = async (rowIds: readonly string[], isIgnored: boolean) => {
    const changing = isIgnored ? ignoringMany : unignoringMany
    const result = await notifyOutcome(changing.mutateAsync({ body: { rowIds: [...rowIds] } }), {
      failed: isIgnored ? 'Failed to ignore' : 'Failed to bring back',
    })
    if (!result) return null
    const undo = isIgnored ? () => changeMany(rowIds, false) : null
    setDone({
      words: `${counted(result.ignored, 'row')} ${isIgnored ? 'ignored' : 'brought back'}`,
      skipped: result.skipped,
      undo,
    })
    return result
  }
  const ignoreMany = (rowIds: readonly string[]) => changeMany(rowIds, true)
  const busy = [confirming, undoing, ignoring, unignoring, ignoringMany, unignoringMany].some(
    ({ isPending }) => isPending,
  )
  return { confirm, undo, ignore, unignore, ignoreMany, busy, done }
}

type RowActs = ReturnType<typeof useRowActs>

const confirmedText = (confirmed: number, one: StatementRow | undefined): string => {
  if (confirmed === 0) return 'Nothing was confirmed'
  return one ? `Confirmed: ${rowText(one)}` : `${counted(confirmed, 'row')} confirmed`
}
