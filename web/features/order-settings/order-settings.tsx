import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { saveCutoff } from '#contracts/cycles'
import { showFieldErrors } from '../../lib/field-errors'
import { clockTime } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { notifyFailure } from '../../lib/notify-outcome'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { QueryFaces } from '../../ui/query-faces'
import { SkeletonLines } from '../../ui/skeleton'
import { TextField } from '../../ui/text-field'
import { cutoffQuery, saveCutoffTime } from './api'

/** Settings, Order Settings: until when today's meals can be ordered. */
export const OrderSettings = () => {
  const cutoff = useQuery(cutoffQuery)
  return (
    <Card>
      <CardHeading title="Order Settings" hint="Until when meals of the same day can be ordered" />
      <CardBody>
        <QueryFaces
          query={cutoff}
          failure="Failed to fetch cutoff time settings"
          waiting={<SkeletonLines lines={3} />}
        >
          {({ cutoffHour, cutoffMinute }) => (
            <CutoffForm saved={{ hour: cutoffHour, minute: cutoffMinute }} />
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const CutoffForm = ({ saved }: { saved: { hour: number; minute: number } }) => {
  const saving = useMutation(saveCutoffTime)
  const form = useForm({ resolver: zodResolver(saveCutoff.body), defaultValues: saved })
  const save = form.handleSubmit(async (typed) => {
    try {
      await saving.mutateAsync(typed)
      adminToast({ title: 'Cutoff time settings saved successfully' })
    } catch (error) {
      if (!showFieldErrors(form, error)) notifyFailure(error, 'Failed to save cutoff time')
    }
  })
  const [hour, minute] = useWatch({ control: form.control, name: ['hour', 'minute'] })
  const number = { type: 'number', inputMode: 'numeric', min: 0 } as const
  const { errors, isSubmitting } = form.formState
  return (
    <form noValidate onSubmit={save} className="flex max-w-form flex-col gap-4">
      <div className="grid grid-cols-2 items-start gap-4">
        <TextField
          {...form.register('hour', { valueAsNumber: true })}
          {...number}
          label="Hour"
          max={23}
          error={errors.hour?.message}
        />
        <TextField
          {...form.register('minute', { valueAsNumber: true })}
          {...number}
          label="Minute"
          max={59}
          error={errors.minute?.message}
        />
      </div>
      <p className="text-sm text-muted" aria-live="polite">
        {Number.isInteger(hour) && Number.isInteger(minute)
          ? `From ${clockTime(hour, minute)} on, the meals of that day can no longer be ordered. It applies at once.`
          : null}
      </p>
      <Button type="submit" busy={isSubmitting} busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Cutoff Time
      </Button>
    </form>
  )
}
