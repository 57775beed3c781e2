import { useState } from 'react'
import { longDay } from '../../../lib/format'
import { schoolDate } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { Notice } from '../../../ui/notice'
import { TextField } from '../../../ui/text-field'
import { comingMondays } from '../cycle-calendar'
import type { StepProps } from './wizard'

/** Step 2: the Monday it starts on; any other date becomes the Monday of its week, and this is said. */
export const StartDateStep = ({ wizard, act }: StepProps) => {
  const [today] = useState(() => schoolDate(new Date().toISOString()))
  const pick = (date: string) => act({ type: 'date', date })
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Start date"
        type="date"
        value={wizard.typed}
        onChange={(event) => pick(event.target.value)}
        hint="New cycles must start on a Monday."
        error={
          wizard.asked && wizard.startDate === '' ? 'Please select a Monday as the start date.' : undefined
        }
      />
      <div className="flex flex-wrap gap-2">
        {comingMondays(today, 3).map((monday) => (
          <Button
            key={monday}
            size="sm"
            variant="secondary"
            aria-pressed={monday === wizard.startDate}
            onClick={() => pick(monday)}
          >
            {longDay(monday)}
          </Button>
        ))}
      </div>
      <div aria-live="polite">
        {wizard.snappedFrom ? <Snapped from={wizard.snappedFrom} to={wizard.startDate} /> : null}
        {wizard.startDate && !wizard.snappedFrom ? (
          <p className="font-semibold text-brand-800">{`The cycle starts on ${longDay(wizard.startDate)}.`}</p>
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
