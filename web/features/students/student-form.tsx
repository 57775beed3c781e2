import { useEffect } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import type { BodyOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { CancelButton, Form, FormField, SubmitButton } from '../../ui/form'
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
export const StudentForm = ({ student, submit, busyLabel, failure, onSave, onCancel }: StudentFormProps) => (
  <Form
    schema={addStudent.body}
    defaultValues={{ name: student?.name ?? '', grade: student?.grade as StudentFields['grade'] }}
    onSave={async ({ name, grade }, form) => {
      await onSave({ name, grade })
      if (!student) form.reset(nextAfter({ name, grade }, form.getValues()))
    }}
    failed={(error) => notifyFailure(error, failure)}
    className="flex flex-col gap-4"
  >
    <FormField name="name" label="Name" autoComplete="off" maxLength={120} />
    <GradeField />
    {student ? <FocusOnName /> : null}
    <div className="flex justify-end gap-2">
      {onCancel ? <CancelButton onCancel={onCancel} /> : null}
      <SubmitButton busyLabel={busyLabel} className={onCancel ? undefined : 'w-full'}>
        {submit}
      </SubmitButton>
    </div>
  </Form>
)

const GradeField = () => {
  const {
    field: { ref, value, onChange },
    fieldState: { error },
  } = useController<StudentFields, 'grade'>({ name: 'grade' })
  return <GradeDial value={value} error={error?.message} ref={ref} onChange={onChange} />
}

const FocusOnName = () => {
  const { setFocus } = useFormContext<StudentFields>()
  useEffect(() => setFocus('name'), [setFocus])
  return null
}
