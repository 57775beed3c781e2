import { Description, Field, Label, Radio, RadioGroup } from '@headlessui/react'
import type { KeyboardEvent, Ref } from 'react'
import { gradeNames } from '#contracts/identity'
import { classes } from '../../lib/classes'

type GradeDialProps = {
  value: string | undefined
  error?: string
  onChange: (grade: string) => void
  /** The first option, so that a form can bring the focus here. */
  ref?: Ref<HTMLElement>
}

/**
 * The fourteen grades around a circle. They are radio buttons: one stop in the tab order, arrow keys turn the dial, Home
 * and End go to its ends. The chosen grade stands large in the middle.
 */
export const GradeDial = ({ value, error, onChange, ref }: GradeDialProps) => (
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
        // The field keeps the group's label and message from the single grade.
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

// Headless UI turns the dial by the arrows alone.
const toTheEnds = (event: KeyboardEvent<HTMLElement>) => {
  const options = event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')
  const end = { Home: options[0], End: options[options.length - 1] }[event.key]
  if (!end) return
  event.preventDefault()
  end.focus()
  end.click()
}
