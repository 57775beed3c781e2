import { classes } from '../../lib/classes'
import { gradeLabel } from '../../lib/format'
import type { Eater } from './day-content'

type ChildPickerProps = { eaters: readonly Eater[]; chosen: Eater; onChoose: (id: number) => void }

/** Who the next meals are for: the children, then, behind a divider, the staff accounts. */
export const ChildPicker = ({ eaters, chosen, onChoose }: ChildPickerProps) => {
  const children = eaters.filter((one) => one.grade !== 'teacher')
  const staff = eaters.filter((one) => one.grade === 'teacher')
  const pill = (one: Eater) => (
    <label
      key={one.id}
      className={classes(
        'flex min-h-11 flex-col justify-center rounded-md border px-4 py-1.5 transition-colors',
        'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-500',
        one.id === chosen.id
          ? 'border-brand-700 bg-brand-700 text-white'
          : 'border-sand-300 bg-surface hover:bg-sand-100',
      )}
    >
      <input
        type="radio"
        name="eater"
        className="sr-only"
        checked={one.id === chosen.id}
        onChange={() => onChoose(one.id)}
      />
      <span className="leading-tight font-semibold">{one.name}</span>
      <span className="text-xs opacity-85">{gradeLabel(one.grade)}</span>
    </label>
  )
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Order for</legend>
      <div className="flex flex-wrap gap-2">{children.map(pill)}</div>
      {staff.length > 0 ? (
        <>
          <p className="flex items-center gap-3 text-xs font-semibold text-muted after:h-px after:flex-1 after:bg-line">
            Staff Account
          </p>
          <div className="flex flex-wrap gap-2">{staff.map(pill)}</div>
        </>
      ) : null}
      <p aria-live="polite" className="rounded-md bg-accent-50 px-4 py-2 text-sm text-accent-800">
        Now ordering for <strong>{chosen.name}</strong> ({gradeLabel(chosen.grade)})
      </p>
    </fieldset>
  )
}
