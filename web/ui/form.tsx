import { zodResolver } from '@hookform/resolvers/zod'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  useForm,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { CallError } from '../lib/call'

type FormSchema = z.ZodMiniType<FieldValues, FieldValues>

export type SchemaForm<In extends FieldValues, Out> = UseFormReturn<In, unknown, Out> & {
  /** For the `onSubmit` of the form element. */
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>
  busy: boolean
  /** The message to show under a field, if any. */
  errorOf: (name: FieldPath<In>) => string | undefined
}

type FormNeeds<Schema extends FormSchema> = {
  schema: Schema
  defaultValues: DefaultValues<z.input<Schema>>
  /** Gets the parsed values. What it throws reaches the fields, or `onFailure`. */
  onSubmit: (values: z.output<Schema>) => Promise<unknown>
  /** Hears a failure that no field of this form can show. */
  onFailure?: (error: unknown) => void
}

/**
 * A form over a contract's schema: messages come from the schema on submit, then as the user mends them; the first
 * wrong field gets the focus. Messages the server has for fields of this form appear under them.
 */
export const useSchemaForm = <Schema extends FormSchema>(
  needs: FormNeeds<Schema>,
): SchemaForm<z.input<Schema>, z.output<Schema>> => {
  type In = z.input<Schema>
  type Out = z.output<Schema>
  const form = useForm<In, unknown, Out>({
    resolver: zodResolver(needs.schema as never) as unknown as Resolver<In, unknown, Out>,
    defaultValues: needs.defaultValues,
  })
  const send = async (values: Out) => {
    try {
      await needs.onSubmit(values)
    } catch (error) {
      if (!showInFields(form, error)) needs.onFailure?.(error)
    }
  }
  return Object.assign({}, form, {
    submit: form.handleSubmit(send),
    busy: form.formState.isSubmitting,
    formState: form.formState,
    errorOf: (name: FieldPath<In>) => form.getFieldState(name, form.formState).error?.message,
  })
}

const showInFields = <In extends FieldValues, Out>(form: UseFormReturn<In, unknown, Out>, error: unknown) => {
  if (!(error instanceof CallError)) return false
  const known = Object.entries(error.fields).filter(([name]) => name in form.getValues())
  for (const [at, [name, message]] of known.entries())
    form.setError(name as FieldPath<In>, { type: 'server', message }, { shouldFocus: at === 0 })
  return known.length > 0
}
