import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from 'react'
import { classes } from '../lib/classes'
import { controlClass, Field, type FieldWords } from './field'

export type TextFieldProps = FieldWords &
  InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

/** A labelled line of text; `type` may be email, password, number, search, date and so on. */
export const TextField = ({ label, hint, error, hideLabel, id, className, ...input }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error} hideLabel={hideLabel} id={id} className={className}>
    {(control) => <input {...input} {...control} className={controlClass} />}
  </Field>
)

export type TextAreaProps = FieldWords &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }

/** A labelled text of several lines. */
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
