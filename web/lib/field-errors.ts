import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError } from './call'

type FormErrors<Values extends FieldValues> = Pick<
  UseFormReturn<Values, unknown, unknown>,
  'getValues' | 'setError'
>

/** Shows under each field of the form what the server said about it; false when it said nothing about any of them. */
export const showFieldErrors = <Values extends FieldValues>(
  form: FormErrors<Values>,
  error: unknown,
): boolean => {
  if (!(error instanceof CallError)) return false
  const known = Object.entries(error.fields).filter(([name]) => name in form.getValues())
  for (const [at, [name, message]] of known.entries())
    form.setError(name as FieldPath<Values>, { type: 'server', message }, { shouldFocus: at === 0 })
  return known.length > 0
}
