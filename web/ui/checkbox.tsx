import { Field as HeadlessField, Label, Switch as HeadlessSwitch } from '@headlessui/react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classes } from '../lib/classes'

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  hideLabel?: boolean
  ref?: Ref<HTMLInputElement>
}

/** The whole line is the target. */
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

type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  hideLabel?: boolean
}

/** Applies at once. */
export const Switch = ({ label, checked, onChange, disabled, hideLabel }: SwitchProps) => (
  <HeadlessField disabled={disabled} className="inline-flex min-h-9 items-center gap-2.5">
    <HeadlessSwitch
      checked={checked}
      onChange={onChange}
      className={classes(
        'relative inline-flex h-7 w-12 shrink-0 items-center rounded-xl p-0.5 transition-colors',
        // Extends the touch target.
        "before:absolute before:inset-x-0 before:-inset-y-2 before:content-['']",
        'bg-sand-400 data-checked:bg-brand-600 data-disabled:opacity-50',
      )}
    >
      <span
        className={classes(
          'size-6 rounded-xl bg-white shadow-card transition-transform',
          checked && 'translate-x-5',
        )}
      />
    </HeadlessSwitch>
    <Label className={hideLabel ? 'sr-only' : 'text-sm'}>{label}</Label>
  </HeadlessField>
)
