import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { type getCutoff, previewCutoff, saveCutoff } from '#contracts/cycles'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { endpointMutation, useFresh } from '../../lib/endpoint-query'
import { clockTime, counted, dayAndMonth, weekdayOf } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { cutoffQuery } from '../../queries/cycles'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { Checkbox } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Form, FormField, SubmitButton } from '../../ui/form'
import { QueryResult } from '../../ui/query-result'

type CutoffBody = BodyOf<typeof saveCutoff>

/** Until when a date can be ordered. */
export const Cutoff = () => {
  const cutoff = useFresh(freshCutoffQuery)
  return (
    <Card>
      <CardHeading title="Order Settings" hint="Until when meals of a day can be ordered" />
      <CardBody>
        <QueryResult query={cutoff} failure="Failed to fetch cutoff time settings">
          {(saved) => <CutoffForm saved={typedOf(saved)} />}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const typedOf = ({ cutoffHour, cutoffMinute, ...rest }: ReplyOf<typeof getCutoff>): CutoffBody => ({
  hour: cutoffHour,
  minute: cutoffMinute,
  ...rest,
})

const CutoffForm = ({ saved }: { saved: CutoffBody }) => {
  const saving = useMutation(saveCutoffTime)
  const looking = useMutation(lookAtCutoff)
  const { agreed, question } = useClosingQuestion()
  return (
    <>
      <Form
        schema={saveCutoff.body}
        defaultValues={saved}
        onSave={async (body, form) => {
          const { closes } = await looking.mutateAsync({ body })
          if (closes.length > 0 && !(await agreed(closes))) return
          form.reset(typedOf(await saving.mutateAsync({ body })))
          adminToast({ title: 'Cutoff time settings saved successfully' })
        }}
        failed="Failed to save cutoff time"
        className="flex max-w-form flex-col gap-4"
      >
        <div className="grid grid-cols-2 items-start gap-4">
          <FormField name="hour" number label="Hour" />
          <FormField name="minute" number label="Minute" />
        </div>
        <FormField name="daysBefore" number label="Days before the meal" hint="0: on the day of the meal" />
        <SchoolDaysOnly />
        <Consequence />
        <SubmitButton busyLabel="Saving..." className="self-start max-sm:w-full">
          Save Cutoff Time
        </SubmitButton>
      </Form>
      {question}
    </>
  )
}

type ClosingQuestion = { closes: string[]; answer: (isAgreed: boolean) => void }

const useClosingQuestion = () => {
  const [asked, setAsked] = useState<ClosingQuestion | null>(null)
  const answer = (isAgreed: boolean) => {
    asked?.answer(isAgreed)
    setAsked(null)
  }
  return {
    agreed: (closes: string[]) => new Promise<boolean>((resolve) => setAsked({ closes, answer: resolve })),
    question: (
      <ConfirmDialog
        open={asked !== null}
        title="Close these days now?"
        confirm="Save and Close Them"
        danger
        onConfirm={() => answer(true)}
        onClose={() => answer(false)}
      >
        {asked ? closingText(asked.closes) : null}
      </ConfirmDialog>
    ),
  }
}

const closingText = (closes: readonly string[]): string => {
  const days = closes.map((date) => `${weekdayOf(date)} ${dayAndMonth(date)}`)
  return `Meals of ${new Intl.ListFormat('en-GB').format(days)} close now: they can no longer be ordered or changed.`
}

const SchoolDaysOnly = () => {
  const { field } = useController<CutoffBody, 'schoolDaysOnly'>({ name: 'schoolDaysOnly' })
  return (
    <Checkbox
      label="Count only days with school: Monday to Friday, not closed for everybody"
      checked={field.value ?? true}
      onChange={field.onChange}
    />
  )
}

const Consequence = () => {
  const { hour, minute, daysBefore = 0, schoolDaysOnly } = useWatch<CutoffBody>()
  const isComplete = [hour, minute, daysBefore].every(Number.isInteger)
  return (
    <p className="text-sm text-muted" aria-live="polite">
      {isComplete ? consequence(clockTime(hour!, minute!), daysBefore, schoolDaysOnly !== false) : null}
    </p>
  )
}

const consequence = (time: string, daysBefore: number, schoolDaysOnly: boolean): string => {
  if (daysBefore === 0)
    return `From ${time} on, the meals of that day can no longer be ordered. It applies at once.`
  const days = counted(daysBefore, schoolDaysOnly ? 'school day' : 'day')
  return `From ${time} on, ${days} before its day, a meal can no longer be ordered. It applies at once.`
}

/** Refetched whenever opened. */
const freshCutoffQuery = { ...cutoffQuery, staleTime: 0 }

const saveCutoffTime = endpointMutation(saveCutoff, 'cycles')

const lookAtCutoff = endpointMutation(previewCutoff)
