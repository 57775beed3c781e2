import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useController, useForm } from 'react-hook-form'
import type { BodyOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { showFieldErrors } from '../../lib/field-errors'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/text-field'
import { notifyFailure } from './api'
import { GradeDial } from './grade-dial'

export type StudentValues = { name: string; grade: string }
export type StudentFields = Pick<BodyOf<typeof addStudent>, 'name' | 'grade'>

type StudentFormProps = {
  /** The student as it is; nothing for a new one. */
  student?: StudentValues
  submit: string
  busyLabel?: string
  failure: string
  onSave: (values: StudentFields) => Promise<unknown>
  onCancel?: () => void
}

/** An empty form for the next child, but for what was entered for it while this one was on its way. */
const nextAfter = (saved: StudentFields, typed: StudentFields) => ({
  name: typed.name.trim() === saved.name ? '' : typed.name,
  grade: typed.grade === saved.grade ? undefined : typed.grade,
})

/** Name and grade of a child, new or known. What is typed stays when saving fails. */
export const StudentForm = ({ student, submit, busyLabel, failure, onSave, onCancel }: StudentFormProps) => {
  const form = useForm({
    resolver: zodResolver(addStudent.body),
    defaultValues: { name: student?.name ?? '', grade: student?.grade as StudentFields['grade'] },
  })
  const save = form.handleSubmit(async ({ name, grade }) => {
    try {
      await onSave({ name, grade })
      if (!student) form.reset(nextAfter({ name, grade }, form.getValues()))
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, failure)
    }
  })
  // The order of registering is the order in which wrong fields get the focus.
  const name = form.register('name')
  const {
    field: { ref, value, onChange },
  } = useController({ control: form.control, name: 'grade' })
  const { setFocus } = form
  const isKnown = student !== undefined
  useEffect(() => {
    if (isKnown) setFocus('name')
  }, [isKnown, setFocus])
  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={save} noValidate className="flex flex-col gap-4">
      <TextField label="Name" autoComplete="off" maxLength={120} error={errors.name?.message} {...name} />
      <GradeDial value={value} error={errors.grade?.message} ref={ref} onChange={onChange} />
      <div className="flex justify-end gap-2">
        {onCancel ? (
          <Button variant="secondary" onClick={onCancel} disabled={isSubmitting}>
            Cancel
          </Button>
        ) : null}
        <Button
          type="submit"
          busy={isSubmitting}
          busyLabel={busyLabel}
          className={onCancel ? undefined : 'w-full'}
        >
          {submit}
        </Button>
      </div>
    </form>
  )
}
