import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classes } from '../lib/classes'

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  hideLabel?: boolean
  ref?: Ref<HTMLInputElement>
}

/** A box to tick with its words; the whole line takes the press. */
export const Checkbox = ({ label, hint, hideLabel, className, ...input }: CheckboxProps) => {
  const hintId = useId()
  return (
    <label
      className={classes(
        'inline-flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11',
        hideLabel && 'pointer-coarse:min-w-11 pointer-coarse:justify-center',
        className,
      )}
    >
      <input
        {...input}
        type="checkbox"
        aria-describedby={hint ? hintId : undefined}
        className="size-5 shrink-0 rounded-sm"
      />
      <span className={hideLabel ? 'sr-only' : undefined}>
        {label}
        {hint ? (
          <span id={hintId} className="block text-xs text-muted">
            {hint}
          </span>
        ) : null}
      </span>
    </label>
  )
}
