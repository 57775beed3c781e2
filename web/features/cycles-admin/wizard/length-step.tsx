import { useFormContext, useWatch } from 'react-hook-form'
import { FieldError } from '../../../ui/field'
import { RadioCards } from '../../../ui/radio-cards'
import { type NewCycle, withinWeeks } from './wizard'

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
