import { useRef, useState } from 'react'
import type { StatementRow } from '#contracts/statements'
import { counted, kwacha } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { StackedTable } from '../../../ui/stacked-table'
import { SelectBox } from '../select-box'
import { switched, total } from '../selection'
import { ChooseMealsDialog } from './choose-meals-dialog'
import { StatementRowView } from './statement-row'
import type { RowActs } from './use-row-acts'

type RowListProps = { rows: readonly StatementRow[]; acts: RowActs }

const columns = [
  { label: 'Choose', hideLabel: true },
  { label: 'When' },
  { label: 'Amount', className: 'text-right' },
  { label: 'From' },
  { label: 'Text' },
  { label: 'Pays' },
  { label: 'Acts', hideLabel: true },
]

/** The rows of a page. After an act the focus is on the next row, so that a clerk goes on without the mouse. */
export const RowList = ({ rows, acts }: RowListProps) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [choosing, setChoosing] = useState<StatementRow | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const likely = rows.filter(isLikely)
  const shownChosen = likely.filter(({ id }) => chosen.has(id))
  const messages = new Map(acts.done?.skipped.map(({ rowId, message }) => [rowId, message]))
  const likelyIds = likely.map(({ id }) => id)
  /** Does it, then goes to the row below. */
  const goOn = async (row: StatementRow, act: Promise<unknown>) => {
    const next = rows[rows.indexOf(row) + 1]?.id
    if ((await act) && next) focusRow(list.current, next)
  }
  const confirmChosen = async () => {
    if (await acts.confirm({ allLikely: shownChosen.map(({ id }) => id) })) setChosen(new Set())
  }
  return (
    <div ref={list} className="flex flex-col gap-4">
      <StackedTable label="Rows of the statement" columns={columns}>
        {rows.map((row) => (
          <StatementRowView
            key={row.id}
            row={row}
            busy={acts.busy}
            problem={messages.get(row.id)}
            chosen={isLikely(row) ? chosen.has(row.id) : null}
            onSwitch={() => setChosen(switched(chosen, [row.id]))}
            onConfirm={() => void goOn(row, acts.confirm(confirmationOf(row), row))}
            onChoose={() => setChoosing(row)}
            onUndo={() => void goOn(row, acts.undo(row))}
            onIgnore={() => void goOn(row, acts.ignore(row))}
            onUnignore={() => void goOn(row, acts.unignore(row))}
          />
        ))}
      </StackedTable>
      {likely.length > 0 ? (
        <div className="sticky bottom-safe z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-3 py-3 shadow-raised">
          <SelectBox
            label="All likely ones shown"
            ids={likelyIds}
            chosen={shownChosen.length}
            onSwitch={() => setChosen(switched(chosen, likelyIds))}
          />
          <p aria-live="polite" className="money flex-1 text-sm">
            {shownChosen.length === 0
              ? ''
              : `${counted(shownChosen.length, 'row')}, ${kwacha(total(shownChosen))}`}
          </p>
          <Button
            icon="check"
            disabled={shownChosen.length === 0}
            busy={acts.busy}
            onClick={() => void confirmChosen()}
          >
            Confirm Chosen
          </Button>
        </div>
      ) : null}
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

const isLikely = ({ state, match }: StatementRow): boolean =>
  state === 'suggested' && match?.certainty === 'likely'

/** What is confirmed with one press: what the row was shown to pay. */
const confirmationOf = ({ id, match }: StatementRow) => ({
  rows: [{ rowId: id, orderIds: match?.orderIds ?? [] }],
})

const focusRow = (list: HTMLElement | null, id: string) =>
  setTimeout(() => list?.querySelector<HTMLElement>(`[data-row="${id}"] button`)?.focus())
