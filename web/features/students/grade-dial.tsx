import { type KeyboardEvent, type Ref, useId } from 'react'
import { gradeNames } from '#contracts/identity'
import { classes } from '../../lib/classes'
import { FieldError } from '../../ui/field'

type GradeDialProps = {
  name: string
  value: string | undefined
  error?: string
  onChange: (grade: string) => void
  /** The first option, so that a form can bring the focus here. */
  ref?: Ref<HTMLInputElement>
}

/**
 * The fourteen grades around a circle. They are radio buttons: one stop in the tab order, arrow keys turn the dial, Home
 * and End go to its ends. The chosen grade stands large in the middle.
 */
export const GradeDial = ({ name, value, error, onChange, ref }: GradeDialProps) => {
  const id = useId()
  return (
    <fieldset
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-required
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      onKeyDown={toTheEnds}
      className="flex flex-col items-center gap-2"
    >
      <legend id={`${id}-label`} className="mb-1.5 text-sm font-semibold text-sand-800">
        Grade
      </legend>
      <div
        className={classes(
          'dial rounded-full border bg-sand-50',
          error ? 'border-danger-600' : 'border-line',
        )}
      >
        {gradeNames.map((grade, index) => (
          <label
            key={grade}
            className={classes(
              'dial-option grid place-items-center rounded-full text-sm font-semibold transition-colors',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-500',
              grade === value ? 'bg-brand-700 text-white' : 'bg-surface shadow-card hover:bg-brand-100',
            )}
          >
            <input
              ref={index === 0 ? ref : undefined}
              type="radio"
              name={name}
              value={grade}
              checked={grade === value}
              onChange={() => onChange(grade)}
              className="sr-only"
              aria-label={`Grade ${grade}`}
            />
            {grade}
          </label>
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
      <FieldError id={`${id}-error`} message={error} />
    </fieldset>
  )
}

// Browsers turn radio buttons by the arrows alone.
const toTheEnds = (event: KeyboardEvent<HTMLFieldSetElement>) => {
  const options = event.currentTarget.querySelectorAll('input')
  const end = { Home: options[0], End: options[options.length - 1] }[event.key]
  if (!end) return
  event.preventDefault()
  end.focus()
  end.click()
}
