import { useEffect, useRef } from 'react'
import { classes } from '../../lib/classes'
import { gradeLabel } from '../../lib/format'
import type { Eater } from './day-content'

type ChildPickerProps = { eaters: readonly Eater[]; chosen: Eater; onChoose: (id: number) => void }

/** Who the next meals are for, in one row: the children, then, behind a divider, the staff accounts. */
export const ChildPicker = ({ eaters, chosen, onChoose }: ChildPickerProps) => {
  const row = useRef<HTMLDivElement>(null)
  // Who is chosen by the bar at the foot may stand beyond the edge of the row.
  useEffect(() => {
    const pill = row.current?.querySelector<HTMLElement>(`[data-eater="${chosen.id}"]`)
    if (pill) row.current?.scrollTo?.({ left: pill.offsetLeft - row.current.clientWidth / 3 })
  }, [chosen.id])
  const children = eaters.filter((one) => one.grade !== 'teacher')
  const staff = eaters.filter((one) => one.grade === 'teacher')
  const pill = (one: Eater) => (
    <Pill key={one.id} eater={one} chosen={one.id === chosen.id} onChoose={() => onChoose(one.id)} />
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Order for</legend>
      <div
        ref={row}
        className="side-scroll relative -mx-4 flex items-stretch gap-2 overflow-x-auto px-4 py-1"
      >
        {children.map(pill)}
        {staff.length > 0 ? (
          <>
            <p className="flex shrink-0 items-center border-l border-sand-300 pl-2 text-xs font-semibold text-muted">
              Staff Account
            </p>
            {staff.map(pill)}
          </>
        ) : null}
      </div>
      <p
        aria-live="polite"
        className="rounded-md bg-accent-50 px-4 py-2 text-sm text-accent-800 max-md:hidden"
      >
        Now ordering for <strong>{chosen.name}</strong> ({gradeLabel(chosen.grade)})
      </p>
    </fieldset>
  )
}

const Pill = ({ eater, chosen, onChoose }: { eater: Eater; chosen: boolean; onChoose: () => void }) => (
  <label
    data-eater={eater.id}
    className={classes(
      'relative flex min-h-11 shrink-0 flex-col justify-center rounded-md border px-4 py-1 whitespace-nowrap transition-colors',
      'has-focus-visible:outline-3 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent-500',
      chosen ? 'border-brand-700 bg-brand-700 text-white' : 'border-sand-300 bg-surface hover:bg-sand-100',
    )}
  >
    <input type="radio" name="eater" className="sr-only" checked={chosen} onChange={onChoose} />
    <span className="leading-tight font-semibold">{eater.name}</span>
    <span className="text-xs leading-tight opacity-85">{gradeLabel(eater.grade)}</span>
  </label>
)
