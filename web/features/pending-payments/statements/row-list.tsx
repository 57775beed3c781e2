import { useRef, useState } from 'react'
import type { StatementRow } from '#contracts/statements'
import { StackedTable } from '../../../ui/stacked-table'
import { SelectBox } from '../select-box'
import { type Selection, switched } from '../selection'
import { ChooseMealsDialog } from './choose-meals-dialog'
import { StatementRowView } from './statement-row'
import { readyOrders } from './statement-words'
import type { RowActs } from './use-row-acts'

type RowListProps = {
  rows: readonly StatementRow[]
  acts: RowActs
  /** The ids of rows that are chosen, also of other pages. */
  chosen: Selection
  onChosen: (chosen: Selection) => void
}

const columns = [
  { label: 'Choose', hideLabel: true },
  { label: 'Amount', className: 'text-right' },
  { label: 'From' },
  { label: 'Pays' },
  { label: 'Acts', hideLabel: true },
]

/** The rows of a page. After an act the focus is on the next row, so that a clerk goes on without the mouse. */
export const RowList = ({ rows, acts, chosen, onChosen }: RowListProps) => {
  const [choosing, setChoosing] = useState<StatementRow | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const likely = rows.filter(isLikely)
  const messages = new Map(acts.done?.skipped.map(({ rowId, message }) => [rowId, message]))
  const likelyIds = likely.map(({ id }) => id)
  /** Does it, then goes to the next row below that has something to do. */
  const goOn = async (row: StatementRow, act: Promise<unknown>) => {
    const next = rows.slice(rows.indexOf(row) + 1).find(isToDo)
    focusRow(list.current, (await act) && next ? next.id : row.id)
  }
  return (
    <div ref={list} className="flex flex-col gap-4">
      {likely.length > 0 ? (
        <SelectBox
          label="All likely ones shown"
          ids={likelyIds}
          chosen={likely.filter(({ id }) => chosen.has(id)).length}
          onSwitch={() => onChosen(switched(chosen, likelyIds))}
        />
      ) : null}
      <StackedTable label="Rows of the statement" columns={columns}>
        {rows.map((row) => (
          <StatementRowView
            key={row.id}
            row={row}
            busy={acts.busy}
            problem={messages.get(row.id)}
            chosen={isLikely(row) ? chosen.has(row.id) : null}
            onSwitch={() => onChosen(switched(chosen, [row.id]))}
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

const isToDo = ({ state }: StatementRow): boolean => state === 'open' || state === 'suggested'

export const isLikely = ({ state, match }: StatementRow): boolean =>
  state === 'suggested' && match?.certainty === 'likely'

/** What is confirmed with one press: what the row was shown to pay, with the rows that pay for the same meals. */
const confirmedWith = (row: StatementRow, rows: readonly StatementRow[]) => {
  const orderIds = readyOrders(row)
  const together = rows.filter(
    ({ id, match }) => id !== row.id && match?.orderIds.some((orderId) => orderIds.includes(orderId)),
  )
  return [row, ...together].map((one) => ({ rowId: one.id, orderIds: [...readyOrders(one)] }))
}

const focusRow = (list: HTMLElement | null, id: string) =>
  setTimeout(() => list?.querySelector<HTMLElement>(`[data-row="${id}"] button`)?.focus())
