import { useMutation, useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { saveCutoff } from '#contracts/cycles'
import { clockTime } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'
import { AllergySettings } from './allergy-settings'
import { cutoffQuery, saveCutoffTime } from './api'
import { OrderingRules } from './ordering-rules'

/** Settings, Order Settings: until when today's meals can be ordered, and what families may do with their orders. */
export const OrderSettings = () => (
  <div className="flex flex-col gap-5">
    <Cutoff />
    <OrderingRules />
    <AllergySettings />
  </div>
)

const Cutoff = () => {
  const cutoff = useQuery(cutoffQuery)
  return (
    <Card>
      <CardHeading title="Order Settings" hint="Until when meals of the same day can be ordered" />
      <CardBody>
        <QueryResult query={cutoff} failure="Failed to fetch cutoff time settings">
          {({ cutoffHour, cutoffMinute }) => (
            <CutoffForm saved={{ hour: cutoffHour, minute: cutoffMinute }} />
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const CutoffForm = ({ saved }: { saved: { hour: number; minute: number } }) => {
  const saving = useMutation(saveCutoffTime)
  const number = { type: 'number', inputMode: 'numeric', min: 0 } as const
  return (
    <Form
      schema={saveCutoff.body}
      defaultValues={saved}
      onSave={async (body) => {
        await saving.mutateAsync({ body })
        adminToast({ title: 'Cutoff time settings saved successfully' })
      }}
      failed="Failed to save cutoff time"
      className="flex max-w-form flex-col gap-4"
    >
      <div className="grid grid-cols-2 items-start gap-4">
        <FormField name="hour" {...number} label="Hour" max={23} />
        <FormField name="minute" {...number} label="Minute" max={59} />
      </div>
      <Consequence />
      <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
        Save Cutoff Time
      </SubmitButton>
    </Form>
  )
}

const Consequence = () => {
  const [hour, minute] = useWatch<{ hour: number; minute: number }, ['hour', 'minute']>({
    name: ['hour', 'minute'],
  })
  return (
    <p className="text-sm text-muted" aria-live="polite">
      {Number.isInteger(hour) && Number.isInteger(minute)
        ? `From ${clockTime(hour, minute)} on, the meals of that day can no longer be ordered. It applies at once.`
        : null}
    </p>
  )
}
