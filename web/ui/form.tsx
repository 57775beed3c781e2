import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, Suspense, useState } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type PathValue,
  FormProvider,
  useForm,
  useFormContext,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import type { ChangedMeanwhile } from '#contracts/endpoint'
import { CallError } from '../lib/call'
import { changedIn } from '../lib/changed-meanwhile'
import { lazyComponent } from '../lib/lazy'
import { notifyFailure } from '../lib/toast'
import { typedNumber } from '../lib/typed-number'
import { Button, type ButtonProps } from './button'
import { ChangedNotice } from './changed-notice'
import { TextArea, type TextAreaProps, TextField, type TextFieldProps } from './field'
import type { PasswordQuestionProps } from './password-question'
import { Select, type SelectProps } from './select'
import { useUnsaved } from './unsaved'

export type FormOptions<Values extends FieldValues, Parsed> = {
  schema: z.core.$ZodType<Parsed, Values>
  defaultValues: DefaultValues<Values>
  onSave: (parsed: Parsed, form: UseFormReturn<Values, unknown, Parsed>) => unknown
  /** Text for administrators when the server named no field and gave no words, or a handler. */
  failed: string | ((error: unknown) => void)
}

type FormProps<Values extends FieldValues, Parsed> = FormOptions<Values, Parsed> & {
  /** For a submit button outside of the form. */
  id?: string
  className?: string
  children: ReactNode
}

/** Validates before saving; keeps input on failure. */
export const Form = <Values extends FieldValues, Parsed>({
  id,
  className,
  children,
  ...options
}: FormProps<Values, Parsed>) => {
  const { form, save, notice, question } = useSavedForm(options)
  return (
    <FormProvider {...form}>
      {/* Without scripts, input never ends up in an address. */}
      <form id={id} method="post" noValidate onSubmit={save} className={className}>
        <ReportUnsaved />
        {children}
        {notice}
      </form>
      {question}
    </FormProvider>
  )
}

const ReportUnsaved = () => {
  useUnsaved(useFormState().isDirty)
  return null
}

/** A record's form holds its `version` among its values. A save that needs the password asks for it in a dialog, unless it is a field. */
export const useSavedForm = <Values extends FieldValues, Parsed>({
  schema,
  defaultValues,
  onSave,
  failed,
}: FormOptions<Values, Parsed>) => {
  const form = useForm<Values, unknown, Parsed>({ resolver: zodResolver(schema), defaultValues })
  const [changed, setChanged] = useState<ChangedMeanwhile | null>(null)
  const [asked, setAsked] = useState<AskedPassword | null>(null)
  const fail = (error: unknown) => {
    const meanwhile = changedIn(error)
    if (meanwhile) return setChanged(meanwhile)
    const isShown = showFieldErrors(form, error)
    if (typeof failed !== 'string') failed(error)
    else if (!isShown) notifyFailure(error, failed)
  }
  const saveWith = (password?: string) =>
    form.handleSubmit(async (parsed) => {
      setChanged(null)
      try {
        await onSave(password ? { ...parsed, currentPassword: password } : parsed, form)
        setAsked(null)
      } catch (error) {
        const fault = 'currentPassword' in defaultValues ? undefined : passwordFault(error)
        setAsked(fault ? { error: password && fault } : null)
        if (!fault) fail(error)
      }
    })
  const saveAnyway = (version: string) => {
    form.setValue('version' as FieldPath<Values>, version as PathValue<Values, FieldPath<Values>>)
    void saveWith()()
  }
  const notice = changed ? (
    <ChangedNotice changed={changed} onSaveAnyway={() => saveAnyway(changed.version)} />
  ) : null
  const question = asked ? (
    <Suspense>
      <PasswordQuestion
        error={asked.error}
        onPassword={(password) => saveWith(password)()}
        onClose={() => setAsked(null)}
      />
    </Suspense>
  ) : null
  return { form, save: saveWith(), notice, question }
}

/** The fault is that of a password given before. */
type AskedPassword = Pick<PasswordQuestionProps, 'error'>

const PasswordQuestion = lazyComponent<PasswordQuestionProps>(() =>
  import('./password-question').then((m) => m.PasswordQuestion),
)

const passwordFault = (error: unknown): string | undefined =>
  error instanceof CallError ? error.fields.currentPassword : undefined

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
  /** A typed number, which may have a decimal comma, blanks and a K. */
  number?: boolean
} & (TextFieldProps | TextAreaProps | SelectProps)

/** A select with `options`, lines with `rows`, else one line. */
export const FormField = ({ name, deps, number, ...props }: FormFieldProps) => {
  const { register, getFieldState, formState } = useFormContext()
  const field = {
    ...register(name, { ...(number && { setValueAs: typedNumber }), deps }),
    ...(number && { inputMode: 'decimal' as const, autoComplete: 'off' }),
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
