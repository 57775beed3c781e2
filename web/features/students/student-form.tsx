import { Description, Field, Label, Radio, RadioGroup } from '@headlessui/react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import type { BodyOf } from '#contracts/endpoint'
import { addStudent, gradeNames, type Student } from '#contracts/identity'
import { classes } from '../../lib/classes'
import { Button } from '../../ui/button'
import { CancelButton, Form, FormField, SubmitButton } from '../../ui/form'
import { notifyFailure } from './api'

export type StudentValues = { name: string; grade: string }
export type StudentFields = Pick<BodyOf<typeof addStudent>, 'name' | 'grade'>

type StudentFormProps = {
  /** Undefined for a new one. */
  student?: StudentValues
  submit: string
  busyLabel?: string
  failure: string
  onSave: (values: StudentFields) => Promise<Student | void>
  /** Of a new child; `isNextTyped`: another one was begun meanwhile. */
  onSaved?: (child: Student, isNextTyped: boolean) => void
  onCancel?: () => void
  /** When opened by a press. */
  takesFocus?: boolean
}

/** Keeps what was typed while the last child was being saved. */
const nextAfter = (saved: StudentFields, typed: StudentFields) => ({
  name: typed.name.trim() === saved.name ? '' : typed.name,
  grade: typed.grade === saved.grade ? undefined : typed.grade,
})

export const StudentForm = ({
  student,
  submit,
  busyLabel,
  failure,
  onSave,
  onSaved,
  onCancel,
  takesFocus = student !== undefined,
}: StudentFormProps) => (
  <Form
    schema={addStudent.body}
    defaultValues={{ name: student?.name ?? '', grade: student?.grade as StudentFields['grade'] }}
    onSave={async ({ name, grade }, form) => {
      const child = await onSave({ name, grade })
      if (!child) return
      const next = nextAfter({ name, grade }, form.getValues())
      form.reset(next)
      onSaved?.(child, next.name !== '')
    }}
    failed={(error) => notifyFailure(error, failure)}
    className="flex flex-col gap-4"
  >
    <FormField name="name" label="Name" autoComplete="off" maxLength={120} />
    <GradeField />
    {takesFocus ? <FocusOnName /> : null}
    <div className="flex justify-end gap-2">
      {onCancel ? <CancelButton onCancel={onCancel} /> : null}
      <SubmitButton busyLabel={busyLabel} className={onCancel ? undefined : 'w-full'}>
        {submit}
      </SubmitButton>
    </div>
  </Form>
)

type AddedProps = {
  added: readonly Student[]
  /** What to ask of a new child. */
  question: (student: Student) => ReactNode
  onAnother: () => void
  onChooseMeals: () => void
}

/** In the place of the form. */
export const AddedChildren = ({ added, question, onAnother, onChooseMeals }: AddedProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView?.({ block: 'center' })
  }, [])
  return (
    <div className="flex flex-col gap-4">
      <h2
        ref={heading}
        tabIndex={-1}
        className="font-display text-xl font-semibold wrap-anywhere outline-none"
      >
        {addedText(added)}
      </h2>
      {added.map(question)}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" icon="plus" className="flex-1 whitespace-nowrap" onClick={onAnother}>
          Add another
        </Button>
        <Button icon="calendar" className="flex-1 whitespace-nowrap" onClick={onChooseMeals}>
          Choose meals
        </Button>
      </div>
    </div>
  )
}

export const addedText = (added: readonly { name: string }[]): string => {
  const names = new Intl.ListFormat('en').format(added.map(({ name }) => name))
  return `${names} ${added.length === 1 ? 'is' : 'are'} added`
}

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

type GradeDialProps = {
  value: string | undefined
  error?: string
  onChange: (grade: string) => void
  /** First option, for focusing from a form. */
  ref?: Ref<HTMLElement>
}

/** A radio group in a circle: one Tab stop, arrows turn the dial, Home and End jump. The chosen grade is large in the middle. */
const GradeDial = ({ value, error, onChange, ref }: GradeDialProps) => (
  <RadioGroup
    value={value ?? ''}
    onChange={onChange}
    aria-required
    aria-invalid={error ? true : undefined}
    onKeyDown={toTheEnds}
    className="flex flex-col items-center gap-2"
  >
    <Label className="-mb-0.5 self-start text-sm font-semibold text-sand-800">Grade</Label>
    <div
      className={classes('dial rounded-full border bg-sand-50', error ? 'border-danger-600' : 'border-line')}
    >
      {gradeNames.map((grade, index) => (
        // Without Field each grade would take the group's label and message.
        <Field key={grade} className="dial-option">
          <Radio
            ref={index === 0 ? ref : undefined}
            value={grade}
            aria-label={`Grade ${grade}`}
            className="grid size-full cursor-pointer place-items-center rounded-full bg-surface text-sm font-semibold shadow-card transition-colors hover:bg-brand-100 data-checked:bg-brand-700 data-checked:text-white data-checked:shadow-none"
          >
            {grade}
          </Radio>
        </Field>
      ))}
      <span
        aria-hidden="true"
        className="dial-middle pointer-events-none grid place-items-center text-center text-xs leading-tight text-muted"
      >
        {value ? (
          <span>
            Grade
            <strong className="block font-display text-2xl text-brand-800">{value}</strong>
          </span>
        ) : (
          'Choose a grade'
        )}
      </span>
    </div>
    {error ? (
      <Description as="p" role="alert" className="text-sm font-medium text-danger-600">
        {error}
      </Description>
    ) : null}
  </RadioGroup>
)

// Headless UI handles arrows only.
const toTheEnds = (event: KeyboardEvent<HTMLElement>) => {
  const options = event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')
  const end = { Home: options[0], End: options[options.length - 1] }[event.key]
  if (!end) return
  event.preventDefault()
  end.focus()
  end.click()
}
