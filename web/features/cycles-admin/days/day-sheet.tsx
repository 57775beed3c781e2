import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { FormProvider, useWatch } from 'react-hook-form'
import { closeDays } from '#contracts/closures'
import { counted, kwacha, longDay, wholeNumber } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { useKeyPerBody } from '../../../lib/use-key-per-body'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { CancelButton, SubmitButton, useSavedForm } from '../../../ui/form'
import { close } from '../api'
import { Facts } from '../facts'
import { CloseForm } from './close-form'
import { ClosureView } from './closure-view'
import { type CycleDay, isClosable, stateWords } from './day-words'

type DaySheetProps = { cycleId: number; days: CycleDay[]; day: CycleDay; onClose: () => void }

/** One day of a cycle: its numbers, and the way to close it or to open it again. */
export const DaySheet = ({ cycleId, days, day, onClose }: DaySheetProps) => {
  const formId = useId()
  const [closing, setClosing] = useState(false)
  const { form, save } = useClosing(cycleId, day, () => setClosing(false))
  const closure = useLastClosure(day)
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
                ['State', stateWords(day)],
                ['Orders', wholeNumber(day.orders)],
                ['Unpaid', wholeNumber(day.unpaid)],
                ['Amount', kwacha(day.amount)],
              ]}
            />
            {closure ? <ClosureView key={closure.id} {...closure} isUndone={day.closure === null} /> : null}
          </div>
        )}
      </Dialog>
    </FormProvider>
  )
}

/** The closure of the day; also the one that was undone while the sheet is open, so that its result can be read. */
const useLastClosure = ({ closure }: CycleDay) => {
  const [last, setLast] = useState(closure)
  if (closure && (closure.id !== last?.id || closure.canUndo !== last.canUndo)) setLast(closure)
  return last
}

const useClosing = (cycleId: number, { date }: CycleDay, onClosed: () => void) => {
  const closing = useMutation(close)
  const keyOf = useKeyPerBody()
  return useSavedForm({
    schema: closeDays.body,
    defaultValues: { dates: [date], reason: '', remedy: 'refund' },
    failed: 'Failed to close days',
    onSave: async (body) => {
      const { dates } = await closing.mutateAsync({
        params: { id: cycleId },
        body,
        idempotencyKey: keyOf(body),
      })
      adminToast({ title: dates.length === 1 ? 'Day closed' : `${counted(dates.length, 'day')} closed` })
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
