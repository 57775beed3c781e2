import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react'
import { classes } from '../lib/classes'

/** `error` is announced and invalidates the control; `hint` stays visible. */
export type FieldText = {
  label: ReactNode
  hint?: ReactNode
  error?: string
  /** For screen readers only. */
  hideLabel?: boolean
}

type ControlAttributes = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

type FieldProps = FieldText & {
  id?: string
  className?: string
  children: (control: ControlAttributes) => ReactNode
}

/** The function child receives the control's attributes. */
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

/** Announced when it appears. */
export const FieldError = ({ id, message }: { id: string; message?: string }) =>
  message ? (
    <p id={id} role="alert" className="text-sm font-medium text-danger-600">
      {message}
    </p>
  ) : null

export const controlClass = 'control'

export type TextFieldProps = FieldText &
  InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

/** `type` as of an input: email, password, search, date. */
export const TextField = ({ label, hint, error, hideLabel, id, className, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error} hideLabel={hideLabel} id={id} className={className}>
    {(control) =>
      input.type === 'password' ? (
        <PasswordInput {...input} {...control} />
      ) : (
        <input {...input} {...control} className={controlClass} />
      )
    }
  </Field>
)

const PasswordInput = (input: ComponentProps<'input'>) => {
  const [isShown, setShown] = useState(false)
  return (
    <span className="relative">
      <input
        {...input}
        type={isShown ? 'text' : 'password'}
        className={classes(controlClass, 'w-full pr-16')}
      />
      <button
        type="button"
        aria-label={isShown ? 'Hide password' : 'Show password'}
        disabled={input.disabled}
        onClick={() => setShown(!isShown)}
        className="tap absolute inset-y-0 right-0 px-3 text-sm font-semibold text-brand-700"
      >
        {isShown ? 'Hide' : 'Show'}
      </button>
    </span>
  )
}

export type TextAreaProps = FieldText &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }

export const TextArea = ({
  label,
  hint,
  error,
  hideLabel,
  id,
  className,
  rows = 3,
  ...area
}: TextAreaProps) => (
  <Field label={label} hint={hint} error={error} hideLabel={hideLabel} id={id} className={className}>
    {(control) => (
      <textarea {...area} {...control} rows={rows} className={classes(controlClass, 'resize-y')} />
    )}
  </Field>
)

type CsvFieldProps = { disabled: boolean; onFile: (file: File | null) => void }

/** One CSV file. */
export const CsvField = ({ disabled, onFile }: CsvFieldProps) => (
  <Field label="CSV file" className="min-w-0 flex-1">
    {(control) => (
      <input
        {...control}
        type="file"
        accept=".csv,.txt,text/csv"
        disabled={disabled}
        onChange={(event) => onFile(event.target.files?.[0] ?? null)}
        className="min-h-11 w-full rounded-md border border-sand-400 bg-surface text-sm text-muted file:mr-3 file:min-h-11 file:bg-sand-100 file:px-3 file:font-semibold file:text-ink"
      />
    )}
  </Field>
)
