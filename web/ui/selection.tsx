import { type ReactNode, useState } from 'react'
import { IconButton } from './button'
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

type SelectionBarProps = {
  label: string
  /** How many are selected. */
  text: ReactNode
  clear: string
  busy?: boolean
  onClear: () => void
  /** Acts on the selection. */
  children: ReactNode
}

/** At the lower edge while something is selected; the page keeps room for it. */
export const SelectionBar = ({ label, text, clear, busy, onClear, children }: SelectionBarProps) => (
  <section
    aria-label={label}
    className="selection-bar sticky bottom-safe z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-3 py-2.5 shadow-raised sm:px-4"
  >
    <div className="flex min-w-0 flex-1 basis-60 items-center gap-2">
      <p aria-live="polite" className="min-w-0 flex-1 text-sm">
        {text}
      </p>
      <IconButton icon="close" label={clear} disabled={busy} onClick={onClear} />
    </div>
    {children}
  </section>
)
