import { type ReactNode, useState } from 'react'
import { Checkbox } from './checkbox'

type Row = { id: string | number }

/** As much of a selection as boxes to tick need. */
export type Choosing<One extends Row> = {
  chosen: { has: (id: One['id']) => boolean }
  /** Chooses these too, or none of them when all were chosen. */
  toggle: (rows: readonly One[]) => void
}

export type Selection<One extends Row> = Choosing<One> & {
  /** The chosen rows by id, as they were when they were chosen; they may be on other pages by now. */
  chosen: ReadonlyMap<One['id'], One>
  /** Chooses these and no others. */
  choose: (rows: readonly One[]) => void
  clear: () => void
}

/**
 * Rows to be chosen one by one or together. `listed` is what the list was asked for, written out: another list forgets
 * the selection. Not by a key: with the table the heading that was pressed would go, and the focus with it.
 */
export const useSelection = <One extends Row>(listed = ''): Selection<One> => {
  const [chosen, setChosen] = useState<Selection<One>['chosen']>(new Map())
  const [listedBefore, setListedBefore] = useState(listed)
  const clear = () => setChosen(new Map())
  if (listedBefore !== listed) {
    setListedBefore(listed)
    clear()
  }
  return {
    chosen,
    toggle: (rows) => setChosen(toggled(chosen, rows)),
    choose: (rows) => setChosen(toggled(new Map(), rows)),
    clear,
  }
}

/** With these rows, or without them where all were there. */
const toggled = <One extends Row>(
  chosen: Selection<One>['chosen'],
  rows: readonly One[],
): Selection<One>['chosen'] => {
  const next = new Map(chosen)
  const all = rows.every(({ id }) => next.has(id))
  for (const row of rows) {
    if (all) next.delete(row.id)
    else next.set(row.id, row)
  }
  return next
}

type SelectBoxProps<One extends Row> = {
  label: ReactNode
  /** The name for screen readers where the label alone does not tell it from others. */
  name?: string
  rows: readonly One[]
  selection: Choosing<One>
  disabled?: boolean
  className?: string
}

/** A box over several rows: ticked when all are chosen, half when some are. */
export const SelectBox = <One extends Row>({
  label,
  name,
  rows,
  selection,
  disabled,
  className = 'min-h-11! font-semibold',
}: SelectBoxProps<One>) => {
  const chosen = rows.filter(({ id }) => selection.chosen.has(id)).length
  return (
    <Checkbox
      label={label}
      aria-label={name}
      checked={rows.length > 0 && chosen === rows.length}
      ref={(box) => {
        if (box) box.indeterminate = chosen > 0 && chosen < rows.length
      }}
      disabled={disabled}
      onChange={() => selection.toggle(rows)}
      className={className}
    />
  )
}
