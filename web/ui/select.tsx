import type { Ref, SelectHTMLAttributes } from 'react'
import { classes } from '../lib/classes'
import { controlClass, Field, type FieldText } from './field'
import { Icon } from './icon'

export type Choice = { value: string; label: string; disabled?: boolean }

export type SelectProps = FieldText &
  SelectHTMLAttributes<HTMLSelectElement> & {
    options: readonly Choice[]
    /** Not selectable again. */
    placeholder?: string
    ref?: Ref<HTMLSelectElement>
  }

export const Select = ({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  options,
  placeholder,
  ...select
}: SelectProps) => (
  <Field label={label} hint={hint} error={error} hideLabel={hideLabel} id={id} className={className}>
    {(control) => (
      <span className="relative block">
        <select {...select} {...control} className={classes(controlClass, 'appearance-none truncate pr-9')}>
          {placeholder ? (
            <option value="" disabled>
              {placeholder}
            </option>
          ) : null}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon
          name="chevron-down"
          size="sm"
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </span>
    )}
  </Field>
)
