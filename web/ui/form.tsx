import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  FormProvider,
  useForm,
  useFormContext,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { CallError } from '../lib/call'
import { notifyFailure } from '../lib/toast'
import { Button, type ButtonProps } from './button'
import { Select, type SelectProps } from './select'
import { useUnsaved } from './unsaved'
import { TextArea, type TextAreaProps, TextField, type TextFieldProps } from './field'

export type FormOptions<Values extends FieldValues, Parsed> = {
  schema: z.core.$ZodType<Parsed, Values>
  defaultValues: DefaultValues<Values>
  onSave: (parsed: Parsed, form: UseFormReturn<Values, unknown, Parsed>) => unknown
  /** Text for administrators when the server named no field and gave no words, or a handler. */
  failed: string | ((error: unknown) => void)
}

type FormProps<Values extends FieldValues, Parsed> = FormOptions<Values, Parsed> & {
  className?: string
  children: ReactNode
}

/** Validates before saving; keeps input on failure. */
export const Form = <Values extends FieldValues, Parsed>({
  className,
  children,
  ...options
}: FormProps<Values, Parsed>) => {
  const { form, save } = useSavedForm(options)
  return (
    <FormProvider {...form}>
      {/* Without scripts, input never ends up in an address. */}
      <form method="post" noValidate onSubmit={save} className={className}>
        <ReportUnsaved />
        {children}
      </form>
    </FormProvider>
  )
}

const ReportUnsaved = () => {
  useUnsaved(useFormState().isDirty)
  return null
}

export const useSavedForm = <Values extends FieldValues, Parsed>({
  schema,
  defaultValues,
  onSave,
  failed,
}: FormOptions<Values, Parsed>) => {
  const form = useForm<Values, unknown, Parsed>({ resolver: zodResolver(schema), defaultValues })
  const save = form.handleSubmit(async (parsed) => {
    try {
      await onSave(parsed, form)
    } catch (error) {
      const isShown = showFieldErrors(form, error)
      if (typeof failed !== 'string') failed(error)
      else if (!isShown) notifyFailure(error, failed)
    }
  })
  return { form, save }
}

const showFieldErrors = <Values extends FieldValues, Parsed>(
  form: UseFormReturn<Values, unknown, Parsed>,
  error: unknown,
): boolean => {
  if (!(error instanceof CallError)) return false
  const known = Object.entries(error.fields).filter(([name]) => name in form.getValues())
  for (const [at, [name, message]] of known.entries())
    form.setError(name as FieldPath<Values>, { type: 'server', message }, { shouldFocus: at === 0 })
  return known.length > 0
}

type FormFieldProps = {
  name: string
  /** Validated together with this field. */
  deps?: string
} & (TextFieldProps | TextAreaProps | SelectProps)

/** A select with `options`, lines with `rows`, else one line. */
export const FormField = ({ name, deps, ...props }: FormFieldProps) => {
  const { register, getFieldState, formState } = useFormContext()
  const isNumber = 'type' in props && props.type === 'number'
  const field = {
    ...register(name, { valueAsNumber: isNumber, deps }),
    error: getFieldState(name, formState).error?.message,
  }
  if ('options' in props) return <Select {...props} {...field} />
  if ('rows' in props) return <TextArea {...props} {...field} />
  return <TextField {...(props as TextFieldProps)} {...field} />
}

/** Busy while saving. */
export const SubmitButton = (props: ButtonProps) => (
  <Button {...props} type="submit" busy={useFormState().isSubmitting} />
)

/** Disabled while saving. */
export const CancelButton = ({
  label = 'Cancel',
  onCancel,
}: {
  label?: string | undefined
  onCancel: () => void
}) => (
  <Button variant="secondary" disabled={useFormState().isSubmitting} onClick={onCancel}>
    {label}
  </Button>
)
