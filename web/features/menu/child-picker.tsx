import { useEffect, useRef } from 'react'
import { classes } from '../../lib/classes'
import { gradeLabel } from '../../lib/format'
import { Icon } from '../../ui/icon'
import type { Eater } from './menu-week'

type ChildPickerProps = { eaters: readonly Eater[]; chosen: Eater; onChoose: (id: number) => void }

/** Children first, then staff entries. */
export const ChildPicker = ({ eaters, chosen, onChoose }: ChildPickerProps) => {
  const row = useRef<HTMLDivElement>(null)
  // A choice made below may be scrolled out.
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

type ChildSelectProps = { eaters: readonly Eater[]; chosen: Eater; onChoose: (id: number) => void }

/** Within thumb reach. */
export const ChildSelect = ({ eaters, chosen, onChoose }: ChildSelectProps) =>
  eaters.length < 2 ? (
    <p className="flex min-h-11 min-w-0 flex-1 basis-[4.5rem] items-center gap-2 font-semibold">
      <Icon name="person" size="sm" className="text-muted" />
      <span className="truncate">{chosen.name}</span>
    </p>
  ) : (
    <label className="relative flex min-h-11 min-w-0 flex-1 basis-[4.5rem] items-center gap-2 rounded-md border border-sand-300 bg-sand-50 px-2 text-sm font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-500">
      <span className="min-w-0 flex-1 truncate" aria-hidden="true">
        {chosen.name}
      </span>
      <Icon name="chevron-down" size="sm" className="text-muted" />
      <select
        aria-label="Ordering for"
        value={chosen.id}
        onChange={(event) => onChoose(Number(event.target.value))}
        className="absolute inset-0 w-full cursor-pointer text-ink opacity-0"
      >
        {eaters.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  )
