import { type ReactNode, useState } from 'react'
import { Checkbox } from './checkbox'

type Row = { id: string | number }

/** Subset for checkboxes. */
export type Choosing<One extends Row> = {
  chosen: { has: (id: One['id']) => boolean }
  /** Adds all, or removes them when all were chosen. */
  toggle: (rows: readonly One[]) => void
}

export type Selection<One extends Row> = Choosing<One> & {
  /** Rows as when chosen, perhaps on other pages. */
  chosen: ReadonlyMap<One['id'], One>
  /** Replaces the selection. */
  choose: (rows: readonly One[]) => void
  clear: () => void
}

/**
 * `listed` identifies the list: another one clears the selection. Not by a React key, which would remount the pressed heading and lose the
 * focus.
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
  /** Accessible name where the label is ambiguous. */
  name?: string
  rows: readonly One[]
  selection: Choosing<One>
  disabled?: boolean
  className?: string
}

/** Checked for all, indeterminate for some. */
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
