import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState, useEffect } from 'react'
import { FormProvider, useWatch, useController, useFormContext } from 'react-hook-form'
import { closeDays, type previewClosure } from '#contracts/closures'
import { counted, kwacha, longDay, wholeNumber } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { CancelButton, SubmitButton, useSavedForm, FormField } from '../../../ui/form'
import { close, closingQuery } from '../api'
import { Facts, type CycleDay, isClosable, stateText, DayBox } from '../cycle-text'
import { ClosureView } from './closure-view'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { FieldError } from '../../../ui/field'
import { QueryResult } from '../../../ui/query-result'
import { RadioCards } from '../../../ui/radio-cards'

type DaySheetProps = { cycleId: number; days: CycleDay[]; day: CycleDay; onClose: () => void }

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
                ['State', stateText(day)],
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

/** Also one undone while the sheet is open, to show its result. */
const useLastClosure = ({ closure }: CycleDay) => {
  const [last, setLast] = useState(closure)
  if (closure && (closure.id !== last?.id || closure.canUndo !== last.canUndo)) setLast(closure)
  return last
}

const useClosing = (cycleId: number, { date }: CycleDay, onClosed: () => void) => {
  const closing = useMutation(close)
  return useSavedForm({
    schema: closeDays.body,
    defaultValues: { dates: [date], reason: '', remedy: 'refund' },
    failed: 'Failed to close days',
    onSave: async (body) => {
      const { dates } = await closing.mutateAsync({
        params: { id: cycleId },
        body,
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

type Closing = BodyOf<typeof closeDays>

type CloseFormProps = { cycleId: number; days: CycleDay[]; date: string }

/** What closing days would do, why they are closed, and how the money goes back. */
export const CloseForm = ({ cycleId, days, date }: CloseFormProps) => {
  const { setFocus, formState } = useFormContext<Closing>()
  const { field: dates, fieldState } = useController<Closing, 'dates'>({ name: 'dates' })
  const { field: remedy } = useController<Closing, 'remedy'>({ name: 'remedy' })
  const asked = closingQuery(cycleId, dates.value)
  // Closing makes the preview obsolete.
  const preview = useQuery({ ...asked, enabled: asked.enabled && !formState.isSubmitting })
  useEffect(() => setFocus('reason'), [setFocus])
  return (
    <>
      <div aria-live="polite">
        <QueryResult query={preview} failure="Failed to check orders">
          {(would) => <Preview would={would} />}
        </QueryResult>
      </div>
      <FormField
        name="reason"
        label="Reason, as families read it"
        hint="Do not name a child"
        rows={2}
        maxLength={200}
      />
      <RadioCards
        label="How the money goes back"
        options={remedies}
        value={remedy.value}
        onChange={remedy.onChange}
      />
      <details>
        <summary className="min-h-11 cursor-pointer py-2 font-semibold">Close more days at once</summary>
        <DayChoice days={days} first={date} chosen={dates.value} onChange={dates.onChange} />
      </details>
      <FieldError id="close-dates-error" message={fieldState.error?.message} />
    </>
  )
}

const Preview = ({ would }: { would: ReplyOf<typeof previewClosure> }) => (
  <div className="flex flex-col gap-3">
    <p className="font-semibold">{would.orders === 0 ? 'No orders are cancelled.' : cancelledText(would)}</p>
    <Facts
      short
      facts={[
        ['Families', wholeNumber(would.families)],
        ['Unpaid orders', wholeNumber(would.unpaid)],
        ['Paid amount', kwacha(would.paidAmount)],
        ['Payments under way', wholeNumber(would.paymentsUnderWay)],
      ]}
    />
    {would.completed > 0 ? (
      <p className="text-sm text-muted">
        {`${counted(would.completed, 'completed order stays', 'completed orders stay')} as before.`}
      </p>
    ) : null}
  </div>
)

const cancelledText = ({ orders, students }: { orders: number; students: number }) =>
  `${counted(orders, 'order')} of ${counted(students, 'child', 'children')} ${orders === 1 ? 'is' : 'are'} cancelled and every family is told.`

const remedies = [
  { value: 'refund', label: 'Refund', hint: 'It becomes due under Refund Management' },
  { value: 'credit', label: 'Family credit', hint: 'The family pays its next meals with it' },
] as const

type DayChoiceProps = {
  days: CycleDay[]
  /** The day of the open sheet, always chosen. */
  first: string
  chosen: string[]
  onChange: (dates: string[]) => void
}

const DayChoice = ({ days, first, chosen, onChange }: DayChoiceProps) => {
  const toggle = (date: string) =>
    onChange(chosen.includes(date) ? chosen.filter((one) => one !== date) : [...chosen, date].toSorted())
  return (
    <div className="grid grid-cols-5 gap-2 pt-1">
      {days.map(({ date, ...day }) => (
        <DayBox
          key={date}
          week={day.week}
          day={day.day}
          date={date}
          checked={chosen.includes(date)}
          disabled={date === first || !isClosable({ date, ...day })}
          onToggle={() => toggle(date)}
        />
      ))}
    </div>
  )
}
