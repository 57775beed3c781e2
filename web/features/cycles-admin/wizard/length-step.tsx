import { FieldError } from '../../../ui/field'
import { RadioCards } from '../../../ui/radio-cards'
import type { StepProps } from './wizard'

const lengths = [
  { value: 4, label: '4 weeks', hint: '20 school days' },
  { value: 6, label: '6 weeks', hint: '30 school days' },
] as const

/** Step 1: how long the cycle is. */
export const LengthStep = ({ wizard, act }: StepProps) => (
  <div className="flex flex-col gap-2">
    <RadioCards<4 | 6>
      label="How long is the cycle?"
      options={lengths}
      value={wizard.cycleLength}
      onChange={(weeks) => act({ type: 'length', weeks })}
    />
    <FieldError
      id="cycle-length-error"
      message={wizard.asked && wizard.cycleLength === null ? 'Missing required information' : undefined}
    />
  </div>
)
