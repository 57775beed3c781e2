import { type Ref, useId } from 'react'
import { classes } from '../lib/classes'
import { FieldError } from './field'
import type { Choice } from './select'

type ChipGroupProps = {
  label: string
  options: readonly Choice[]
  chosen: readonly string[]
  onToggle: (value: string) => void
  hint?: string
  error?: string
  /** For focusing from a form. */
  ref?: Ref<HTMLInputElement>
}

/** Checkboxes drawn as chips; one error for the group. */
export const ChipGroup = ({ label, options, chosen, onToggle, hint, error, ref }: ChipGroupProps) => {
  const id = useId()
  const described = classes(hint ? `${id}-hint` : null, error ? `${id}-error` : null)
  return (
    <fieldset aria-describedby={described || undefined} data-invalid={error ? true : undefined}>
      <legend className="mb-1.5 text-sm font-semibold text-sand-800">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option, at) => (
          <Chip
            ref={at === 0 ? ref : undefined}
            key={option.value}
            option={option}
            checked={chosen.includes(option.value)}
            invalid={error !== undefined}
            onToggle={() => onToggle(option.value)}
          />
        ))}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-xs text-muted">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`} message={error} />
    </fieldset>
  )
}

type ChipProps = {
  option: Choice
  checked: boolean
  invalid: boolean
  onToggle: () => void
  ref?: Ref<HTMLInputElement>
}

const Chip = ({ option, checked, invalid, onToggle, ref }: ChipProps) => (
  <label
    className={classes(
      'inline-flex min-h-11 items-center gap-2 rounded-md border px-3 text-sm transition-colors',
      checked
        ? 'border-brand-600 bg-brand-50 font-semibold text-brand-800'
        : 'border-sand-300 bg-surface hover:bg-sand-50',
      invalid && 'border-danger-600',
      option.disabled && 'opacity-50',
    )}
  >
    <input
      ref={ref}
      type="checkbox"
      checked={checked}
      onChange={onToggle}
      disabled={option.disabled}
      aria-invalid={invalid || undefined}
      className="size-4"
    />
    {option.label}
  </label>
)
