import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormProvider, useWatch } from 'react-hook-form'
import { counted, kwacha, longDay, wholeNumber } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { CancelButton, SubmitButton, useSavedForm } from '../../../ui/form'
import { close } from '../api'
import { Facts, type CycleDay, isClosable, stateText } from '../cycle-text'
import { CloseForm, closingOf, closingSchema } from './close-form'
import { ClosureView } from './closure-view'

type DaySheetProps = { cycleId: number; days: CycleDay[]; day: CycleDay; onClose: () => void }

export const DaySheet = ({ cycleId, days, day, onClose }: DaySheetProps) => {
  const formId = useId()
  const [closing, setClosing] = useState(false)
  const { form, save } = useClosing(cycleId, day, () => setClosing(false))
  const closures = useLastClosures(day)
  return (
    <FormProvider {...form}>
      <Dialog
        open
        wide={closing}
        onClose={onClose}
        title={longDay(day.date)}
        actions={
          closing ? (
            <>
              <CancelButton onCancel={() => setClosing(false)} />
              <CloseButton formId={formId} />
            </>
          ) : isClosable(day) ? (
            <Button icon="lock" onClick={() => setClosing(true)}>
              Close this day
            </Button>
          ) : undefined
        }
      >
        {closing ? (
          <form id={formId} noValidate onSubmit={save} className="flex flex-col gap-5">
            <CloseForm cycleId={cycleId} days={days} date={day.date} />
          </form>
        ) : (
          <div className="flex flex-col gap-5">
            <Facts
              short
              facts={[
                ['State', stateText(day)],
                ['Orders', wholeNumber(day.orders)],
                ['Unpaid', wholeNumber(day.unpaid)],
                ['Amount', kwacha(day.amount)],
              ]}
            />
            {closures.map((closure) => (
              <ClosureView key={closure.id} {...closure} />
            ))}
          </div>
        )}
      </Dialog>
    </FormProvider>
  )
}

type ShownClosure = NonNullable<CycleDay['closure']> & Partial<CycleDay['closures'][number]>

/** Also those undone while the sheet is open, to show their result. */
const useLastClosures = ({ closure, closures }: CycleDay) => {
  const standing: ShownClosure[] = [...(closure ? [closure] : []), ...closures]
  const [seen, setSeen] = useState(standing)
  const isKnown = ({ id, canUndo }: ShownClosure) =>
    seen.some((one) => one.id === id && one.canUndo === canUndo)
  const isStanding = ({ id }: ShownClosure) => standing.some((one) => one.id === id)
  if (!standing.every(isKnown)) setSeen([...standing, ...seen.filter((one) => !isStanding(one))])
  return seen.map((one) => ({ ...one, isUndone: !isStanding(one) }))
}

const useClosing = (cycleId: number, { date }: CycleDay, onClosed: () => void) => {
  const closing = useMutation(close)
  return useSavedForm({
    schema: closingSchema,
    defaultValues: { who: 'everybody', dates: [date], reason: '', remedy: 'refund', grades: [], classes: [] },
    failed: 'Failed to close days',
    onSave: async (wish, form) => {
      const body = closingOf(wish)
      const { dates } = await closing.mutateAsync({ params: { id: cycleId }, body })
      adminToast({ title: dates.length === 1 ? 'Day closed' : `${counted(dates.length, 'day')} closed` })
      form.reset()
      onClosed()
    },
  })
}

const CloseButton = ({ formId }: { formId: string }) => {
  const dates = useWatch<{ dates: string[] }, 'dates'>({ name: 'dates' })
  return (
    <SubmitButton form={formId} variant="danger" icon="lock" busyLabel="Closing...">
      {`Close ${counted(dates.length, 'day')}`}
    </SubmitButton>
  )
}
