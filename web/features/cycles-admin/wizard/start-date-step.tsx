import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { longDay } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { TextField } from '../../../ui/text-field'
import { comingMondays } from '../cycle-calendar'
import { type NewCycle, startOf, withinWeeks } from './wizard'
import { FieldError } from '../../../ui/field'
import { RadioCards } from '../../../ui/radio-cards'

/** Step 2: the Monday it starts on; any other date becomes the Monday of its week, and this is said. */
export const StartDateStep = () => {
  const [today] = useState(() => schoolDate(schoolNow()))
  const {
    control,
    setValue,
    formState: { errors },
  } = useFormContext<NewCycle>()
  const picked = useWatch({ control, name: 'picked' })
  const startDate = startOf(picked)
  const isMonday = picked === startDate
  const pick = (date: string) => {
    setValue('picked', date, { shouldValidate: errors.picked !== undefined })
    if (startOf(date) !== startDate) setValue('blockedDays', [])
  }
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Start date"
        type="date"
        value={startDate || picked}
        onChange={(event) => pick(event.target.value)}
        hint="New cycles must start on a Monday."
        error={errors.picked?.message}
      />
      <div className="flex flex-wrap gap-2">
        {comingMondays(today, 3).map((monday) => (
          <Button
            key={monday}
            size="sm"
            variant="secondary"
            aria-pressed={monday === startDate}
            onClick={() => pick(monday)}
          >
            {longDay(monday)}
          </Button>
        ))}
      </div>
      <div aria-live="polite">
        {startDate && !isMonday ? <Snapped from={picked} to={startDate} /> : null}
        {startDate && isMonday ? (
          <p className="font-semibold text-brand-800">{`The cycle starts on ${longDay(startDate)}.`}</p>
        ) : null}
      </div>
    </div>
  )
}

const Snapped = ({ from, to }: { from: string; to: string }) => (
  <Notice tone="warning" title="Cycle must start on a Monday">
    <p>Please select a Monday as the start date.</p>
    <p className="text-ink">
      {`${longDay(from)} is not one, so the Monday of that week was taken: `}
      <strong>{longDay(to)}</strong>.
    </p>
  </Notice>
)

const lengths = [
  { value: 4, label: '4 weeks', hint: '20 school days' },
  { value: 6, label: '6 weeks', hint: '30 school days' },
] as const

/** Step 1: how long the cycle is. */
export const LengthStep = () => {
  const { control, setValue, getValues, formState } = useFormContext<NewCycle>()
  const choose = (weeks: 4 | 6) => {
    setValue('cycleLength', weeks, { shouldValidate: true })
    setValue('blockedDays', withinWeeks(getValues('blockedDays') ?? [], weeks))
  }
  return (
    <div className="flex flex-col gap-2">
      <RadioCards<4 | 6>
        label="How long is the cycle?"
        options={lengths}
        value={useWatch({ control, name: 'cycleLength' }) ?? null}
        onChange={choose}
      />
      <FieldError id="cycle-length-error" message={formState.errors.cycleLength?.message} />
    </div>
  )
}
