import { type ReactNode, useId } from 'react'
import { classes } from '../lib/classes'

/** What every field shares. `error` is announced and marks the control invalid; `hint` stays visible beside it. */
export type FieldWords = {
  label: ReactNode
  hint?: ReactNode
  error?: string
  /** Keeps the label for screen readers only, where the surroundings already say it. */
  hideLabel?: boolean
}

type ControlAttributes = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

type FieldProps = FieldWords & {
  id?: string
  className?: string
  children: (control: ControlAttributes) => ReactNode
}

/** Label, hint and error around one control; the function child puts the attributes on the control. */
export const Field = ({ label, hint, error, hideLabel, id, className, children }: FieldProps) => {
  const own = useId()
  const control = id ?? own
  const described = classes(hint ? `${control}-hint` : null, error ? `${control}-error` : null)
  return (
    <div className={classes('flex flex-col gap-1.5', className)}>
      <label htmlFor={control} className={hideLabel ? 'sr-only' : 'text-sm font-semibold text-sand-800'}>
        {label}
      </label>
      {children({
        id: control,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint ? (
        <p id={`${control}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${control}-error`} message={error} />
    </div>
  )
}

/** The message under a field; announced when it appears. Nothing without a message. */
export const FieldError = ({ id, message }: { id: string; message?: string }) =>
  message ? (
    <p id={id} role="alert" className="text-sm font-medium text-danger-600">
      {message}
    </p>
  ) : null

/** The look of every text control. */
export const controlClass = 'control'
