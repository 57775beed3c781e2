import { type ReactNode, useId } from 'react'
import { type FieldValues, FormProvider } from 'react-hook-form'
import { adminToast } from '../lib/toast'
import { useTyped } from '../lib/typed-forms'
import type { ButtonProps } from './button'
import { Dialog } from './dialog'
import { CancelButton, type FormOptions, SubmitButton, useSavedForm } from './form'

type FormDialogProps<Values extends FieldValues, Parsed> = FormOptions<Values, Parsed> & {
  title: string
  description?: string
  /** Label of the save button. */
  submit: string
  busyLabel?: string
  /** Label of the cancel button; "Cancel" by default. */
  keep?: string
  variant?: ButtonProps['variant']
  /** Success notification. */
  done?: string
  onClose: () => void
  className?: string
  children: ReactNode
}

export const FormDialog = <Values extends FieldValues, Parsed>({
  title,
  description,
  submit,
  busyLabel,
  keep,
  variant,
  done,
  onSave,
  onClose,
  className,
  children,
  ...options
}: FormDialogProps<Values, Parsed>) => {
  const id = useId()
  const { form, save, notice, question } = useSavedForm<Values, Parsed>({
    ...options,
    onSave: async (parsed, saved) => {
      await onSave(parsed, saved)
      if (done) adminToast({ title: done })
      onClose()
    },
  })
  useTyped(form.formState.isDirty)
  return (
    <FormProvider {...form}>
      <Dialog
        open
        onClose={onClose}
        title={title}
        description={description}
        actions={
          <>
            <CancelButton label={keep} onCancel={onClose} />
            <SubmitButton form={id} variant={variant} busyLabel={busyLabel}>
              {submit}
            </SubmitButton>
          </>
        }
      >
        <form id={id} noValidate onSubmit={save} className={className}>
          {children}
          {notice}
        </form>
        {question}
      </Dialog>
    </FormProvider>
  )
}
